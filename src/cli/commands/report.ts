import { existsSync } from 'node:fs';
import { OptionError } from '../../model/errors.js';
import { argument, option } from '../../model/options.js';
import { printable } from '../../model/text.js';
import { VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { type Command, defineCommand } from '../command.js';
import { STATE_OPTIONS, sharedState } from '../options/connection.js';
import type { OptionValues } from '../options/flags.js';
import { JSON_OPTION, SHOW_OPTIONS } from '../options/run.js';
import { jsonText, print } from '../print.js';

const { rejects, reportFile, htmlFile, quotes, overwrite } = VALIDATE_OPTIONS;

const REPORT_ARGUMENT = {
  file: argument(
    'A JSON report, as written by --json or --report, or - for stdin; with --state the name of an import in shards (its --run)',
  ),
};

const REPORT_OPTIONS = {
  state: { ...STATE_OPTIONS.state, help: 'Postgres database that the shards of the import share' },
  rejects,
  reportFile,
  htmlFile,
  quotes,
  overwrite,
  metrics: SHOW_OPTIONS.metrics,
  ...JSON_OPTION,
  markdown: option.boolean('markdown', 'Print it as Markdown, for example for a CI summary'),
  follow: option.boolean('follow', 'Show the progress of the shards until all of them are done'),
};

type ReportArguments = OptionValues<typeof REPORT_OPTIONS> & OptionValues<typeof REPORT_ARGUMENT>;

export const REPORT: Command = defineCommand({
  usage: 'report <file>',
  describe: 'Show a saved report, or merge the shards of an import into one',
  positionals: REPORT_ARGUMENT,
  options: REPORT_OPTIONS,
  conflicts: [['json', 'markdown']],
  examples: [
    'report report.json',
    'report report.json --html page.html --no-quotes',
    'report report.json --markdown > summary.md',
    'report nightly --state postgres://docferry@db/docferry --rejects rejects.csv',
  ],
  run: async (args) => {
    const state = sharedStateFor(args);
    if (state === undefined) return await showSavedReport(args);
    const { reportShards } = await import('../runs/report-shards.js');
    return await reportShards(args.file, state, args);
  },
});

/**
 * Returns the address of the shared state if the argument names an import, not a file, which needs
 * none even if DOCFERRY_STATE is set.
 * @throws OptionError if it is neither a file nor, without a state, the name of an import
 */
function sharedStateFor({ file, state }: ReportArguments): string | undefined {
  const isFile = file === '-' || existsSync(file);
  if (state === undefined && isFile) return undefined;
  const shared = sharedState(state === undefined ? {} : { state });
  if (shared !== undefined) return shared;
  throw new OptionError(
    `There is no file ${printable(file)}. If that is the name of an import in shards (its --run), name their database with --state or DOCFERRY_STATE; \`docferry runs show\` shows the report of a run.`,
  );
}

/** @throws OptionError for an option that needs the shards */
async function showSavedReport(args: ReportArguments): Promise<number> {
  const { file, htmlFile: html, json, markdown } = args;
  const needed = (['rejects', 'metrics', 'follow', 'reportFile'] as const).find(
    (name) => args[name] !== undefined && args[name] !== false,
  );
  if (needed !== undefined) {
    throw new OptionError(
      `--${REPORT_OPTIONS[needed].flag} is for an import in shards: give its --state as well, or leave it out.`,
    );
  }
  const { readReport } = await import('../../report/read-report.js');
  const report = readReport(file);
  if (html !== undefined) {
    const { writePage } = await import('../runs/show-runs.js');
    const { mappingFile } = report;
    const read = report.inputs.map(({ name }) => name);
    const inputs = [file, ...read, ...(mappingFile ? [mappingFile] : [])];
    await writePage(report, { htmlFile: html, quotes: args.quotes }, inputs);
    return 0;
  }
  if (json) print(jsonText(report));
  else if (markdown) {
    const { reportSummary } = await import('../../report/summary.js');
    process.stdout.write(reportSummary(report));
  } else {
    const { reportText } = await import('../../report/report-text.js');
    const { terminalOf } = await import('../output/terminal-of.js');
    process.stdout.write(reportText(report, terminalOf(process.stdout)));
  }
  return 0;
}
