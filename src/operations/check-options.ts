import { availableParallelism } from 'node:os';
import type { BatchLimits } from '../delivery/batching/batches.js';
import type { OnUnknown } from '../delivery/reconciliation/reconciliation.js';
import type { ReconciliationSettings } from '../delivery/reconciliation/unconfirmed-request.js';
import type { SendingSettings } from '../delivery/send-batches.js';
import { OptionError } from '../model/errors.js';
import type { ErrorLimit } from '../outcomes/stop-conditions.js';
import type { ImportOptions, ThrowOn, Unsent, ValidateOptions } from './options.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** All that it takes to send. */
export interface SendingOptions {
  readonly batches: BatchLimits;
  readonly delivery: SendingSettings;
  readonly onUnknown: OnUnknown;
  readonly refusals: 'atomic' | 'partial' | 'check';
  readonly unsent: Unsent;
  readonly leftUnconfirmed: 'leave' | 'reconcile';
  readonly reconciliation: ReconciliationSettings;
  readonly retryRejected: boolean;
  /** How long the service may be down when the run begins, in milliseconds. */
  readonly maxOutageAtStartMs: number;
  /** Most connections at a time. */
  readonly connections: number;
}

/** `auto` never makes more requests at a time. */
const MAX_AUTO_CONNECTIONS = 32;

/** Checks the options of an import, and fills in what is not given. */
export function sendingOptions(options: ImportOptions): SendingOptions {
  const { onUnknown = 'resolve', refusals = 'check', retryRejected = false } = options;
  const { leftUnconfirmed = 'leave', maxOutageAtStartMs = 0 } = options;
  const delivery = deliveryOptions(options);
  const { concurrency } = delivery;
  return {
    batches: batchOptions(options),
    delivery,
    onUnknown: oneOf('onUnknown', onUnknown, ['resolve', 'hold', 'resend']),
    refusals: oneOf('refusals', refusals, ['atomic', 'partial', 'check']),
    unsent: unsentOption(options),
    leftUnconfirmed: oneOf('leftUnconfirmed', leftUnconfirmed, ['leave', 'reconcile']),
    reconciliation: reconciliationOptions(options),
    retryRejected,
    maxOutageAtStartMs: integer('maxOutageAtStartMs', maxOutageAtStartMs, 0, 30 * DAY_MS),
    connections: concurrency === 'auto' ? MAX_AUTO_CONNECTIONS : concurrency,
  };
}

/** Where a batch ends. */
export function batchOptions({
  batchSize = 500,
  batchBytes = 1024 * 1024,
}: ValidateOptions): BatchLimits {
  return {
    documents: integer('batchSize', batchSize, 1, 1_000_000),
    bytes: integer('batchBytes', batchBytes, 1, 2 ** 30),
  };
}

/** How batches are sent. */
function deliveryOptions({
  concurrency = 'auto',
  rate,
  pressureStatuses = [429, 503],
  maxOutageMs = 30 * MINUTE_MS,
}: ImportOptions): SendingSettings {
  for (const status of pressureStatuses) integer('pressureStatuses', status, 400, 599);
  return {
    concurrency: concurrency === 'auto' ? concurrency : integer('concurrency', concurrency, 1, 256),
    ...(rate === undefined ? {} : { rate: positive('rate', rate, 1_000_000) }),
    throttleStatuses: pressureStatuses,
    maxOutageMs: integer('maxOutageMs', maxOutageMs, 0, 30 * DAY_MS),
  };
}

/** What to do about documents that the journal calls unsent. */
function unsentOption({ unsent = 'check', onUnknown = 'resolve' }: ImportOptions): Unsent {
  oneOf('unsent', unsent, ['check', 'reconcile', 'send']);
  if (unsent === 'reconcile' && onUnknown !== 'resolve') {
    throw new OptionError(
      "unsent reconcile conflicts with this onUnknown, which doesn't reconcile: leave one of them out (--unsent, --on-unknown).",
    );
  }
  return unsent;
}

/** How patiently to reconcile documents whose outcome is unknown. */
export function reconciliationOptions({
  quietMs = MINUTE_MS,
  lookForMs = 5 * MINUTE_MS,
  connection: { timeoutMs = MINUTE_MS },
}: Pick<ImportOptions, 'quietMs' | 'lookForMs' | 'connection'>): ReconciliationSettings {
  return {
    settleMs: integer('quietMs', quietMs, 0, DAY_MS),
    giveUpMs: integer('lookForMs', lookForMs, 0, DAY_MS),
    timeoutMs,
  };
}

/** The main thread, which reads and sends, can't keep more than so many busy. */
const MAX_USUAL_THREADS = 8;

/** How many worker threads there may be; 0: none. */
export function threadsOption({
  threads = Math.min(availableParallelism(), MAX_USUAL_THREADS),
}: ValidateOptions): number {
  return integer('threads', threads, 0, 256);
}

/** @throws OptionError if it is no positive integer */
export function monitoringId(monitoring: number): number {
  return integer('monitoring', monitoring, 1, Number.MAX_SAFE_INTEGER);
}

/** Reads `10` or `5%`. */
export function errorLimit(maxErrors: number | string | undefined): ErrorLimit {
  if (maxErrors === undefined) return { kind: 'never' };
  const text = String(maxErrors).trim();
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (share) {
    const percent = Number(share[1]);
    if (percent <= 100) return { kind: 'share', most: percent / 100 };
  }
  if (/^\d+$/.test(text)) return { kind: 'count', most: Number(text) };
  throw new OptionError(
    `maxErrors is "${text}"; expected a whole number such as 100, or a share such as 5%.`,
  );
}

/** When a run that has started rejects. */
export function throwOnOption({ throwOn = 'stop' }: Pick<ValidateOptions, 'throwOn'>): ThrowOn {
  return oneOf('throwOn', throwOn, ['stop', 'any', 'never']);
}

function oneOf<T extends string>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  const expected = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  throw new OptionError(`${name} is ${JSON.stringify(value)}; expected ${expected}.`);
}

function positive(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && value > 0 && value <= most) return value;
  throw new OptionError(
    `${name} is ${String(value)} (${typeof value}); expected a number above 0, at most ${most}.`,
  );
}

function integer(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw new OptionError(
    `${name} is ${String(value)} (${typeof value}); expected a whole number from ${least} to ${most}.`,
  );
}
