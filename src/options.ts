import { availableParallelism } from 'node:os';
import type { Connection } from './api/connection.js';
import { OptionError } from './errors.js';
import type { Input, SourceOptions } from './source/source.js';
import type { Profile } from './validation/compile-validation.js';

/** What checking and importing have in common: where records come from and what they become. */
export interface ValidateOptions {
  /**
   * A path, a glob, `-` for stdin, several of these; a Node or web stream of a file's bytes; or any
   * iterable or async iterable of objects.
   */
  readonly input: Input;
  /** Path of a mapping file, or its content as an object. */
  readonly mapping: string | object;
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
   * read such as `5%` (looked at from 100 records on). Default: never. Records of chunks that are
   * already under way are still counted.
   */
  readonly maxErrors?: number | string;
  /** File for records that are invalid or rejected, as they were read; the reasons stand beside it. */
  readonly rejects?: string;
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
  /** Stop reading, wait for the requests under way, and report. */
  readonly signal?: AbortSignal;
}

/** Everything about an import. */
export interface ImportOptions extends ValidateOptions {
  /** Id of the monitoring that takes the documents: a positive integer. */
  readonly monitoring: number;
  readonly connection: Connection;
  /** Most documents in a request; default 500, at least 1. The service's limit is not known. */
  readonly batchSize?: number;
  /** Most bytes in a request's body; default 1,048,576, at least 1. One larger document goes alone. */
  readonly batchBytes?: number;
  /** Requests at a time; default 4, from 1 to 256. */
  readonly concurrency?: number;
  /** Stop waiting for the requests under way: what they carry counts as unknown. */
  readonly abandonSignal?: AbortSignal;
}

/** When to stop because of errors. */
export type ErrorLimit =
  | { readonly kind: 'never' }
  | { readonly kind: 'count'; readonly most: number }
  | { readonly kind: 'share'; readonly most: number };

/** How batches are cut and sent. */
export interface DeliveryOptions {
  readonly documents: number;
  readonly bytes: number;
  readonly concurrency: number;
}

/** All defaults of delivery stand here. */
export function deliveryOptions({
  batchSize = 500,
  batchBytes = 1024 * 1024,
  concurrency = 4,
}: ImportOptions): DeliveryOptions {
  return {
    documents: integer('batchSize', batchSize, 1, 1_000_000),
    bytes: integer('batchBytes', batchBytes, 1, 2 ** 30),
    concurrency: integer('concurrency', concurrency, 1, 256),
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

function integer(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw new OptionError(
    `${name} is ${String(value)} (${typeof value}); expected a whole number from ${least} to ${most}.`,
  );
}
