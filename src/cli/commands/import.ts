import { join } from 'node:path';
import type { Argv, CommandModule, Options } from 'yargs';
import type { Connection } from '../../api/connection.js';
import { OptionError } from '../../errors.js';
import type { Sandbox } from '../../sandbox/index.js';
import {
  CONNECTION_OPTIONS,
  type ConnectionArguments,
  connectionOf,
} from '../connection-options.js';
import { type InputArguments, recordOptions, withInputs } from '../input-options.js';
import { listenForInterruption } from '../interruption.js';
import { endOptions, RUN_OPTIONS, type RunArguments } from '../run-options.js';

interface OwnArguments {
  readonly monitoring: number;
  readonly sandbox: boolean;
  readonly 'state-dir': string;
  readonly 'batch-size': number | undefined;
  readonly 'batch-bytes': number | undefined;
  readonly concurrency: string | undefined;
}

type ImportArguments = OwnArguments & ConnectionArguments & RunArguments & InputArguments;

const IMPORT_OPTIONS: Readonly<Record<keyof OwnArguments, Options>> = {
  monitoring: {
    type: 'number',
    demandOption: true,
    requiresArg: true,
    describe: 'Id of the monitoring that takes the documents',
  },
  sandbox: {
    type: 'boolean',
    default: false,
    describe: 'Import into an embedded sandbox: no service, no credentials',
  },
  'state-dir': {
    type: 'string',
    requiresArg: true,
    default: '.docferry',
    describe: 'Where docferry keeps what it must remember, the sandbox among it',
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
export function importCommand(
  finish: (status: number) => void,
): CommandModule<object, ImportArguments> {
  return {
    command: 'import <input..>',
    describe: 'Import records: read, map, validate, post, report',
    builder: (argv) =>
      withInputs(argv)
        .options(IMPORT_OPTIONS)
        .options(CONNECTION_OPTIONS)
        .options(RUN_OPTIONS)
        .group(Object.keys(CONNECTION_OPTIONS), 'Service:') as Argv<ImportArguments>,
    handler: async (args) => finish(await runImport(args)),
  };
}

async function runImport(args: ImportArguments): Promise<number> {
  const { importDocuments } = await import('../../import-documents.js');
  const { showRun } = await import('../show-run.js');
  const sandbox = await sandboxFor(args);
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
  try {
    sandbox?.ensureMonitoring(args.monitoring);
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
    if (sandbox !== undefined && !args.quiet && !args.json) sayWhere(args['state-dir']);
    return status;
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

/** The embedded sandbox keeps its documents, so that `docferry sandbox` can show them afterwards. */
async function sandboxFor(args: ImportArguments): Promise<(Sandbox & Connection) | undefined> {
  if (!args.sandbox) return undefined;
  const given = Object.keys(CONNECTION_OPTIONS).filter(
    (name) => name !== 'timeout' && args[name as keyof ImportArguments] !== undefined,
  );
  if (given.length > 0) {
    throw new OptionError(`--sandbox needs no connection: leave out --${given.join(', --')}.`);
  }
  const { startSandbox } = await import('../../sandbox/index.js');
  return await startSandbox({ data: join(args['state-dir'], 'sandbox') });
}

function sayWhere(stateDir: string): void {
  const data = join(stateDir, 'sandbox');
  process.stderr.write(`The documents are kept: \`docferry sandbox --data ${data}\` shows them.\n`);
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
