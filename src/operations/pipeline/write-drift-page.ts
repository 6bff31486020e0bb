/** Writes the page of a run that drift prevented from starting. */
import type { DriftError } from '../../model/errors.js';
import { NO_COUNTS } from '../../model/record.js';
import { writeText } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { DriftStop } from '../../report/report.js';
import { WRITTEN_EARLIER } from '../../report/written-earlier.js';
import type { PlannedOutputs } from './plan-outputs.js';
import { type RunToDescribe, runFacts } from './run-facts.js';

export interface RefusedRun extends RunToDescribe, Pick<DriftStop, 'inputs'> {
  readonly files: PlannedOutputs;
}

export async function writeDriftPage(error: DriftError, run: RefusedRun): Promise<void> {
  const { files, inputs } = run;
  if (files.htmlFile === undefined) return;
  const report: DriftStop = {
    ...runFacts(run),
    ...{ inputs, drift: error.drift, counts: NO_COUNTS, exitCode: 2 },
    ...{ status: 'stopped', stop: null, batches: 0, retries: 0, recordsPerSecond: 0 },
    ...{ notices: [], diagnosis: null, causes: [], problems: [], coverage: null, delivery: null },
    ...{ rejects: [], unwritten: [], unknown: [], resumable: false },
  };
  const page = await reportHtml(report);
  writeText(files.outputs.create(files.htmlFile, WRITTEN_EARLIER.htmlFile), page);
}
