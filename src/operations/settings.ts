/** Checks the options of a run, and turns them into plain values. */
import type { BatchLimits } from '../delivery/batches.js';
import type { DeliverySettings } from '../delivery/context.js';
import type { PacingSettings } from '../delivery/pacing/pacing.js';
import type { ReconciliationSettings } from '../delivery/reconciliation/request-case.js';
import { OptionError } from '../model/errors.js';
import { checkOption, checkOptionTable } from '../model/options.js';
import { typeText } from '../model/text.js';
import type { ErrorLimit } from '../outcomes/stop-conditions.js';
import { folderFault } from '../outputs/check-output.js';
import { IMPORT_OPTIONS } from './option-table.js';
import type { ImportOptions } from './options.js';

/** Options of a run as plain values, defaults filled in. A validation has those of an import, too. */
export interface RunSettings {
  /** Maximum number of worker threads; 0: none. */
  readonly threads: number;
  readonly errorLimit: ErrorLimit;
  readonly batches: BatchLimits;
  readonly pacing: PacingSettings;
  readonly delivery: Omit<DeliverySettings, 'maxIntentsAhead'>;
  readonly retryRejected: boolean;
  /** Maximum wait for the service when the run begins, in milliseconds. */
  readonly maxOutageAtStartMs: number;
  readonly connections: number;
}

/** Maximum number of connections with `concurrency: auto`. */
const MAX_AUTO_CONNECTIONS = 32;

/**
 * Checks the options of an import or a validation, which accepts those of an import.
 * @param caller name of the public function, for messages
 * @throws OptionError
 */
export function checkRunOptions(options: object, caller: string): void {
  checkOptionTable(options, IMPORT_OPTIONS, caller);
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
 * Checks where an import is remembered.
 * @throws OptionError if no place is given, two are, or the folder can't be written
 */
export function checkPlace(options: ImportOptions): void {
  const { state, stateDir } = options;
  checkOnePlace(options);
  if (stateDir === false) checkStateless(options);
  else if (state === undefined) checkStateDir(stateDir);
}

/** @throws OptionError unless it is a folder that can be written, or made */
export function checkStateDir(stateDir: string | undefined): void {
  if (typeof stateDir !== 'string' || stateDir === '') {
    const fault =
      stateDir === undefined ? 'missing' : stateDir === '' ? 'empty' : typeText(stateDir);
    throw OptionError.of(
      'stateDir',
      `is ${fault}. Name a folder: docferry remembers there what it imported, so that nothing is sent twice. With stateDir: false, it remembers nothing.`,
    );
  }
  const fault = folderFault(stateDir);
  if (fault === undefined) return;
  throw OptionError.of(
    'stateDir',
    `${stateDir} can't be written: ${fault}. Name a folder that this user can write to: without it, docferry can't know later what was sent.`,
  );
}

/** @throws OptionError for an option that has no effect without a state */
function checkStateless(options: ImportOptions): void {
  const names = ['resume', 'retryRejected', 'inputKey', 'lockTimeoutMs'] as const;
  const given = names.find((name) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  throw OptionError.of(
    given,
    `has no effect with stateDir: false, as nothing is remembered: name a folder.`,
  );
}

/** @throws OptionError if both `state` and `stateDir` are given */
export function checkOnePlace({
  state,
  stateDir,
}: Pick<ImportOptions, 'state' | 'stateDir'>): void {
  if (state === undefined || stateDir === undefined) return;
  throw new OptionError(
    'Both state and stateDir are given. A run is stored in one place, so leave one of them out.',
  );
}

/** Fills in the defaults of checked options. @throws OptionError if `maxErrors` is malformed */
export function runSettings(options: Partial<ImportOptions>): RunSettings {
  const given = withDefaults(options);
  const { concurrency, maxOutageMs, onUnknown, refusals } = given;
  const { rate, throttleStatuses } = options;
  return {
    threads: given.threads,
    errorLimit: errorLimit(options.maxErrors),
    batches: { documents: given.batchSize, bytes: given.batchBytes },
    pacing: { concurrency, maxOutageMs, rate },
    delivery: {
      throttleStatuses,
      maxOutageMs,
      onUnknown,
      refusals,
      reconciliation: { ...reconciliationSettings(options), maxOutageMs },
    },
    retryRejected: given.retryRejected,
    maxOutageAtStartMs: given.maxOutageAtStartMs,
    connections: concurrency === 'auto' ? MAX_AUTO_CONNECTIONS : concurrency,
  };
}

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

function withDefaults(options: Partial<ImportOptions>): Complete {
  const entries = Object.entries(IMPORT_OPTIONS).flatMap(([name, entry]) =>
    'default' in entry ? [[name, options[name as WithDefault] ?? entry.default]] : [],
  );
  return Object.fromEntries(entries) as Complete;
}

/** Parses `10` or `5%`. @throws OptionError */
export function errorLimit(maxErrors: number | string | undefined): ErrorLimit {
  if (maxErrors === undefined) return { kind: 'never' };
  const text = String(maxErrors).trim();
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (share) {
    const percent = Number(share[1]);
    if (percent <= 100) return { kind: 'share', most: percent / 100 };
  }
  if (/^\d+$/.test(text)) return { kind: 'count', most: Number(text) };
  throw OptionError.of(
    'maxErrors',
    `is "${text}"; expected a whole number, for example 100, or a share, for example 5%.`,
  );
}
