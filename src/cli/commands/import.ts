import type { Argv, Options } from 'yargs';
import type { ImportOptions } from '../../operations/options.js';
import type { CommandBody, Start } from '../command.js';
import { type InputArguments, recordOptions, withInputs } from '../input-options.js';
import { endOptions, RUN_OPTIONS, type RunArguments } from '../run-options.js';
import { SENDING_OPTIONS, type SendingArguments, sendingOptions } from '../sending-options.js';
import { type ServiceArguments, withService } from '../with-client.js';

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
        const { runImport } = await import('../run-import.js');
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
