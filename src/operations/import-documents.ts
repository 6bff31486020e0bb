import type { ThreadPool } from '../transform/pool/transform-on-threads.js';
import { checkStateless, sendingOptions } from './check-options.js';
import type { ImportOptions } from './options.js';
import { ImportRun } from './pipeline/import-run.js';
import { prepareRun } from './pipeline/prepare-run.js';
import { readDocuments, startThreads } from './pipeline/read-documents.js';
import { endOf } from './pipeline/write-report.js';

/**
 * Imports documents: reads the input, maps and validates every record, posts batches, and says
 * what became of each record.
 *
 * Await the run for its report, or loop over it for events. A run that can't start (a wrong
 * option, a mistake in the mapping, a missing file) rejects with a `DocferryError` before anything
 * is sent. A run that has started and ends early rejects with a `RunFailedError` that carries its
 * report (see the option `throwOn`). With a `stateDir`, a run that left something undone can be
 * resumed.
 */
export function importDocuments(given: ImportOptions): ImportRun {
  return new ImportRun('importDocuments', given, async (stage) => {
    const { hub, show, signal } = stage;
    const options = { ...given, signal };
    const { state } = options;
    if (state !== undefined) {
      const { importOnCluster } = await import('../cluster/import-on-cluster.js');
      return await importOnCluster({ ...options, state }, stage);
    }
    if (options.stateDir === undefined) checkStateless(options);
    const settings = sendingOptions(options);
    // Who only validates needs none of this, and it takes a while to load.
    const sending = await import('./pipeline/sending.js');
    const { finishRun, keepRun, openService, sendDocuments } = sending;
    const service = openService(options, settings);
    const earlier = await sending.takeEarlierRun(options, service.target);
    let ahead: ThreadPool | undefined;
    try {
      const finished = earlier && (await sending.finishedReport(earlier, options));
      if (finished !== undefined) return endOf(finished);
      ahead = await startThreads(options);
      const run = await prepareRun(options, hub, service.target, earlier);
      show(run);
      const kept = await keepRun(options, run, earlier);
      const stopTelling = sending.tellOthers(run, options);
      try {
        await sendDocuments(readDocuments(run, ahead), { run, kept, service, settings });
        return endOf(await finishRun(run, kept), run);
      } finally {
        stopTelling();
        run.release();
        await kept?.release();
      }
    } finally {
      await ahead?.stop();
      await earlier?.release();
      await service.close();
    }
  });
}
