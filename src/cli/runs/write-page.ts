import { checkOutput } from '../../outputs/check-output.js';
import { writeOutput } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { Report } from '../../report/report.js';
import { pageFile } from '../print.js';

/**
 * Writes a report as a page.
 * @param around whether what is there may be replaced, and which files are read
 * @throws OptionError, OutputError
 */
export async function writePage(
  report: Report,
  file: string,
  { force, inputs }: { readonly force: boolean; readonly inputs: readonly string[] },
): Promise<void> {
  const path = pageFile(file).replaceAll('{run}', report.run);
  const remedy = 'name another one, or give --force to replace it';
  checkOutput({ path, what: 'report', mayReplace: force, remedy }, { inputs });
  writeOutput(path, await reportHtml(report), { mayReplace: () => force });
}
