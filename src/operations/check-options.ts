/** Turns checked options into what the stages take, with defaults filled in. */
import type { BatchLimits } from '../delivery/batches.js';
import type { OnUnknown } from '../delivery/context.js';
import type { PacingSettings } from '../delivery/pacing/pacing.js';
import type { ReconciliationSettings } from '../delivery/reconciliation/decision.js';
import { LIMIT_OPTIONS } from '../input/limits.js';
import { OptionError } from '../model/errors.js';
import { checkOption, checkOptionTable } from '../model/options.js';
import type { ErrorLimit } from '../outcomes/stop-conditions.js';
import { IMPORT_OPTIONS } from './option-table.js';
import type { ImportOptions, ValidateOptions } from './options.js';

/** How fast to send, and how much to put up with. */
export interface SendingSettings extends PacingSettings {
  readonly throttleStatuses: readonly number[];
}

/** All that it takes to send. */
export interface SendingOptions {
  readonly batches: BatchLimits;
  readonly delivery: SendingSettings;
  readonly onUnknown: OnUnknown;
  readonly refusals: 'atomic' | 'partial';
  readonly reconciliation: ReconciliationSettings;
  readonly retryRejected: boolean;
  /** How long the service may be down when the run begins, in milliseconds. */
  readonly maxOutageAtStartMs: number;
  /** Most connections at a time. */
  readonly connections: number;
}

/** `auto` never makes more requests at a time. */
const MAX_AUTO_CONNECTIONS = 32;

/**
 * Checks the options of an import or a validation: a validation may be given those of an import.
 * @param of the function whose options they are
 * @throws OptionError
 */
export function checkRunOptions(options: object, of: string): void {
  checkOptionTable(options, IMPORT_OPTIONS, of);
  const { concurrency, throttleStatuses, maxErrors } = options as Partial<ImportOptions>;
  if (concurrency !== undefined && concurrency !== 'auto') {
    checkOption('concurrency', concurrency, { type: 'integer', min: 1, max: 256 });
  }
  for (const status of throttleStatuses ?? []) {
    checkOption('throttleStatuses', status, { type: 'integer', min: 400, max: 599 });
  }
  errorLimit(maxErrors);
}

/**
 * Checks the options of a run that nothing outlives, as it has neither a folder nor a database.
 * @throws OptionError for one that has no effect then
 */
export function checkStateless(options: ImportOptions): void {
  const names = ['resume', 'retryRejected', 'inputKey', 'lockTimeoutMs'] as const;
  const given = names.find((name) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  throw new OptionError(`${given} has no effect without a state: give stateDir, or state.`);
}

/**
 * The settings with which an import sends.
 * @throws OptionError if two options contradict each other
 */
export function sendingOptions(options: ImportOptions): SendingOptions {
  const { onUnknown, refusals, retryRejected, maxOutageAtStartMs } = withDefaults(options);
  const delivery = deliveryOptions(options);
  const { concurrency } = delivery;
  return {
    batches: batchOptions(options),
    delivery,
    onUnknown,
    refusals,
    reconciliation: reconciliationOptions(options),
    retryRejected,
    maxOutageAtStartMs,
    connections: concurrency === 'auto' ? MAX_AUTO_CONNECTIONS : concurrency,
  };
}

type WithDefault = {
  [Name in keyof typeof IMPORT_OPTIONS]: (typeof IMPORT_OPTIONS)[Name] extends { default: unknown }
    ? Name
    : never;
}[keyof typeof IMPORT_OPTIONS];

type Complete = { readonly [Name in WithDefault]-?: NonNullable<ImportOptions[Name]> };

/** Those options that have a default, all given. */
function withDefaults(options: Partial<ImportOptions>): Complete {
  const entries = Object.entries(IMPORT_OPTIONS).flatMap(([name, entry]) =>
    'default' in entry ? [[name, options[name as WithDefault] ?? entry.default]] : [],
  );
  return Object.fromEntries(entries) as Complete;
}

/** Where a batch ends. */
export function batchOptions(options: Partial<ImportOptions>): BatchLimits {
  const { batchSize, batchBytes } = withDefaults(options);
  const { flushMs = LIMIT_OPTIONS.flushMs.default } = options.source ?? {};
  return { documents: batchSize, bytes: batchBytes, flushMs };
}

/** How batches are sent. */
function deliveryOptions(options: ImportOptions): SendingSettings {
  const { concurrency, throttleStatuses, maxOutageMs } = withDefaults(options);
  const { rate } = options;
  return {
    concurrency,
    ...(rate === undefined ? {} : { rate }),
    throttleStatuses: throttleStatuses,
    maxOutageMs,
  };
}

/** How patiently to reconcile documents whose outcome is unknown. */
export function reconciliationOptions(
  options: Pick<ImportOptions, 'quietMs' | 'lookForMs' | 'connection'>,
): ReconciliationSettings {
  const { quietMs, lookForMs } = withDefaults(options);
  const { timeoutMs = 60_000 } = options.connection;
  return { settleMs: quietMs, giveUpMs: lookForMs, timeoutMs };
}

/** How many worker threads there may be; 0: none. */
export function threadsOption(options: Pick<ValidateOptions, 'threads'>): number {
  return withDefaults(options).threads;
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
