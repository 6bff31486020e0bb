import { OptionError } from '../model/errors.js';
import type { ImportOptions } from '../operations/options.js';
import { RunStage } from '../operations/pipeline/import-run.js';

/**
 * Begins an import that the workers of a shared state process, and doesn't wait for its end.
 * @returns the run's id
 * @throws DocferryError if it can't begin
 */
export async function beginImport(options: ImportOptions): Promise<string> {
  const stage = new RunStage();
  await stage.begin(options, 'beginImport');
  const { state } = options;
  if (state === undefined) {
    throw new OptionError(
      'Only an import with a shared state goes on without the process that began it: name the state (--state, DOCFERRY_STATE).',
    );
  }
  if (options.eventsFile !== undefined) {
    throw new OptionError(
      'An import that is left to workers has no events here: leave out the file (--events), and follow the run with `docferry runs show RUN --follow`.',
    );
  }
  const { beginOnCluster } = await import('./import-on-cluster.js');
  try {
    return await beginOnCluster({ ...options, state }, stage);
  } finally {
    stage.end();
  }
}
