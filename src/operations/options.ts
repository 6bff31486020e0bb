import type { Connection } from '../api/transport/connection.js';
import type { OnUnknown } from '../delivery/context.js';
import type { SourceOptions } from '../formats/options.js';
import type { WrittenMapping } from '../mapping/mapping.js';
import type { Input } from '../model/source.js';
import { isShared, readAddress } from '../runs/state-address.js';
import type { MakeDocument } from '../transform/made-documents.js';
import type { Profile } from '../validation/schemas.js';

export {
  FORMAT_NAMES,
  type InputOptions,
  SOURCE_OPTIONS,
  type SourceOptions,
} from '../formats/options.js';
export { isShared, readAddress } from '../runs/state-address.js';

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
   * already in flight are still counted.
   */
  readonly maxErrors?: number | string;
  /**
   * File for records that are invalid or rejected, as they were read; the reasons stand beside it.
   * `{run}` in it becomes the run's id. One that is there is replaced only by the run that made it.
   */
  readonly rejects?: string;
  /** File for the report, as JSON. The same holds for it. */
  readonly reportFile?: string;
  /** File for the report, as an HTML page. The same holds for it. */
  readonly htmlFile?: string;
  /**
   * File to which the run's events are added, one a line as JSON, each when it happens: what
   * `schemas/event.schema.json` describes. `{run}` in it becomes the run's id.
   */
  readonly eventsFile?: string;
  /** Replace `rejects`, `reportFile` and `htmlFile` whoever made them; default `false`. */
  readonly force?: boolean;
  /**
   * Worker threads that map and validate; default: as many as the machine has processors, at most
   * 8. Inputs below 8 MiB and objects do without; 0: none.
   */
  readonly threads?: number;
  /**
   * Import although an input no longer looks as the mapping's `expects` says; default `false`. What
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
  /** Stop reading, wait for the requests in flight, and report. */
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

/** Everything about an import. */
export interface ImportOptions extends ValidateOptions {
  /**
   * Whether the report says what columns and documents are like as a whole (`coverage`), as that of
   * a validation does; default: only with `htmlFile`, whose page shows it.
   */
  readonly survey?: boolean;
  /** Id of the monitoring that takes the documents: a positive integer. */
  readonly monitoring: number;
  readonly connection: Connection;
  /** Requests at a time, from 1 to 256; default `auto`: as many as the service takes well, at most 32. */
  readonly concurrency?: number | 'auto';
  /** Most requests a second, at least 0.001; default: no bound. */
  readonly rate?: number;
  /** Statuses that mean "slow down"; default 429 and 503. */
  readonly throttleStatuses?: readonly number[];
  /** How long the service may be down before the run stops, in milliseconds; default 30 minutes. */
  readonly maxOutageMs?: number;
  /**
   * The same when the run begins, in milliseconds; default 0: one that can't reach the service stops
   * at once, as the address may be wrong.
   */
  readonly maxOutageAtStartMs?: number;
  /**
   * What to do about documents whose outcome is unknown: reconcile them and send again only what is
   * missing (`resolve`, the default), or leave them (`hold`).
   */
  readonly onUnknown?: OnUnknown;
  /**
   * What it means that the service refuses a batch of several documents: perhaps it took some of
   * them (`partial`, the default), so they are reconciled before they are sent again, one by one;
   * or it took none (`atomic`), so they are sent again in halves at once.
   */
  readonly refusals?: 'atomic' | 'partial';
  /**
   * The settle time, in milliseconds: what doesn't show two of them after a request is believed to be
   * missing. At least the connection's timeout; default 60,000.
   */
  readonly quietMs?: number;
  /** How long to keep looking after that, in milliseconds; default 300,000. */
  readonly lookForMs?: number;
  /**
   * Folder for the journal, without which a run can't be resumed after its process has ended, and the
   * ledger, without which it can't be told what earlier runs imported. Default: none.
   */
  readonly stateDir?: string;
  /**
   * How long to wait, in milliseconds, while another run imports into the same monitoring with the same
   * `stateDir`; 0: not at all. Then it rejects with a `ResumeError`. Default: no limit.
   */
  readonly lockTimeoutMs?: number;
  /**
   * Instead of a folder, the address of a Postgres database that other processes share,
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`: its workers take part in the import.
   */
  readonly state?: string;
  /** Whether this process works along, where the state is shared; default `true`. */
  readonly work?: boolean;
  /**
   * Resume an earlier run: its id; or `true` for the latest unfinished one of the same inputs,
   * mapping and target, and a new run if there is none.
   */
  readonly resume?: string | boolean;
  /** Send what the service refused once more, when a run is resumed; default `false`. */
  readonly retryRejected?: boolean;
  /** Remember what is imported for later runs, and leave out what they imported; default `true`. */
  readonly ledger?: boolean;
  /** Leave out what earlier runs imported; default `true`. */
  readonly skipKnown?: boolean;
  /**
   * Says that a stream or iterable under this key gives the same records in the same order each
   * time: without it, a run over it can't be resumed later.
   */
  readonly inputKey?: string;
  /**
   * Says that a function given as `mapping` makes the same documents as long as this key is the
   * same: without it, a run over it can't be resumed.
   */
  readonly mappingKey?: string;
  /** Name under which the service is remembered, if its address changes; default: the base URL. */
  readonly service?: string;
  /** Stop waiting for the requests in flight: what they carry counts as unknown. */
  readonly abandonSignal?: AbortSignal;
}

export type { OnUnknown };

/** A place where runs are kept, as it may be shown: of an address without its password. */
export function shownState(place: string): string {
  return isShared(place) ? readAddress(place).shown : place;
}
