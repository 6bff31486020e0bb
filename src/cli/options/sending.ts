import type { Options } from 'yargs';
import { OptionError } from '../../model/errors.js';
import type { ImportOptions } from '../../operations/options.js';

/** The parsed form of {@link SENDING_OPTIONS}. */
export interface SendingArguments {
  readonly 'batch-size': number | undefined;
  readonly 'batch-bytes': number | undefined;
  readonly concurrency: string | undefined;
  readonly rate: number | undefined;
  readonly 'pressure-status': string | undefined;
  readonly 'max-outage': number | undefined;
  readonly 'on-unknown': 'resolve' | 'hold' | 'resend' | undefined;
  readonly refusals: 'atomic' | 'partial' | 'check' | undefined;
  readonly unsent: 'check' | 'reconcile' | 'send' | undefined;
  readonly 'quiet-time': number | undefined;
  readonly 'skip-known': boolean;
  readonly ledger: boolean;
}

/** The parsed form of {@link BATCH_OPTIONS}. */
export type BatchArguments = Pick<SendingArguments, 'batch-size' | 'batch-bytes'>;

/** Options that say how many documents go into a request. */
export const BATCH_OPTIONS: Readonly<Record<keyof BatchArguments, Options>> = {
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
};

/** Options that say how documents are sent, and what is made of what goes wrong with that. */
export const SENDING_OPTIONS: Readonly<Record<keyof SendingArguments, Options>> = {
  ...BATCH_OPTIONS,
  concurrency: {
    type: 'string',
    requiresArg: true,
    describe: 'Requests at a time, or auto (default): as many as the service takes well',
  },
  rate: { type: 'number', requiresArg: true, describe: 'Most requests a second' },
  'pressure-status': {
    type: 'string',
    requiresArg: true,
    describe: 'Statuses that mean "slow down" (default 429,503)',
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
      'When a request may or may not have arrived: look for its documents and send what is missing (default), leave them, or send them again',
  },
  refusals: {
    choices: ['atomic', 'partial', 'check'],
    requiresArg: true,
    describe:
      'What a refused batch means: nothing of it was taken, some of it may have been, or find out (default)',
  },
  unsent: {
    choices: ['check', 'reconcile', 'send'],
    requiresArg: true,
    describe:
      'Documents that the journal calls unsent: look for the first when a run is resumed, and stop if any is there (default), look for all and send what is missing, or send them',
  },
  'quiet-time': {
    type: 'number',
    requiresArg: true,
    describe: 'Seconds; what does not show after two of these is taken to be missing (default 60)',
  },
  'skip-known': {
    type: 'boolean',
    default: true,
    describe: 'Leave out what earlier runs imported',
  },
  ledger: { type: 'boolean', default: true, describe: 'Remember what is imported, for later runs' },
};

/** What the flags say about the size of requests, as library options. */
export function batchOptions(
  args: BatchArguments,
): Pick<ImportOptions, 'batchSize' | 'batchBytes'> {
  return {
    ...given('batchSize', args['batch-size']),
    ...given('batchBytes', args['batch-bytes']),
  };
}

/** What the flags say about sending, as library options. */
export function sendingOptions(
  args: SendingArguments,
): Pick<
  ImportOptions,
  | 'batchSize'
  | 'batchBytes'
  | 'concurrency'
  | 'rate'
  | 'pressureStatuses'
  | 'maxOutageMs'
  | 'onUnknown'
  | 'refusals'
  | 'unsent'
  | 'quietMs'
  | 'skipKnown'
  | 'ledger'
> {
  const { concurrency, rate } = args;
  return {
    ...batchOptions(args),
    ...given('concurrency', concurrency === undefined ? undefined : places(concurrency)),
    ...given('rate', rate),
    ...given('pressureStatuses', statuses(args['pressure-status'])),
    ...given('maxOutageMs', milliseconds(args['max-outage'])),
    ...given('onUnknown', args['on-unknown']),
    ...given('refusals', args.refusals),
    ...given('unsent', args.unsent),
    ...given('quietMs', milliseconds(args['quiet-time'])),
    ...(args['skip-known'] ? {} : { skipKnown: false }),
    ...(args.ledger ? {} : { ledger: false }),
  };
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]?: Value });
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

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
