/** Writes the page of a run that drift prevented from starting. */
import { sourceTextOf } from '../../mapping/mapping-text.js';
import type { DriftError } from '../../model/errors.js';
import { NO_COUNTS } from '../../model/record.js';
import { VERSION } from '../../model/version.js';
import { writeText } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { DriftStop } from '../../report/report.js';
import { WRITTEN_EARLIER } from '../../report/written-earlier.js';
import type { PlannedOutputs } from './plan-outputs.js';

export type RefusedRun = Pick<DriftStop, 'run' | 'inputs' | 'target'> & {
  readonly files: PlannedOutputs;
  readonly mapping: Parameters<typeof sourceTextOf>[0];
  readonly startedMs: number;
};

export async function writeDriftPage(error: DriftError, run: RefusedRun): Promise<void> {
  const { files, mapping, startedMs, inputs, target } = run;
  if (files.htmlFile === undefined) return;
  const ended = new Date();
  const report: DriftStop = {
    ...{ docferry: VERSION, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    ...{ started: new Date(startedMs).toISOString(), ended: ended.toISOString() },
    ...{ run: run.run, inputs, target, drift: error.drift, counts: NO_COUNTS, exitCode: 2 },
    ...{ command: target === null ? 'validate' : 'import', status: 'stopped', stop: null },
    ...{ mapping: mapping.name, mappingFile: sourceTextOf(mapping)?.name ?? null },
    ...{ batches: 0, retries: 0, elapsedMs: ended.getTime() - startedMs, recordsPerSecond: 0 },
    ...{ notices: [], diagnosis: null, causes: [], problems: [], coverage: null, delivery: null },
    ...{ rejects: [], unwritten: [], unknown: [], resumable: false },
  };
  const page = await reportHtml(report);
  writeText(files.outputs.create(files.htmlFile, WRITTEN_EARLIER.htmlFile), page);
}
