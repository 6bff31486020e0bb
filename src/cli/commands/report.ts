import { type Command, defineCommand } from '../command.js';
import { RUN_OPTIONS } from '../options/run.js';

/** `docferry report`: a report that was kept as JSON, for people. */
export const REPORT: Command = defineCommand(
  (argv) =>
    argv
      .positional('report', {
        type: 'string',
        demandOption: true,
        describe: 'A report as JSON, as --json and --report give it; - for stdin',
      })
      .option('html', RUN_OPTIONS.html)
      .option('force', { ...RUN_OPTIONS.force, describe: 'Replace the file of --html' }),
  async ({ report: file, html, force }) => {
    const { readReport } = await import('../../report/read-report.js');
    const report = readReport(file);
    if (html === undefined) {
      const { reportText } = await import('../../report/report-text.js');
      process.stdout.write(reportText(report));
    } else {
      const { writePage } = await import('../runs/write-page.js');
      await writePage(report, html, { force, inputs: file === '-' ? [] : [file] });
    }
    return 0;
  },
);
