import type { Argv, Options } from 'yargs';
import type { CommandBody, Start } from '../command.js';
import { connectionOf } from '../connection-options.js';
import { startEmbeddedSandbox } from '../embedded-sandbox.js';
import { type InputArguments, recordOptions, withInputs } from '../input-options.js';
import { listenForInterruption } from '../interruption.js';
import { endOptions, RUN_OPTIONS, type RunArguments } from '../run-options.js';
import { say } from '../say.js';
import { type ServiceArguments, withService } from '../with-client.js';

interface OwnArguments {
  readonly monitoring: number;
  readonly 'batch-size': number | undefined;
  readonly 'batch-bytes': number | undefined;
  readonly concurrency: string | undefined;
}

type ImportArguments = OwnArguments & ServiceArguments & RunArguments & InputArguments;

const IMPORT_OPTIONS: Readonly<Record<keyof OwnArguments, Options>> = {
  monitoring: {
    type: 'number',
    demandOption: true,
    requiresArg: true,
    describe: 'Id of the monitoring that takes the documents',
  },
  'batch-size': {
    type: 'number',
    requiresArg: true,
    describe: 'Documents in a request (default 500)',
  },
  'batch-bytes': {
    type: 'number',
    requiresArg: true,
    describe: 'Bytes in a request (default 1048576)',
  },
  concurrency: {
    type: 'string',
    requiresArg: true,
    describe: 'Requests at a time, or auto (default 4)',
  },
};

/** `docferry import`: read, map, validate, post, report. */
export function importCommand(start: Start): CommandBody<ImportArguments> {
  return {
    builder: (argv) =>
      withService(withInputs(argv))
        .options(IMPORT_OPTIONS)
        .options(RUN_OPTIONS) as Argv<ImportArguments>,
    handler: (args) => start(() => runImport(args)),
  };
}

async function runImport(args: ImportArguments): Promise<number> {
  const { importDocuments } = await import('../../import-documents.js');
  const { showRun } = await import('../show-run.js');
  const sandbox = await startEmbeddedSandbox(args);
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
  try {
    await sandbox?.ensureMonitoring(args.monitoring);
    const run = importDocuments({
      ...recordOptions(args),
      ...endOptions(args),
      monitoring: args.monitoring,
      connection: sandbox ?? connectionOf(args, process.env),
      ...numbers(args),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
    });
    const status = await showRun(run, args);
    if (sandbox !== undefined && !args.quiet && !args.json) sayWhere(args);
    return status;
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

function sayWhere(args: ImportArguments): void {
  const from = args['state-dir'] === '.docferry' ? '' : ` --state-dir ${args['state-dir']}`;
  const command = `docferry feed --monitorings ${args.monitoring} --sandbox${from}`;
  say(`The documents are kept: \`${command}\` shows them.`);
}

function numbers(args: ImportArguments): {
  batchSize?: number;
  batchBytes?: number;
  concurrency?: number;
} {
  const { 'batch-size': batchSize, 'batch-bytes': batchBytes, concurrency } = args;
  return {
    ...(batchSize === undefined ? {} : { batchSize }),
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(concurrency === undefined || concurrency === 'auto'
      ? {}
      : { concurrency: Number(concurrency) }),
  };
}
