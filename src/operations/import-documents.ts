import { coverageOf } from '../coverage/coverage.js';
import { Survey } from '../coverage/survey.js';
import { RequestEstimate } from '../delivery/batching/batches.js';
import { FirstFields } from '../duplicates/first-fields.js';
import { SeenDocuments } from '../duplicates/seen-documents.js';
import { mappingColumns } from '../mapping/mapping-columns.js';
import type { DocumentRange } from '../model/documents.js';
import type { Report } from '../report/report.js';
import type { SurveyedChunk } from '../transform/compile-transform.js';
import { loadHashes } from '../transform/content-hash.js';
import { type ReadChunks, transformChunks } from '../transform/transform-chunks.js';
import {
  batchOptions,
  type ImportOptions,
  sendingOptions,
  type ValidateOptions,
} from './options.js';
import { freshDocuments } from './pipeline/fresh-documents.js';
import { ImportRun } from './pipeline/import-run.js';
import { type PreparedRun, prepareRun } from './pipeline/prepare-run.js';
import { readChunks } from './pipeline/read-chunks.js';
import { writeReportFile } from './pipeline/report-file.js';
import type { RunEnd } from './pipeline/run-failed-error.js';
import { untilStopped } from './pipeline/until-stopped.js';
import { writeReport } from './pipeline/write-report.js';

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
  return new ImportRun('importDocuments', given, async ({ hub, show, signal }) => {
    const options = { ...given, signal };
    const settings = sendingOptions(options);
    // Who only validates needs none of this, and it takes a while to load.
    const sending = await import('./pipeline/sending.js');
    const { finishRun, keepRun, openService, sendDocuments } = sending;
    const service = openService(options, settings);
    const earlier = sending.takeEarlierRun(options, service.target);
    try {
      const finished = earlier && (await sending.finishedReport(earlier, options));
      if (finished !== undefined) return endOf(finished);
      const run = await prepareRun(options, hub, service.target, earlier);
      const kept = await keepRun(options, run, earlier);
      try {
        show(run);
        await sendDocuments(documentsOf(run), { run, kept, service, settings });
        return endOf(finishRun(run, kept), run);
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
export function validateDocuments(given: ValidateOptions): ImportRun {
  return new ImportRun('validateDocuments', given, async ({ hub, show, signal }) => {
    const options = { ...given, signal };
    const requests = new RequestEstimate(batchOptions(options));
    const run = await prepareRun(options, hub, null);
    const survey = new Survey();
    try {
      show(run);
      for await (const ranges of documentsOf(run, survey)) {
        for (const range of ranges) requests.add(range);
      }
      const report = withCoverage(writeReport(run), run, { survey, requests });
      return endOf(writeReportFile(report, run), run);
    } finally {
      run.release();
    }
  });
}

/** A report's file may fail after all else is done: the report tells of it, the stop conditions don't. */
function endOf(report: Report, run?: PreparedRun): RunEnd {
  return { report, stop: run?.stops.reason ?? report.stop ?? undefined };
}

/** What a validation has found out besides. */
interface Findings {
  readonly survey: Survey;
  readonly requests: RequestEstimate;
}

function withCoverage(report: Report, run: PreparedRun, { survey, requests }: Findings): Report {
  const repeated = report.problems.find(({ kind }) => kind === 'repeated-id');
  const coverage = coverageOf(survey.summary(), {
    usedColumns: usedColumns(run, survey),
    repeats: { same: report.counts.duplicate, other: repeated?.count ?? 0 },
    requests: requests.figures(),
  });
  return { ...report, coverage };
}

/** Nobody can tell which columns a function uses: none is called unused. */
function usedColumns({ transform }: PreparedRun, survey: Survey): readonly string[] {
  if (transform.maker === undefined) return mappingColumns(transform.mapping);
  return survey.summary().columns.filled.map(([name]) => name);
}

/**
 * The corridor up to where documents are ready to be sent: source → transform → repeats apart.
 * Gives those of one chunk together. What threads have found out about documents is added to the
 * survey.
 */
async function* documentsOf(
  run: PreparedRun,
  survey?: Survey,
): AsyncGenerator<readonly DocumentRange[], void, undefined> {
  // Reviews of one hash are told apart here, wherever documents are made.
  await loadHashes();
  const seen = new SeenDocuments(run.rememberBytes);
  const remembered = { seen, firstFields: new FirstFields() };
  try {
    for await (const transformed of untilStopped(transformedChunks(run), run)) {
      if (transformed.survey !== undefined) survey?.merge(transformed.survey);
      yield freshDocuments(transformed, remembered, run);
      await run.hub.room();
      run.tellProgress();
    }
  } finally {
    seen.close();
  }
}

function transformedChunks(run: PreparedRun): AsyncGenerator<SurveyedChunk, void, undefined> {
  const { sources, threads, signal, progress, notice } = run;
  const expectedBytes = progress().bytesTotal ?? 0;
  const read: ReadChunks = (untilAborted) => readChunks(sources, untilAborted, notice);
  return transformChunks(read, run.transform, { threads, expectedBytes, signal });
}
