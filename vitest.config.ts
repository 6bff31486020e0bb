import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Command-line tests run the built program, as a user does.
    globalSetup: ['test/helpers/build.ts'],
    setupFiles: ['test/helpers/soak.ts'],
    // Half of the time is waiting for other processes and servers: with a worker a core, both idle
    // a third of it.
    maxWorkers: '150%',
    // Loading the modules anew for each file takes longer than most files' tests.
    isolate: false,
    testTimeout: process.env['DOCFERRY_SOAK'] ? 1_800_000 : 60_000,
    hookTimeout: 60_000,
  },
});
