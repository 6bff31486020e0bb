import type { InferredOptionTypes } from 'yargs';
import { OptionError } from '../../model/errors.js';
import { type Command, defineCommand } from '../command.js';
import { connectionOf, SERVICE_OPTIONS, sharedState } from '../options/connection.js';
import { RUN_OPTIONS } from '../options/run.js';
import { given } from '../options/values.js';
import { say } from '../print.js';
import { listenForInterruption } from '../runs/interruption.js';

const { sandbox: _, 'state-dir': __, state, ...CONNECTION } = SERVICE_OPTIONS;

const WORKER_OPTIONS = {
  ...CONNECTION,
  state: { ...state, describe: 'Postgres database that workers share (or DOCFERRY_STATE)' },
  root: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Where a folder of the machine that imports lies here: /data=/mnt/data',
  },
  'until-done': {
    type: 'string',
    requiresArg: true,
    describe: 'Work on this run only, and end when it has',
  },
  threads: RUN_OPTIONS.threads,
} as const;

type WorkerArguments = InferredOptionTypes<typeof WORKER_OPTIONS>;

/** `docferry worker`: takes part in imports until Ctrl-C. */
export const WORKER: Command = defineCommand((argv) => argv.options(WORKER_OPTIONS), runWorker);

async function runWorker(args: WorkerArguments): Promise<number> {
  const address = sharedState(args);
  if (address === undefined) {
    throw new OptionError(
      'A worker needs the address of the shared state: give --state postgres://USER:PASSWORD@HOST:PORT/DATABASE, or set DOCFERRY_STATE.',
    );
  }
  const { shownState } = await import('../../operations/state-place.js');
  const { startWorker } = await import('../../operations/cluster/start-worker.js');
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`), {
    isShared: true,
  });
  try {
    say(`Takes part in imports of ${shownState(address)}. Ctrl-C ends it.`);
    await startWorker({
      ...given({ threads: args.threads, untilDone: args['until-done'] }),
      state: address,
      connection: connectionOf(args, process.env),
      roots: Object.fromEntries((args.root ?? []).map(rootOf)),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      onNotice: say,
    });
    return 0;
  } finally {
    interruption.dispose();
  }
}

/** @throws OptionError */
function rootOf(text: string): readonly [string, string] {
  const [there, here, ...more] = text.split('=');
  if (there && here && more.length === 0) return [there, here];
  throw new OptionError(
    `--root is ${JSON.stringify(text)}; expected a folder there and one here, such as /data=/mnt/data.`,
  );
}
