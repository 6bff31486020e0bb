import { type DocumentRange, rangeBytes, type TransformedChunk } from './documents.js';
import { SeenDocuments } from './duplicates/seen-documents.js';
import {
  deliveryOptions,
  type ImportOptions,
  monitoringId,
  type ValidateOptions,
} from './options.js';
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
 * it say how it ended.
 */
export function importDocuments(options: ImportOptions): ImportRun {
  return new ImportRun(async (hub, show) => {
    const limits = deliveryOptions(options);
    const monitoring = monitoringId(options.monitoring);
    // Who only validates needs none of this, and it takes a while to load.
    const { checkAccess, cutBatches, deliver, openTransport, postDocuments } = await import(
      './sending.js'
    );
    const transport = openTransport(options.connection, limits.concurrency);
    const target = { baseUrl: transport.baseUrl, monitoring };
    const run = await prepareRun(options, hub, target);
    try {
      show(run);
      const { account, brake } = run;
      const refused = await checkAccess(transport, monitoring, run.signal);
      if (refused !== undefined) brake.pull(refused);
      const batches = cutBatches(documentsOf(run), limits);
      const settings = {
        concurrency: limits.concurrency,
        pressureStatuses: [429, 503],
        maxOutageMs: 5 * 60_000,
      };
      const { gaveUp } = await deliver(batches, settings, {
        intend: async () => true,
        send: ({ ranges }) =>
          postDocuments(transport, monitoring, ranges.map(rangeBytes), options.abandonSignal),
        withdraw: () => {},
        probe: async () => (await checkAccess(transport, monitoring, run.signal)) === undefined,
        signal: run.signal,
        settle: (batch, verdict) => {
          account.settled(batch, verdict);
          tellProgress(run);
        },
        stopped: () => brake.stopsSending,
      });
      if (gaveUp !== undefined) brake.pull({ kind: 'service-down', message: gaveUp });
      return await writeReport(run);
    } finally {
      run.release();
      await transport.close();
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

/** The corridor up to where documents are ready to be sent: source → transform → repeats apart. */
async function* documentsOf(run: PreparedRun): AsyncGenerator<DocumentRange, void, undefined> {
  const seen = new SeenDocuments(run.rememberBytes);
  try {
    for await (const transformed of untilStopped(transformedChunks(run), run)) {
      yield* freshDocuments(transformed, seen, run);
      await run.hub.room();
      tellProgress(run);
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

function tellProgress({ hub, progress }: PreparedRun): void {
  if (hub.listening) hub.emit({ type: 'progress', progress: progress() });
}
