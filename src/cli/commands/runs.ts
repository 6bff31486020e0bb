import type { Argv, CommandModule, Options } from 'yargs';
import type { CommandBody, Start } from '../command.js';
import { fileOptions, RUN_OPTIONS, type RunArguments } from '../options/run.js';
import { SENDING_OPTIONS, type SendingArguments } from '../options/sending.js';
import { EMBEDDED_OPTIONS, type ServiceArguments, withService } from '../service.js';

interface StateArguments {
  readonly 'state-dir': string;
  readonly json: boolean;
}

interface PruneArguments extends StateArguments {
  readonly 'older-than': number;
}

interface OneRun {
  readonly run: string;
}

type GoOnArguments = OneRun &
  ServiceArguments &
  Pick<RunArguments, 'max-errors' | 'rejects' | 'report' | 'force' | 'json' | 'quiet'> &
  Pick<SendingArguments, 'unsent'>;
type LookArguments = OneRun & ServiceArguments & Pick<RunArguments, 'json'> & PatienceArguments;

interface PatienceArguments {
  readonly 'quiet-time': number | undefined;
}

const { 'max-errors': maxErrors, rejects, report, force, json, quiet } = RUN_OPTIONS;
const JSON_OPTION: Options = { type: 'boolean', default: false, describe: 'Print JSON' };
const STATE_OPTIONS = { 'state-dir': EMBEDDED_OPTIONS['state-dir'], json: JSON_OPTION };

/** `docferry runs`: look at what was imported, and go on with what was left. */
export function runsCommand(start: Start): CommandBody<object> {
  return {
    builder: (argv) =>
      argv
        .command(listCommand(start))
        .command(showCommand(start))
        .command(resumeCommand(start))
        .command(retryCommand(start))
        .command(resolveCommand(start))
        .command(pruneCommand(start))
        .demandCommand(
          1,
          'Say what to do: list, show, resume, retry, resolve or prune.',
        ) as Argv<object>,
    handler: () => {},
  };
}

function listCommand(start: Start): CommandModule<object, StateArguments> {
  return {
    command: 'list',
    describe: 'List the imports that were made from here, the latest last',
    builder: (argv) => argv.options(STATE_OPTIONS) as Argv<StateArguments>,
    handler: (args) =>
      start(async () => {
        const { printRuns } = await import('../runs/show-runs.js');
        return await printRuns(args['state-dir'], args.json);
      }),
  };
}

function showCommand(start: Start): CommandModule<object, StateArguments & OneRun> {
  return {
    command: 'show <run>',
    describe: 'Show what an import was and what became of its documents',
    builder: (argv) => withRun(argv.options(STATE_OPTIONS)) as Argv<StateArguments & OneRun>,
    handler: (args) =>
      start(async () => {
        const { printRun } = await import('../runs/show-runs.js');
        return await printRun(args['state-dir'], args.run, args.json);
      }),
  };
}

function resumeCommand(start: Start): CommandModule<object, GoOnArguments> {
  return {
    command: 'resume <run>',
    describe: 'Go on with an import: send what is left, and what is missing of what was in doubt',
    builder: (argv) => withGoingOn(argv),
    handler: (args) => start(() => goOn(args, { retryRejected: false })),
  };
}

function retryCommand(start: Start): CommandModule<object, GoOnArguments> {
  return {
    command: 'retry <run>',
    describe: 'The same, and send once more what the service refused',
    builder: (argv) => withGoingOn(argv),
    handler: (args) => start(() => goOn(args, { retryRejected: true })),
  };
}

function resolveCommand(start: Start): CommandModule<object, LookArguments> {
  return {
    command: 'resolve <run>',
    describe: 'Look again for the documents whose fate is unknown; nothing is sent',
    builder: (argv) =>
      withService(withRun(argv)).options({
        json: JSON_OPTION,
        'quiet-time': {
          type: 'number',
          requiresArg: true,
          describe:
            'Seconds; what does not show after two of these is taken to be missing (default 60)',
        },
      }) as unknown as Argv<LookArguments>,
    handler: (args) =>
      start(async () => {
        const { resolveOnCommand } = await import('../runs/look-at-run.js');
        return await resolveOnCommand(args);
      }),
  };
}

function pruneCommand(start: Start): CommandModule<object, PruneArguments> {
  return {
    command: 'prune',
    describe: 'Remove imports that are finished and old; what they imported stays known',
    builder: (argv) =>
      argv.options({
        ...STATE_OPTIONS,
        'older-than': {
          type: 'number',
          default: 30,
          requiresArg: true,
          describe: 'Days since they began',
        },
      }) as unknown as Argv<PruneArguments>,
    handler: (args) =>
      start(async () => {
        const { pruneOnCommand } = await import('../runs/prune-on-command.js');
        return pruneOnCommand(args['state-dir'], args['older-than'], args.json);
      }),
  };
}

async function goOn(
  args: GoOnArguments,
  how: { readonly retryRejected: boolean },
): Promise<number> {
  const { optionsOfRun } = await import('../runs/options-of-run.js');
  const { runImport } = await import('../runs/run-import.js');
  const { run, unsent, 'max-errors': most } = args;
  const begun = await optionsOfRun(args['state-dir'], run);
  const given = {
    ...fileOptions(args),
    ...(most === undefined ? {} : { maxErrors: most }),
    ...(unsent === undefined ? {} : { unsent }),
  };
  return await runImport({ ...begun, ...given, ...how, resume: run }, args, args);
}

function withGoingOn(argv: Argv<object>): Argv<GoOnArguments> {
  return withService(withRun(argv)).options({
    'max-errors': maxErrors,
    rejects,
    report,
    force,
    json,
    quiet,
    unsent: SENDING_OPTIONS.unsent,
  }) as unknown as Argv<GoOnArguments>;
}

function withRun<T>(argv: Argv<T>): Argv<T & OneRun> {
  return argv.positional('run', {
    type: 'string',
    demandOption: true,
    describe: "The run's id",
  }) as unknown as Argv<T & OneRun>;
}
