import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests start processes and wait: what is left for the end has no company. */
const LONG = /\/test\/(shards|reliability|cli|docs)\//;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need a browser: `npm run test:browser`.
    exclude: [...configDefaults.exclude, 'test/browser/**'],
    // Command-line tests run the built program, as a user does.
    globalSetup: ['test/helpers/build.ts'],
    setupFiles: ['test/helpers/soak.ts'],
    // npm's own, by which docferry knows that it was called with npx.
    env: { npm_command: '' },
    // Much of the time is other processes' and servers': with a worker a core, cores idle a third of
    // it. (More than 100% would be taken for 100%.)
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: LongFirst },
    // Loading the modules anew for each file takes longer than most files' tests.
    isolate: false,
    // Compiled modules are kept from one run to the next, in node_modules.
    experimental: { fsModuleCache: true },
    // Of one that hangs: on a busy machine, the slowest takes a minute.
    testTimeout: process.env['DOCFERRY_SOAK'] ? 1_800_000 : 180_000,
    hookTimeout: 180_000,
  },
});
