import type { Connection } from '../api/transport/connection.js';
import type { OnUnknown } from '../delivery/context.js';
import type { SourceOptions } from '../formats/options.js';
import type { WrittenMapping } from '../mapping/mapping.js';
import type { Input } from '../model/source.js';
import { isShared, readAddress } from '../runs/state-address.js';
import type { MakeDocument } from '../transform/custom-mapper.js';
import type { Profile } from '../validation/schemas.js';

export {
  FORMAT_NAMES,
  type InputOptions,
  SOURCE_OPTIONS,
  type SourceOptions,
} from '../formats/options.js';
export { isShared, readAddress } from '../runs/state-address.js';
export { shardOf } from '../runs/store.js';

/**
 * @typeParam Row a record, for a `mapping` function: fields by column or key, or the program's objects
 */
// biome-ignore lint/suspicious/noExplicitAny: a file's records have any fields.
export interface ValidateOptions<Row = any> {
  /**
   * A path, a glob, `-` for stdin, several of these; a Node or web stream of a file's bytes; or any
   * iterable or async iterable of objects.
   */
  readonly input: Input;
  /**
   * Path of a mapping file, or its content as an object; or a function that turns a record (an object
   * by column or key) into a document, or returns `undefined` to skip it; or `documents` if the
   * records are documents already.
   */
  readonly mapping: string | WrittenMapping | MakeDocument<Row>;
  /** Options for reading the input; override detection and the mapping's `input`. */
  readonly source?: SourceOptions;
  /** Selects the required fields; default: the mapping's `profile`, else `complete`. */
  readonly profile?: Profile;
  /** Your own JSON Schema (2020-12) for documents instead of a profile: a path or an object. */
  readonly schema?: string | object;
  /** Moment of the export, for relative dates; overrides the mapping's `asOf`. ISO 8601. */
  readonly asOf?: string;
  /**
   * Stop once more records than this are invalid or rejected: a number, or a share of the records
   * read, for example `5%` (checked from 100 records on). Default: never. Records of chunks that are
   * already in flight are still counted.
   */
  readonly maxErrors?: number | string;
  /**
   * File for records that are invalid or rejected, as they were read; a second file next to it has
   * the reasons. `{run}` is replaced by the run's id. An existing file is refused, unless
   * this run is resumed and wrote it; see `overwrite`.
   */
  readonly rejects?: string;
  /** File for the report as JSON; `{run}` as for `rejects`. An existing file is replaced. */
  readonly reportFile?: string;
  /** File for the report as an HTML page; `{run}` and existing files as for `reportFile`. */
  readonly htmlFile?: string;
  /** Whether that page may quote values of single records; default `true`. */
  readonly quotes?: boolean;
  /**
   * File to which the run's events are appended as they happen, one JSON object per line, described
   * by `schemas/event.schema.json`. `{run}` is replaced by the run's id.
   */
  readonly eventsFile?: string;
  /** Replace `rejects` if the file exists; default `false`. */
  readonly overwrite?: boolean;
  /**
   * Worker threads that map and validate; default: one per processor, at most 8. 0: none. Inputs
   * below 8 MiB and objects use none.
   */
  readonly threads?: number;
  /**
   * Continue even if an input no longer looks like the mapping's `expects`; default `false`. The notices
   * list the differences.
   */
  readonly acceptDrift?: boolean;
  /** Refuse a mapping that leaves questions open (TODO comments); default `false`: they are a notice. */
  readonly strict?: boolean;
  /** Whether `outcome` events include the records and their documents; default `false`. */
  readonly withRecords?: boolean;
  /** Stops reading, waits for the requests in flight, and reports. */
  readonly signal?: AbortSignal;
  /**
   * Condition on which a run that has started rejects with a `RunFailedError`, which carries its
   * report: if it ended early (`stop`, the default; exit codes 3, 4 and 130); also if some record
   * is invalid, rejected or unknown (`any`; every exit code but 0); or `never`.
   */
  readonly throwOn?: ThrowOn;
}

/** Options that concern single records. */
export type RecordOptions = Pick<
  ValidateOptions,
  'input' | 'mapping' | 'source' | 'profile' | 'schema' | 'asOf'
>;

/** Condition on which a run that has started rejects: see {@link ValidateOptions.throwOn}. */
export type ThrowOn = 'stop' | 'any' | 'never';

/** Place where runs are remembered: a folder or `false`, or a database. One of them is required. */
export type StatePlace =
  | Required<Pick<ImportSettings, 'stateDir'>>
  | Required<Pick<ImportSettings, 'state'>>;

// biome-ignore lint/suspicious/noExplicitAny: as above.
export type ImportOptions<Row = any> = ImportSettings<Row> & StatePlace;

