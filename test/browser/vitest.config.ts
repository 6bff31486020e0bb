import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests in a real browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts'],
    // Much of the time is a browser's and a slow server's.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
