import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Command-line tests run the built program, as a user does.
    globalSetup: ['test/helpers/build.ts'],
    setupFiles: ['test/helpers/soak.ts'],
    // Much of the time is other processes' and servers': with the default, a core less, one of two idles.
    maxWorkers: '100%',
    // Loading the modules anew for each file takes longer than most files' tests.
    isolate: false,
    testTimeout: process.env['DOCFERRY_SOAK'] ? 1_800_000 : 60_000,
    hookTimeout: 60_000,
  },
});
