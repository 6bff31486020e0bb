/** Checks the options of a run, and turns them into plain values. */
import type { BatchLimits } from '../delivery/batches.js';
import type { DeliverySettings } from '../delivery/context.js';
import type { PacingSettings } from '../delivery/pacing/pacing.js';
import type { ReconciliationSettings } from '../delivery/reconciliation/decision.js';
import { OptionError } from '../model/errors.js';
import { checkOption, checkOptionTable } from '../model/options.js';
import type { ErrorLimit } from '../outcomes/stop-conditions.js';
import { IMPORT_OPTIONS } from './option-table.js';
import type { ImportOptions } from './options.js';

/** The options of a run as plain values, with defaults filled in. A validation has those of an import. */
export interface RunSettings {
  /** Most worker threads; 0: none. */
  readonly threads: number;
  readonly errorLimit: ErrorLimit;
  readonly batches: BatchLimits;
  readonly pacing: PacingSettings;
  readonly delivery: Omit<DeliverySettings, 'ahead'>;
  /** Whether documents that the service refused are to be sent once more. */
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

/** @throws OptionError for a run that would be kept in two places */
export function checkOnePlace({ state, stateDir }: ImportOptions): void {
  if (state === undefined || stateDir === undefined) return;
  throw new OptionError(
    'Both state and stateDir are given: a run is kept in one place, so leave one of them out.',
  );
}

/** Fills in the defaults of options that were checked. @throws OptionError if `maxErrors` can't be read */
export function runSettings(options: Partial<ImportOptions>): RunSettings {
  const given = withDefaults(options);
  const { concurrency, maxOutageMs, throttleStatuses, onUnknown, refusals } = given;
  const { rate } = options;
  return {
    threads: given.threads,
    errorLimit: errorLimit(options.maxErrors),
    batches: { documents: given.batchSize, bytes: given.batchBytes },
    pacing: { concurrency, maxOutageMs, rate },
    delivery: {
      ...{ throttleStatuses, maxOutageMs, onUnknown, refusals },
      reconciliation: { ...reconciliationSettings(options), maxOutageMs },
    },
    retryRejected: given.retryRejected,
    maxOutageAtStartMs: given.maxOutageAtStartMs,
    connections: concurrency === 'auto' ? MAX_AUTO_CONNECTIONS : concurrency,
  };
}

/** How patiently to reconcile documents whose outcome is unknown. */
export function reconciliationSettings(
  options: Partial<Pick<ImportOptions, 'quietMs' | 'lookForMs' | 'connection'>>,
): ReconciliationSettings {
  const { quietMs, lookForMs } = withDefaults(options);
  const timeoutMs = options.connection?.timeoutMs ?? 60_000;
  return { settleMs: quietMs, giveUpMs: lookForMs, timeoutMs };
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
