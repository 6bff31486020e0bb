import { checkOutput } from '../../outputs/check-output.js';
import { writeOutput } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { Report } from '../../report/report.js';
import { isStdout, jsonText, pageFile, print } from '../print.js';

/** Whether what is there may be replaced, and which files are read. */
interface Around {
  readonly force: boolean;
  readonly inputs: readonly string[];
}

/**
 * Writes a report as a page.
 * @throws OptionError, OutputError
 */
export async function writePage(report: Report, file: string, around: Around): Promise<void> {
  writeFile(pageFile(file).replaceAll('{run}', report.run), await reportHtml(report), around);
}

/** The same as JSON. */
export function writeJson(report: Report, file: string, around: Around): void {
  if (isStdout(file)) print(jsonText(report));
  else
    writeFile(file.replaceAll('{run}', report.run), `${JSON.stringify(report, null, 2)}\n`, around);
}

function writeFile(path: string, text: string, { force, inputs }: Around): void {
  const remedy = 'name another one, or give --force to replace it';
  checkOutput({ path, what: 'report', mayReplace: force, remedy }, { inputs });
  writeOutput(path, text, { mayReplace: () => force });
}
