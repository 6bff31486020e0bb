import { availableParallelism } from 'node:os';
import type { Connection } from '../api/connection.js';
import type { BatchLimits } from '../delivery/batching/batches.js';
import type { OnUnknown } from '../delivery/reconciliation/reconciliation.js';
import type { ReconciliationSettings } from '../delivery/reconciliation/unconfirmed-request.js';
import type { SendingSettings } from '../delivery/send-batches.js';
import type { SourceOptions } from '../formats/options.js';
import type { WrittenMapping } from '../mapping/mapping.js';
import { OptionError } from '../model/errors.js';
import type { Input } from '../model/source.js';
import type { MakeDocument } from '../transform/made-documents.js';
import type { Profile } from '../validation/compile-validation.js';

export { FORMAT_NAMES, formatOf } from '../formats/formats.js';
export type { InputOptions, SourceOptions } from '../formats/options.js';

/** What checking and importing have in common: where records come from and what they become. */
export interface ValidateOptions {
  /**
   * A path, a glob, `-` for stdin, several of these; a Node or web stream of a file's bytes; or any
   * iterable or async iterable of objects.
   */
  readonly input: Input;
  /**
   * Path of a mapping file, or its content as an object; or a function that makes the document of a
   * record (an object by column or key) and gives `undefined` to skip it; or `documents`: the
   * records are documents.
   */
  readonly mapping: string | WrittenMapping | object | MakeDocument;
  /** How to read the input, where detection or the mapping's `input` is not to decide. */
  readonly source?: SourceOptions;
  /** Which fields a document must have; default: the mapping's `profile`, else `complete`. */
  readonly profile?: Profile;
  /** Your own JSON Schema (2020-12) for documents instead of a profile: a path or an object. */
  readonly schema?: string | object;
  /** When the export was taken, for relative dates; overrides the mapping's `asOf`. ISO 8601. */
  readonly asOf?: string;
  /**
   * Stop once more records than this are invalid or rejected: a number, or a share of the records
   * read such as `5%` (looked at from 1,000 records on). Default: never. Records of chunks that are
   * already under way are still counted.
   */
  readonly maxErrors?: number | string;
  /**
   * File for records that are invalid or rejected, as they were read; the reasons stand beside it.
   * `{run}` in it becomes the run's id. One that is there is replaced only by the run that made it.
   */
  readonly rejects?: string;
  /** File for the report, as JSON. The same holds for it. */
  readonly reportFile?: string;
  /** Replace `rejects` and `reportFile` whoever made them; default `false`. */
  readonly force?: boolean;
  /**
   * Worker threads that map and validate; default: as many as the machine has processors, at most
   * 8. Inputs below 8 MiB and objects do without; 0: none.
   */
  readonly threads?: number;
  /**
   * Most bytes of memory for telling repeated sourceIds; default 268,435,456 (256 MiB, enough for
   * some 12 million records), at least 1,048,576. What needs more goes to a temporary file.
   */
  readonly rememberBytes?: number;
  /**
   * Go on although an input no longer looks as the mapping's `expects` says; default `false`. What
   * has changed stands in the notices.
   */
  readonly acceptDrift?: boolean;
  /**
   * Most documents in a request; default 500, at least 1. The service's limit is not known. A
   * validation says how many requests there would be.
   */
  readonly batchSize?: number;
  /** Most bytes in a request's body; default 1,048,576, at least 1. One larger document goes alone. */
  readonly batchBytes?: number;
  /** Whether the records of `outcome` events carry the record itself; default `false`. */
  readonly withRecords?: boolean;
  /** Stop reading, wait for the requests under way, and report. */
  readonly signal?: AbortSignal;
  /**
   * When a run that has started rejects, with a `RunFailedError` that carries its report: if it
   * ended early for whatever reason (`stop`, the default; exit codes 3, 4 and 130); also if some
   * record is invalid, rejected or unknown (`any`; every exit code but 0); or `never`.
   */
  readonly throwOn?: ThrowOn;
}

/** When a run that has started rejects: see {@link ValidateOptions.throwOn}. */
export type ThrowOn = 'stop' | 'any' | 'never';

const THROW_ON: readonly unknown[] = ['stop', 'any', 'never'];

/** @throws OptionError if it is none of the three */
export function throwOnOption({ throwOn = 'stop' }: Pick<ValidateOptions, 'throwOn'>): ThrowOn {
  if (THROW_ON.includes(throwOn)) return throwOn;
  throw new OptionError(`throwOn is ${JSON.stringify(throwOn)}; expected stop, any or never.`);
}

