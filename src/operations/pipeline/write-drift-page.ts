/** Writes the page of a run that drift prevented from starting. */
import { DriftError } from '../../model/errors.js';
import { NO_COUNTS } from '../../model/record.js';
import { OutputError, writeOutput } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { DriftStop } from '../../report/report.js';
import type { PlannedOutputs } from './plan-outputs.js';
import { type RunToDescribe, runFacts } from './run-facts.js';

export interface RefusedRun extends RunToDescribe, Pick<DriftStop, 'inputs'> {
  readonly files: PlannedOutputs;
}

/** @returns the error, which adds why the page couldn't be written, if so */
export async function writeDriftPage(error: DriftError, run: RefusedRun): Promise<DriftError> {
  const { files, inputs } = run;
  if (files.htmlFile === undefined) return error;
  const report: DriftStop = {
    ...runFacts(run),
    ...{ inputs, drift: error.drift, counts: NO_COUNTS, exitCode: 2 },
    ...{ status: 'stopped', stop: null, batches: 0, retries: 0, recordsPerSecond: 0 },
    ...{ notices: [], diagnosis: null, causes: [], problems: [], coverage: null, delivery: null },
    ...{ rejects: [], unwritten: [], unknown: [], resumable: false },
  };
  const page = await reportHtml(report);
  try {
    writeOutput(files.htmlFile, page);
    return error;
  } catch (failure) {
    if (!(failure instanceof OutputError)) throw failure;
    return new DriftError(`${error.message}\n${failure.message}`, error.drift);
  }
}
