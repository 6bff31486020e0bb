import { argument, omitUndefined, option } from '../../model/options.js';
import { IMPORT_OPTIONS, VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { type Command, type CommandGroup, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, STATE_OPTIONS, stateOf } from '../options/connection.js';
import type { OptionValues } from '../options/flags.js';
import { fileOptions, JSON_OPTION, SHOW_OPTIONS } from '../options/run.js';
import { runImport } from './import.js';

const RUN = {
  run: argument("The run's id"),
} as const;

const { maxErrors, rejects, reportFile, htmlFile, quotes, eventsFile, overwrite } =
  VALIDATE_OPTIONS;

/** Options that may be given again when a run is resumed. */
const RESUME_OPTIONS = {
  ...SERVICE_OPTIONS,
  maxErrors,
  rejects,
  reportFile,
  htmlFile,
  quotes,
  eventsFile,
  overwrite,
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
      options: { ...STATE_OPTIONS, ...JSON_OPTION, htmlFile, quotes, reportFile },
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
