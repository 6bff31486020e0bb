import { argument, omitUndefined, option } from '../../model/options.js';
import { IMPORT_OPTIONS, VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { type Command, type CommandGroup, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, STATE_OPTIONS, stateOf } from '../options/connection.js';
import type { OptionValues } from '../options/flags.js';
import { JSON_OPTION } from '../options/output.js';
import { fileOptions, SHOW_OPTIONS } from '../options/run.js';
import { jsonText, print } from '../print.js';
import { runImport } from './import.js';

const RUN = {
  run: argument("The run's id"),
} as const;

const { maxErrors, rejects, reportFile, htmlFile, eventsFile, force } = VALIDATE_OPTIONS;

/** Options that may be given again when a run is resumed. */
const RESUME_OPTIONS = {
  ...SERVICE_OPTIONS,
  ...{ maxErrors, rejects, reportFile, htmlFile, eventsFile, force },
  ...SHOW_OPTIONS,
};

export const RUNS: CommandGroup = {
  usage: 'runs',
  describe: 'List, show and resume imports',
  examples: ['runs list', 'runs show RUN', 'runs resume RUN'],
  commands: [
    defineCommand({
      usage: 'list',
      describe: 'List imports, oldest first',
      options: { ...STATE_OPTIONS, ...JSON_OPTION },
      examples: ['runs list', 'runs list --json'],
      run: async (args) => {
        const { printRuns } = await import('../runs/show-runs.js');
        return await printRuns(args, args.json ?? false);
      },
    }),
    defineCommand({
      usage: 'show <run>',
      describe: 'Show an import and the outcomes of its documents',
      positionals: RUN,
      options: {
        ...STATE_OPTIONS,
        ...JSON_OPTION,
        ...{ htmlFile, reportFile },
        force: { ...force, help: 'Replace the files of --html and --report' },
      },
      examples: ['runs show RUN', 'runs show RUN --html run.html'],
      run: async (args) => {
        const { printRun } = await import('../runs/show-runs.js');
        return await printRun(args, args);
      },
    }),
    defineCommand({
      usage: 'resume <run>',
      describe: 'Resume an import: reconcile unconfirmed documents, then send the rest',
      positionals: RUN,
      options: RESUME_OPTIONS,
      examples: ['runs resume RUN', 'runs resume RUN --max-errors 100%'],
      run: async (args) => await resume(args, { retryRejected: false }),
    }),
    defineCommand({
      usage: 'retry <run>',
      describe: 'Resume an import and send its rejected documents again',
      positionals: RUN,
      options: RESUME_OPTIONS,
      examples: ['runs retry RUN'],
      run: async (args) => await resume(args, { retryRejected: true }),
    }),
    defineCommand({
      usage: 'resolve <run>',
      describe: 'Find out what happened to documents whose outcome is unknown; nothing is sent',
      positionals: RUN,
      options: { ...SERVICE_OPTIONS, ...JSON_OPTION, quietMs: IMPORT_OPTIONS.quietMs },
      examples: ['runs resolve RUN'],
      run: async (args) => {
        const { resolveOnCommand } = await import('../runs/act-on-run.js');
        return await resolveOnCommand(args);
      },
    }),
    defineCommand({
      usage: 'cancel <run>',
      describe: 'Stop an import on all workers of a shared state; it can be resumed',
      positionals: RUN,
      options: { ...STATE_OPTIONS, ...JSON_OPTION },
      examples: ['runs cancel RUN'],
      run: async (args) => {
        const { cancelOnCommand } = await import('../runs/act-on-run.js');
        return await cancelOnCommand(args);
      },
    }),
    defineCommand({
      usage: 'prune',
      describe: 'Remove old finished imports; their documents are still recognised',
      options: {
        ...STATE_OPTIONS,
        ...JSON_OPTION,
        olderThan: option.number('older-than', 'Age in days, counted from their start', {
          min: 0,
          default: 30,
        }),
      },
      examples: ['runs prune --older-than 90'],
      run: async (args) => {
        const { pruneOnCommand } = await import('../runs/act-on-run.js');
        return await pruneOnCommand(args, args.olderThan ?? 30, args.json ?? false);
      },
    }),
  ],
};

export const VERIFY: Command = defineCommand({
  usage: 'verify <run>',
  describe: 'Compare what an import sent with what the service shows',
  positionals: RUN,
  options: { ...SERVICE_OPTIONS, ...JSON_OPTION },
  examples: ['verify RUN'],
  run: async (args) => {
    const { verifyOnCommand } = await import('../runs/act-on-run.js');
    return await verifyOnCommand(args);
  },
});

export const REPORT: Command = defineCommand({
  usage: 'report <report>',
  describe: 'Show a saved JSON report, or write it as an HTML page',
  positionals: {
    report: argument('A JSON report, as written by --json or --report, or - for stdin'),
  },
  options: {
    html: VALIDATE_OPTIONS.htmlFile,
    force: { ...VALIDATE_OPTIONS.force, help: 'Replace the file of --html' },
    ...JSON_OPTION,
    markdown: option.boolean('markdown', 'Print it as Markdown, for example for a CI summary'),
  },
  conflicts: [
    ['markdown', 'html'],
    ['json', 'html'],
    ['json', 'markdown'],
  ],
  examples: [
    'report report.json',
    'report report.json --html page.html',
    'report report.json --markdown > summary.md',
  ],
  run: async ({ report: file, html, force = false, json, markdown }) => {
    const { readReport } = await import('../../report/read-report.js');
    const report = readReport(file);
    if (html !== undefined) {
      const { writePage } = await import('../runs/show-runs.js');
      await writePage(report, html, { force, inputs: file === '-' ? [] : [file] });
    } else if (json) {
      print(jsonText(report));
    } else if (markdown) {
      const { reportSummary } = await import('../../report/summary.js');
      process.stdout.write(reportSummary(report));
    } else {
      const { reportText } = await import('../../report/report-text.js');
      const { terminalOf } = await import('../output/terminal-of.js');
      process.stdout.write(reportText(report, terminalOf(process.stdout)));
    }
    return 0;
  },
});

async function resume(
  args: OptionValues<typeof RESUME_OPTIONS> & OptionValues<typeof RUN>,
  how: { readonly retryRejected: boolean },
): Promise<number> {
  const { loadRunOptions } = await import('../runs/run-options.js');
  const { run } = args;
  const stored = await loadRunOptions(stateOf(args), run);
  const { maxErrors } = args;
  const replaced = { ...fileOptions(args), ...omitUndefined({ maxErrors }) };
  const options = { ...stored, ...replaced, ...how, resume: run };
  return await runImport(options, args, args);
}
