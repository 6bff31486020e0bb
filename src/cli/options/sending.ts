import type { InferredOptionTypes } from 'yargs';
import { OptionError } from '../../model/errors.js';
import type { ImportOptions } from '../../operations/options.js';
import { given } from './values.js';

/** Options that say how many documents go into a request. */
export const BATCH_OPTIONS = {
  'batch-size': {
    type: 'number',
    requiresArg: true,
    describe: 'Documents per request (default 500)',
  },
  'batch-bytes': {
    type: 'number',
    requiresArg: true,
    describe: 'Bytes per request (default 1048576)',
  },
} as const;

/** The parsed form of {@link BATCH_OPTIONS}. */
export type BatchArguments = InferredOptionTypes<typeof BATCH_OPTIONS>;

/** Options that say how documents are sent, and what is made of what goes wrong with that. */
export const SENDING_OPTIONS = {
  concurrency: {
    type: 'string',
    requiresArg: true,
    describe: 'Requests in flight, or auto (default): as many as the service handles well',
  },
  rate: { type: 'number', requiresArg: true, describe: 'Maximum requests per second' },
  'pressure-status': {
    type: 'string',
    requiresArg: true,
    describe: 'Statuses that mean the service is throttling (default 429,503)',
  },
  'max-outage': {
    type: 'number',
    requiresArg: true,
    describe: 'Seconds that the service may be down before the run stops (default 1800)',
  },
  'on-unknown': {
    choices: ['resolve', 'hold', 'resend'],
    requiresArg: true,
    describe:
      'Unconfirmed documents: reconcile them and send what is missing (default), leave them unknown, or send them again',
  },
  refusals: {
    choices: ['atomic', 'partial', 'check'],
    requiresArg: true,
    describe:
      'What a refused batch means: nothing of it was taken, part of it may have been, or find out (default)',
  },
  unsent: {
    choices: ['check', 'reconcile', 'send'],
    requiresArg: true,
    describe:
      'Documents that the journal lists as unsent: reconcile the first ones when a run is resumed, and stop if any is there (default), reconcile all and send what is missing, or send them',
  },
  'left-unconfirmed': {
    choices: ['leave', 'reconcile'],
    requiresArg: true,
    describe:
      'Documents that an earlier run, which has ended, left unconfirmed: leave them unknown (default), or reconcile them and send what is missing',
  },
  'settle-time': {
    type: 'number',
    requiresArg: true,
    describe:
      'Settle time in seconds: a document that does not show after two of these is missing (default 60)',
  },
  // What --settle-time was called.
  'quiet-time': { type: 'number', requiresArg: true, hidden: true },
  'skip-known': {
    type: 'boolean',
    default: true,
    describe: 'Leave out what earlier runs imported',
  },
  ledger: { type: 'boolean', default: true, describe: 'Remember what is imported, for later runs' },
} as const;

/** The parsed form of both. */
export type SendingArguments = BatchArguments & InferredOptionTypes<typeof SENDING_OPTIONS>;

/** What the flags say about the size of requests, as library options. */
export function batchOptions(args: BatchArguments): Partial<ImportOptions> {
  return given({ batchSize: args['batch-size'], batchBytes: args['batch-bytes'] });
}

/** What the flags say about sending, as library options. */
export function sendingOptions(args: SendingArguments): Partial<ImportOptions> {
  const { concurrency, rate, refusals, unsent } = args;
  return {
    ...batchOptions(args),
    ...given({
      ...{ rate, refusals, unsent },
      concurrency: concurrency === undefined ? undefined : places(concurrency),
      pressureStatuses: statuses(args['pressure-status']),
      maxOutageMs: milliseconds(args['max-outage']),
      onUnknown: args['on-unknown'],
      leftUnconfirmed: args['left-unconfirmed'],
      quietMs: settleMs(args),
      skipKnown: args['skip-known'] ? undefined : false,
      ledger: args.ledger ? undefined : false,
    }),
  };
}

function places(concurrency: string): number | 'auto' {
  if (concurrency === 'auto') return concurrency;
  const number = Number(concurrency);
  if (Number.isInteger(number)) return number;
  throw new OptionError(`--concurrency is "${concurrency}"; expected a whole number, or auto.`);
}

function statuses(text: string | undefined): readonly number[] | undefined {
  return text?.split(',').map((status) => {
    if (/^\s*\d{3}\s*$/.test(status)) return Number(status);
    throw new OptionError(
      `--pressure-status is "${text}"; expected statuses parted by commas, such as 429,503.`,
    );
  });
}

/** The settle time, in milliseconds. */
export function settleMs(
  args: Partial<Pick<SendingArguments, 'settle-time' | 'quiet-time'>>,
): number | undefined {
  return milliseconds(args['settle-time'] ?? args['quiet-time']);
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
