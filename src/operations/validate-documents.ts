import type { ValidateOptions } from './options.js';
import { ImportRun } from './pipeline/import-run.js';
import { prepareRun } from './pipeline/prepare-run.js';
import { readDocuments, startThreads } from './pipeline/read-documents.js';
import { endOf, writeReport, writeReportFiles } from './pipeline/write-report.js';

/**
 * Takes the path of an import without sending: says of every record whether it is good. Valid records count as
 * `unsent`.
 */
export function validateDocuments(given: ValidateOptions): ImportRun {
  return new ImportRun('validateDocuments', given, async ({ hub, show, signal }) => {
    const options = { ...given, signal };
    const ahead = await startThreads(options);
    try {
      const run = await prepareRun(options, hub, null);
      try {
        show(run);
        for await (const _ of readDocuments(run, ahead));
        return endOf(await writeReportFiles(writeReport(run), run.files, run.stops), run);
      } finally {
        run.release();
      }
    } finally {
      await ahead?.stop();
    }
  });
}
