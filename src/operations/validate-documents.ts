import { coverageOf } from '../coverage/coverage.js';
import { Survey } from '../coverage/survey.js';
import { RequestEstimate } from '../delivery/batching/batches.js';
import { columnFields } from '../mapping/rules/walk-rules.js';
import type { Report } from '../report/report.js';
import { batchOptions } from './check-options.js';
import type { ValidateOptions } from './options.js';
import { ImportRun } from './pipeline/import-run.js';
import { type PreparedRun, prepareRun } from './pipeline/prepare-run.js';
import { readDocuments } from './pipeline/read-documents.js';
import { endOf, writeReport, writeReportFiles } from './pipeline/write-report.js';

/**
 * Takes the path of an import without sending: says of every record whether it is good. Valid records count as
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
      for await (const ranges of readDocuments(run, survey)) {
        for (const range of ranges) requests.add(range);
      }
      const report = withCoverage(writeReport(run), run, { survey, requests });
      return endOf(await writeReportFiles(report, run.files, run.stops), run);
    } finally {
      run.release();
    }
  });
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
function usedColumns(
  { transform }: PreparedRun,
  survey: Survey,
): ReadonlyMap<string, readonly string[]> {
  if (transform.maker === undefined) return columnFields(transform.mapping);
  return new Map(survey.summary().columns.filled.map(([name]) => [name, []]));
}
