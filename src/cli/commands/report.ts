import { argument, option } from '../../model/options.js';
import { VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { type Command, defineCommand } from '../command.js';

/** `docferry report`: shows a saved JSON report as text, HTML or Markdown. */
export const REPORT: Command = defineCommand({
  usage: 'report <report>',
  describe: 'Show a report that was saved as JSON, or write it as an HTML page',
  positionals: {
    report: argument('A report as JSON, as --json and --report give it; - for stdin', {
      offers: 'files',
    }),
  },
  options: {
    html: VALIDATE_OPTIONS.htmlFile,
    force: { ...VALIDATE_OPTIONS.force, help: 'Replace the file of --html' },
    markdown: option.boolean('markdown', 'Print it as Markdown, e.g. for the summary of a CI job'),
  },
  conflicts: [['markdown', 'html']],
  examples: [
    'report report.json',
    'report report.json --html page.html',
    'report report.json --markdown > summary.md',
  ],
  run: async ({ report: file, html, force = false, markdown }) => {
    const { readReport } = await import('../../report/read-report.js');
    const report = readReport(file);
    if (html !== undefined) {
      const { writePage } = await import('../runs/show-runs.js');
      await writePage(report, html, { force, inputs: file === '-' ? [] : [file] });
    } else if (markdown) {
      const { reportSummary } = await import('../../report/summary.js');
      process.stdout.write(reportSummary(report));
    } else {
      const { reportText } = await import('../../report/report-text.js');
      process.stdout.write(reportText(report));
    }
    return 0;
  },
});
