import { OptionError } from '../../model/errors.js';
import { type OptionTable, omitUndefined, option } from '../../model/options.js';
import { VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { type Command, defineCommand } from '../command.js';
import {
  CONNECTION_OPTIONS,
  readConnection,
  STATE_OPTIONS,
  sharedState,
} from '../options/connection.js';
import type { OptionValues } from '../options/flags.js';
import { log } from '../print.js';
import { listenForInterruption } from '../runs/interruption.js';

const WORKER_OPTIONS = {
  ...CONNECTION_OPTIONS,
  state: {
    ...STATE_OPTIONS.state,
    help: 'Postgres database that workers share',
  },
  untilDone: option.text('until-done', 'Process this run only, and exit when it ends'),
  threads: VALIDATE_OPTIONS.threads,
} as const satisfies OptionTable;

export const WORKER: Command = defineCommand({
  usage: 'worker',
  describe: 'Process imports of a shared state until Ctrl-C',
  options: WORKER_OPTIONS,
  examples: ['worker --api-key-file key.txt', 'worker --until-done RUN --threads 1'],
  run: runWorker,
});

async function runWorker(args: OptionValues<typeof WORKER_OPTIONS>): Promise<number> {
  const address = sharedState(args);
  if (address === undefined) {
    throw new OptionError(
      'A worker needs the address of the shared state: give --state postgres://USER:PASSWORD@HOST:PORT/DATABASE, or set DOCFERRY_STATE.',
    );
  }
  const { shownState } = await import('../../operations/options.js');
  const { startWorker } = await import('../../cluster/cluster.js');
  const interruption = listenForInterruption(true);
  try {
    log(`Working on imports in ${shownState(address)}. Ctrl-C stops this worker.`);
    await startWorker({
      ...omitUndefined({ threads: args.threads, untilDone: args.untilDone }),
      state: address,
      connection: readConnection(args, process.env),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      onNotice: log,
    });
    return 0;
  } finally {
    interruption.dispose();
  }
}