// biome-ignore lint/suspicious/noExplicitAny: as above.
export interface ImportSettings<Row = any> extends ValidateOptions<Row> {
  /**
   * Whether the report includes `coverage`, statistics of all columns and documents, as the report of
   * a validation does; default: only with `htmlFile`, whose page shows it.
   */
  readonly survey?: boolean;
  /** Id of the monitoring to import into: a positive integer. */
  readonly monitoring: number;
  readonly connection: Connection;
  /** Maximum number of documents in a request; default 500, at least 1. The service's limit is not known. */
  readonly batchSize?: number;
  /** Maximum size of a request's body in bytes; default 1,048,576, at least 1. A larger document is sent alone. */
  readonly batchBytes?: number;
  /** Requests in flight, from 1 to 256; default `auto`: as many as the service handles well, at most 32. */
  readonly concurrency?: number | 'auto';
  /** Maximum requests per second, at least 0.001; default: no limit. */
  readonly rate?: number;
  /**
   * Statuses that mean that nothing was stored, whatever the body; default: 429, and 503 with
   * `Retry-After` or an error object.
   */
  readonly throttleStatuses?: readonly number[];
  /** Longest outage before the run stops, in milliseconds; default 30 minutes. */
  readonly maxOutageMs?: number;
  /**
   * Maximum wait for a service that doesn't answer when the run begins, in milliseconds; default
   * 0: the run stops at once, because the address may be wrong.
   */
  readonly maxOutageAtStartMs?: number;
  /**
   * Handling of documents whose outcome is unknown: reconcile them and resend only those that
   * are missing (`resolve`, the default), or leave them unknown (`hold`).
   */
  readonly onUnknown?: OnUnknown;
  /**
   * Meaning of a refused batch of several documents: the service may have taken some of them
   * (`partial`, the default), so they are reconciled and then resent one by one; or it took none
   * (`atomic`), so they are resent in halves at once.
   */
  readonly refusals?: 'atomic' | 'partial';
  /**
   * The settle time, in milliseconds: a document that doesn't show up within two settle times after
   * its request counts as missing. At least the connection's timeout; default 60,000.
   */
  readonly quietMs?: number;
  /** Time to keep reconciling after two settle times, in milliseconds; default 300,000. */
  readonly lookForMs?: number;
  /**
   * Folder for the journal, which a run needs to be resumed after its process has ended, and for the
   * ledger, which records what earlier runs imported. `false`: nothing is remembered, and the same
   * records imported again are sent again. Required, unless `state` is given.
   */
  readonly stateDir?: string | false;
  /**
   * Maximum wait, in milliseconds, while another run imports into the same monitoring with the
   * same `stateDir`, before rejecting with a `ResumeError`. 0: not at all; default: no limit.
   */
  readonly lockTimeoutMs?: number;
  /**
   * Instead of `stateDir`, the address of a Postgres database,
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Processes on several machines can share it.
   */
  readonly state?: string;
  /**
   * Name of an import that several processes do together, each a shard of it; needs `state` and
   * `shard`. The first process with a name begins the import, the others join it.
   */
  readonly run?: string;
  /**
   * The part that this process imports: number `index`, from 1, of `count`. The parts are about
   * equally large; `mergeReports` makes one report of all.
   */
  readonly shard?: { readonly index: number; readonly count: number };
  /**
   * Resume an earlier run: its id; or `true` for the latest unfinished run of the same inputs, mapping
   * and target. If there is none, a new run begins.
   */
  readonly resume?: string | boolean;
  /** Resend rejected documents when a run is resumed; default `false`. */
  readonly retryRejected?: boolean;
  /** Skip documents that earlier runs imported; default `true`. */
  readonly skipKnown?: boolean;
  /**
   * Declares that a stream or iterable with this key yields the same records in the same order each
   * time. A run over any other can't be resumed.
   */
  readonly inputKey?: string;
  /**
   * Declares that a `mapping` function makes the same documents as long as this key is the same. A run
   * with any other function can't be resumed.
   */
  readonly mappingKey?: string;
  /** Stable name of the service in journal and ledger, in case its address changes; default: the base URL. */
  readonly service?: string;
  /** Stops waiting for the requests in flight; their documents count as unknown. */
  readonly abandonSignal?: AbortSignal;
}

export type { OnUnknown };

/** State folder or address for display, without the password. */
export function shownState(state: string): string {
  return isShared(state) ? readAddress(state).shown : state;
}

/** Options of a preview: those of a validation that concern single records, and filters. */
export interface PreviewOptions extends RecordOptions, RecordFilter {}

export interface RecordFilter {
  /** Show only the record with this number in its source, from 1. */
  readonly record?: number;
  /** Show only invalid records. Repeated sourceIds aren't detected; that takes a run. */
  readonly invalid?: boolean;
}

/** Options of `mergeReports`. */
export interface MergeOptions
  extends Pick<ImportOptions, 'rejects' | 'reportFile' | 'htmlFile' | 'quotes' | 'overwrite'> {
  /** Address of the Postgres database that the processes share. */
  readonly state: string;
  /** Name of the import. */
  readonly run: string;
}
