import type { Argv, Options } from 'yargs';
import type { ImportOptions } from '../../operations/options.js';
import type { CommandBody, Start } from '../command.js';
import { type InputArguments, recordOptions, withInputs } from '../options/input.js';
import { endOptions, RUN_OPTIONS, type RunArguments } from '../options/run.js';
import {
  BATCH_OPTIONS,
  type BatchArguments,
  batchOptions,
  SENDING_OPTIONS,
  type SendingArguments,
  sendingOptions,
} from '../options/sending.js';
import { listenForInterruption } from '../runs/interruption.js';
import { type ServiceArguments, withService } from '../service.js';

interface OwnArguments {
  readonly monitoring: number;
  readonly resume: string | undefined;
}

type ImportArguments = OwnArguments &
  SendingArguments &
  ServiceArguments &
  RunArguments &
  InputArguments;

const IMPORT_OPTIONS: Readonly<Record<keyof OwnArguments, Options>> = {
  monitoring: {
    type: 'number',
    demandOption: true,
    requiresArg: true,
    describe: 'Id of the monitoring that takes the documents',
  },
  resume: {
    type: 'string',
    describe: 'Go on with a run: its id, or nothing for the latest unfinished one of these inputs',
  },
};

/** `docferry import`: read, map, validate, post, report. */
export function importCommand(start: Start): CommandBody<ImportArguments> {
  return {
    builder: (argv) =>
      withService(withInputs(argv))
        .options(IMPORT_OPTIONS)
        .options(SENDING_OPTIONS)
        .options(RUN_OPTIONS) as Argv<ImportArguments>,
    handler: (args) =>
      start(async () => {
        const { runImport } = await import('../runs/run-import.js');
        return await runImport(optionsOf(args), args);
      }),
  };
}

function optionsOf(args: ImportArguments): Omit<ImportOptions, 'connection'> {
  const { monitoring, resume } = args;
  return {
    ...recordOptions(args),
    ...endOptions(args),
    ...sendingOptions(args),
    monitoring,
    ...(resume === undefined ? {} : { resume: resume === '' ? true : resume }),
  };
}

type ValidateArguments = RunArguments & BatchArguments & InputArguments;

/** `docferry validate`: the same path as an import, nothing sent. */
export function validateCommand(start: Start): CommandBody<ValidateArguments> {
  return {
    builder: (argv) =>
      withInputs(argv).options(BATCH_OPTIONS).options(RUN_OPTIONS) as Argv<ValidateArguments>,
    handler: (args) => start(() => runValidate(args)),
  };
}

async function runValidate(args: ValidateArguments): Promise<number> {
  const { validateDocuments } = await import('../../operations/validate-documents.js');
  const { showRun } = await import('../runs/show-run.js');
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
  try {
    const { signal } = interruption;
    const options = { ...recordOptions(args), ...endOptions(args), ...batchOptions(args) };
    const run = validateDocuments({ ...options, signal, throwOn: 'never' });
    return (await showRun(run, args)).exitCode;
  } finally {
    interruption.dispose();
  }
}
