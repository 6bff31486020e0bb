import type { Argv } from 'yargs';
import { type Command, defineCommand, type GroupedCommand, type With } from '../command.js';
import {
  SERVICE_OPTIONS,
  type ServiceArguments,
  stateOf,
  withService,
} from '../options/connection.js';
import { fileOptions, type JobArguments, RUN_OPTIONS, type RunArguments } from '../options/run.js';
import { SENDING_OPTIONS, type SendingArguments } from '../options/sending.js';
import { given } from '../options/values.js';

const JSON_OPTION = { type: 'boolean', default: false, describe: 'Print JSON' } as const;
const { 'state-dir': STATE_DIR, state: STATE } = SERVICE_OPTIONS;
const STATE_OPTIONS = { 'state-dir': STATE_DIR, state: STATE, json: JSON_OPTION };
const RUN = { type: 'string', demandOption: true, describe: "The run's id" } as const;

/** `docferry runs`: look at what was imported, and resume what was left. */
export const RUNS: readonly GroupedCommand[] = [
  {
    name: 'list',
    describe: 'List the imports that were made from here, the latest last',
    ...defineCommand(
      (argv) => argv.options(STATE_OPTIONS),
      async (args) => {
        const { printRuns } = await import('../runs/show-runs.js');
        return await printRuns(args, args.json);
      },
    ),
  },
  {
    name: 'show',
    positionals: '<run>',
    describe: 'Show what an import was and what became of its documents',
    ...defineCommand(
      (argv) =>
        argv
          .positional('run', RUN)
          .options(STATE_OPTIONS)
          .option('html', RUN_OPTIONS.html)
          .option('force', { ...RUN_OPTIONS.force, describe: 'Replace the file of --html' })
          .option('follow', {
            type: 'boolean',
            default: false,
            describe: 'Show how far it is until it ends; the exit code is then its own',
          })
          .option('events', {
            ...RUN_OPTIONS.events,
            describe:
              'Follow it, and add progress and end to this file, one JSON object a line (- for stdout)',
          }),
      async (args) => {
        if (args.follow || args.events !== undefined) {
          const { followOnCommand } = await import('../runs/follow-on-command.js');
          return await followOnCommand(args);
        }
        const { printRun } = await import('../runs/show-runs.js');
        return await printRun(args, args);
      },
    ),
  },
  {
    name: 'resume',
    positionals: '<run>',
    describe: 'Resume an import: send what is left, and what is missing of what was unconfirmed',
    ...defineCommand(withResuming, (args) => resume(args, { retryRejected: false })),
  },
  {
    name: 'retry',
    positionals: '<run>',
    describe: 'The same, and send once more what the service refused',
    ...defineCommand(withResuming, (args) => resume(args, { retryRejected: true })),
  },
  {
    name: 'resolve',
    positionals: '<run>',
    describe: 'Reconcile the documents whose outcome is unknown; nothing is sent',
    ...defineCommand(
      (argv) =>
        withService(argv.positional('run', RUN)).options({
          json: JSON_OPTION,
          'settle-time': SENDING_OPTIONS['settle-time'],
          'quiet-time': SENDING_OPTIONS['quiet-time'],
        }),
      async (args) => {
        const { resolveOnCommand } = await import('../runs/look-at-run.js');
        return await resolveOnCommand(args);
      },
    ),
  },
  {
    name: 'cancel',
    positionals: '<run>',
    describe: 'Stop an import of a shared state, for all its workers; it can be resumed',
    ...defineCommand(
      (argv) => argv.positional('run', RUN).options(STATE_OPTIONS),
      async (args) => {
        const { cancelOnCommand } = await import('../runs/cancel-on-command.js');
        return await cancelOnCommand(args);
      },
    ),
  },
  {
    name: 'prune',
    describe: 'Remove imports that are finished and old; what they imported stays known',
    ...defineCommand(
      (argv) =>
        argv.options(STATE_OPTIONS).option('older-than', {
          type: 'number',
          default: 30,
          requiresArg: true,
          describe: 'Days since they began',
        }),
      async (args) => {
        const { pruneOnCommand } = await import('../runs/prune-on-command.js');
        return await pruneOnCommand(args, args['older-than'], args.json);
      },
    ),
  },
];

/** `docferry verify`: what the service shows of what it acknowledged. */
export const VERIFY: Command = defineCommand(
  (argv) => withService(argv.positional('run', RUN)).option('json', JSON_OPTION),
  async (args) => {
    const { verifyOnCommand } = await import('../runs/look-at-run.js');
    return await verifyOnCommand(args);
  },
);

type ResumeArguments = ServiceArguments &
  Pick<RunArguments, 'max-errors' | 'rejects' | 'report' | 'html' | 'events'> &
  Pick<RunArguments, 'force' | 'json' | 'quiet'> &
  JobArguments &
  Pick<SendingArguments, 'unsent'> & { readonly run: string };

function withResuming(argv: Argv): Argv<With<object, ResumeArguments>> {
  const { 'max-errors': maxErrors, rejects, report, html, events } = RUN_OPTIONS;
  const { metrics, summary, annotations, force, json, quiet } = RUN_OPTIONS;
  const { unsent } = SENDING_OPTIONS;
  return withService(argv.positional('run', RUN))
    .option('max-errors', maxErrors)
    .options({ rejects, report, html, events, metrics, summary, annotations })
    .options({ force, json, quiet, unsent });
}

async function resume(
  args: ResumeArguments,
  how: { readonly retryRejected: boolean },
): Promise<number> {
  const { optionsOfRun } = await import('../runs/options-of-run.js');
  const { runImport } = await import('../runs/run-import.js');
  const { run, unsent, 'max-errors': maxErrors } = args;
  const begun = await optionsOfRun(stateOf(args), run);
  const replaced = { ...fileOptions(args), ...given({ maxErrors, unsent }) };
  return await runImport({ ...begun, ...replaced, ...how, resume: run }, args, args);
}
