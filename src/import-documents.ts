import type { DocumentRange, TransformedChunk } from './documents.js';
import { SeenDocuments } from './duplicates/seen-documents.js';
import { type ImportOptions, sendingOptions, type ValidateOptions } from './options.js';
import { freshDocuments } from './run/fresh-documents.js';
import { ImportRun } from './run/import-run.js';
import { type PreparedRun, prepareRun } from './run/prepare-run.js';
import { readChunks } from './run/read-chunks.js';
import { untilStopped } from './run/until-stopped.js';
import { writeReport } from './run/write-report.js';
import { type ReadChunks, transformChunks } from './transform/transform-chunks.js';

/**
 * Imports documents: reads the input, maps and validates every record, posts batches, and says
 * what became of each record.
 *
 * Await the run for its report, or loop over it for events. A run that can't start (a wrong
 * option, a mistake in the mapping, a missing file) rejects with a `DocferryError` before anything
 * is sent. A run that has started gives a report even if it is stopped; `exitCode` and `stop` in
 * it say how it ended. With a `stateDir`, a run that left something undone can go on later.
 */
export function importDocuments(options: ImportOptions): ImportRun {
  return new ImportRun(async (hub, show) => {
    const settings = sendingOptions(options);
    // Who only validates needs none of this, and it takes a while to load.
    const { finishedReport, finishRun, keepRun, openService, sendDocuments, takeEarlierRun } =
      await import('./sending.js');
    const service = openService(options, settings);
    const earlier = takeEarlierRun(options, service.target);
    try {
      const finished = earlier && finishedReport(earlier, options);
      if (finished !== undefined) return finished;
      const run = await prepareRun(options, hub, service.target, earlier);
      const kept = await keepRun(options, run, earlier);
      try {
        show(run);
        await sendDocuments(documentsOf(run), { run, kept, service, settings });
        return await finishRun(run, kept);
      } finally {
        run.release();
        kept?.release();
      }
    } finally {
      earlier?.held.release();
      await service.close();
    }
  });
}

/**
 * The same path without sending: says of every record whether it is good. Valid records count as
 * `unsent`.
 */
export function validateDocuments(options: ValidateOptions): ImportRun {
  return new ImportRun(async (hub, show) => {
    const run = await prepareRun(options, hub, null);
    try {
      show(run);
      for await (const _ of documentsOf(run));
      return await writeReport(run);
    } finally {
      run.release();
    }
  });
}

/**
 * The corridor up to where documents are ready to be sent: source → transform → repeats apart.
 * Gives those of one chunk together.
 */
async function* documentsOf(
  run: PreparedRun,
): AsyncGenerator<readonly DocumentRange[], void, undefined> {
  const seen = new SeenDocuments(run.rememberBytes);
  try {
    for await (const transformed of untilStopped(transformedChunks(run), run)) {
      yield freshDocuments(transformed, seen, run);
      await run.hub.room();
      run.tellProgress();
    }
  } finally {
    seen.close();
  }
}

function transformedChunks(run: PreparedRun): AsyncGenerator<TransformedChunk, void, undefined> {
  const { sources, threads, signal, progress } = run;
  const expectedBytes = progress().bytesTotal ?? 0;
  const read: ReadChunks = (untilAborted) => readChunks(sources, untilAborted);
  return transformChunks(read, run.transform, { threads, expectedBytes, signal });
}