/** Everything about an import. */
export interface ImportOptions extends ValidateOptions {
  /** Id of the monitoring that takes the documents: a positive integer. */
  readonly monitoring: number;
  readonly connection: Connection;
  /** Requests at a time, from 1 to 256; default `auto`: as many as the service takes well, at most 32. */
  readonly concurrency?: number | 'auto';
  /** Most requests a second, above 0; default: no bound. */
  readonly rate?: number;
  /** Statuses that mean "slow down"; default 429 and 503. */
  readonly pressureStatuses?: readonly number[];
  /** How long the service may be down before the run stops, in milliseconds; default 30 minutes. */
  readonly maxOutageMs?: number;
  /**
   * What to do about documents whose fate is unknown: look for them and send again only what is
   * missing (`resolve`, the default), leave them (`hold`), or send them again at once, at the risk
   * of having them twice (`resend`).
   */
  readonly onUnknown?: OnUnknown;
  /**
   * What it means that the service refuses a batch of several documents: it took none of them
   * (`atomic`), or perhaps some (`partial`: they are looked for each time). Default `check`: find
   * out, by looking for the first that are refused before anything of them is sent again.
   */
  readonly refusals?: 'atomic' | 'partial' | 'check';
  /**
   * What to do about documents that the journal calls unsent: look for the first ones, when a run
   * goes on or an earlier one to the same monitoring was left undone, and stop if the service has any
   * (`check`, the default); look for all of them and send what is missing (`reconcile`); or send
   * them (`send`).
   */
  readonly unsent?: Unsent;
  /**
   * The quiet time, in milliseconds: what doesn't show two of them after a request is believed to be
   * missing. At least the connection's timeout; default 60,000.
   */
  readonly quietMs?: number;
  /** How long to go on looking after that, in milliseconds; default 300,000. */
  readonly lookForMs?: number;
  /**
   * Folder for the journal, without which a run can't go on after its process has ended, and the
   * ledger, without which it can't be told what earlier runs imported. Default: none.
   */
  readonly stateDir?: string;
  /**
   * Go on with an earlier run: its id; or `true` for the latest unfinished one of the same inputs,
   * mapping and target, and a new run if there is none.
   */
  readonly resume?: string | boolean;
  /** Send what the service refused once more, when a run goes on; default `false`. */
  readonly retryRejected?: boolean;
  /** Remember what is imported for later runs, and leave out what they imported; default `true`. */
  readonly ledger?: boolean;
  /** Leave out what earlier runs imported; default `true`. */
  readonly skipKnown?: boolean;
  /**
   * Says that a stream or iterable under this key gives the same records in the same order each
   * time: without it, a run over it can't go on later.
   */
  readonly inputKey?: string;
  /**
   * Says that a function given as `mapping` makes the same documents as long as this key is the
   * same: without it, a run over it can't be resumed.
   */
  readonly mappingKey?: string;
  /** Name under which the service is remembered, if its address changes; default: the base URL. */
  readonly service?: string;
  /** Stop waiting for the requests under way: what they carry counts as unknown. */
  readonly abandonSignal?: AbortSignal;
}

export type { OnUnknown };

/** What to do about documents of which the journal says that they were never sent. */
export type Unsent =
  /** Look for the first ones, where there was an earlier process, and stop if any is there. */
  | 'check'
  /** Look for all of them, and send what is missing. */
  | 'reconcile'
  /** Send them. */
  | 'send';

/** When to stop because of errors. */
export type ErrorLimit =
  | { readonly kind: 'never' }
  | { readonly kind: 'count'; readonly most: number }
  | { readonly kind: 'share'; readonly most: number };

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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

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

const ON_UNKNOWN: readonly unknown[] = ['resolve', 'hold', 'resend'];

/** What to do about documents whose fate is unknown. */
function onUnknownOption({ onUnknown = 'resolve' }: Pick<ImportOptions, 'onUnknown'>): OnUnknown {
  if (ON_UNKNOWN.includes(onUnknown)) return onUnknown;
  throw new OptionError(
    `onUnknown is ${JSON.stringify(onUnknown)}; expected resolve, hold or resend.`,
  );
}

const REFUSALS: readonly unknown[] = ['atomic', 'partial', 'check'];

/** What refusals of several documents mean, or that it is to be found out. */
function refusalsOption({
  refusals = 'check',
}: Pick<ImportOptions, 'refusals'>): 'atomic' | 'partial' | 'check' {
  if (REFUSALS.includes(refusals)) return refusals;
  throw new OptionError(
    `refusals is ${JSON.stringify(refusals)}; expected atomic, partial or check.`,
  );
}

const UNSENT: readonly unknown[] = ['check', 'reconcile', 'send'];

/** What to do about documents that the journal calls unsent. */
function unsentOption({ unsent = 'check', onUnknown }: ImportOptions): Unsent {
  if (!UNSENT.includes(unsent)) {
    throw new OptionError(
      `unsent is ${JSON.stringify(unsent)}; expected check, reconcile or send.`,
    );
  }
  if (unsent === 'reconcile' && (onUnknown ?? 'resolve') !== 'resolve') {
    throw new OptionError(
      'unsent reconcile looks for every document, and onUnknown says not to look: leave one of them out (--unsent, --on-unknown).',
    );
  }
  return unsent;
}

/** All that it takes to send. */
export interface SendingOptions {
  readonly batches: BatchLimits;
  readonly delivery: SendingSettings;
  readonly onUnknown: OnUnknown;
  readonly refusals: 'atomic' | 'partial' | 'check';
  readonly unsent: Unsent;
  readonly reconciliation: ReconciliationSettings;
  readonly retryRejected: boolean;
  /** Most connections at a time. */
  readonly connections: number;
}

/** `auto` never makes more requests at a time. */
const MOST_AUTO_CONNECTIONS = 32;

/** Checks the options of an import, and fills in what is not given. */
export function sendingOptions(options: ImportOptions): SendingOptions {
  const delivery = deliveryOptions(options);
  const { concurrency } = delivery;
  return {
    batches: batchOptions(options),
    delivery,
    onUnknown: onUnknownOption(options),
    refusals: refusalsOption(options),
    unsent: unsentOption(options),
    reconciliation: reconciliationOptions(options),
    retryRejected: options.retryRejected ?? false,
    connections: concurrency === 'auto' ? MOST_AUTO_CONNECTIONS : concurrency,
  };
}

/** How patiently to look for documents whose fate is unknown. */
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
const MOST_USUAL_THREADS = 8;

/** How many worker threads there may be; 0: none. */
export function threadsOption({
  threads = Math.min(availableParallelism(), MOST_USUAL_THREADS),
}: ValidateOptions): number {
  return integer('threads', threads, 0, 256);
}

/** How much memory the ids that were seen may take. */
export function rememberOption({ rememberBytes = 256 * 2 ** 20 }: ValidateOptions): number {
  return integer('rememberBytes', rememberBytes, 2 ** 20, 2 ** 36);
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
