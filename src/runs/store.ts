/**
 * Port to the storage of runs: descriptions, intents and outcomes. All calls are asynchronous, and
 * made once per chunk or batch, never per record.
 */
import type { Batch, DocumentRange, PublishedWindow } from '../model/documents.js';
import { type JournalError, ResumeError } from '../model/errors.js';
import type {
  RecordRange,
  RecordState,
  RecordStates,
  SentOutcome,
} from '../model/record-ranges.js';
import type { WrittenFile } from '../model/source.js';
import type { RunDescription, RunTarget } from './description.js';

/**
 * All runs in one location. Methods reject with a `JournalError` if it can't be read or written.
 */
export interface RunStore {
  /** Ids, the latest last. */
  list(): Promise<readonly string[]>;
  isRunning(id: string): Promise<boolean>;
  /** Numbers of shards of the imports in shards, by their name; none in a folder. */
  shardCounts(): Promise<ReadonlyMap<string, number>>;
  /**
   * Finds runs' unconfirmed documents that other runs have resolved or taken over. Brings the ledger
   * up to date.
   */
  takenOver(ids: readonly string[]): Promise<ReadonlyMap<string, readonly TakenOver[]>>;
  /**
   * Describes the runs that imported into a monitoring with this number, of any service, the latest
   * last. Only those that can be read, and whose documents later imports recognise.
   */
  descriptions(monitoring: number): Promise<readonly StoredDescription[]>;
  /**
   * Opens a run's journal for reading, even while a process has the run.
   * @throws ResumeError if it doesn't exist
   */
  openReadOnly(id: string): Promise<RunJournal>;
  /**
   * Locks a target against other processes that import on their own, or returns a clause about the
   * one that has it.
   */
  tryLockTarget(request: LockRequest): Promise<RunLock | string>;
  /** Creates a run, held by this process. */
  begin(id: string, description: RunDescription): Promise<RunJournal>;
  /**
   * Takes an existing run for this process, after checking that it is undamaged.
   * @throws ResumeError if it doesn't exist, or another process has it
   */
  take(id: string): Promise<RunJournal>;
  /**
   * Opens what all other runs have sent to a target until now; `undefined` if nothing. From then on
   * a run in a shared store claims documents when it intends them, also against runs that send at
   * the same time.
   * @param run a run that this process has
   */
  openLedger(target: RunTarget, run: string): Promise<Ledger | undefined>;
  /**
   * Removes those of the runs that are finished and began by a given time (in milliseconds since
   * 1970), unless a process has them. The ledger keeps what they sent.
   * @returns the ids of the removed runs
   */
  removeDone(ids: readonly string[], beganBeforeMs: number): Promise<readonly string[]>;
}

/**
 * Makes the error for a run that a store doesn't have.
 * @param known ids, the latest last
 * @param remedy a sentence; default: none
 */
export function noSuchRun(
  id: string,
  place: string,
  known: readonly string[],
  remedy?: string,
): ResumeError {
  const latest = known.at(-1);
  const hint =
    latest === undefined
      ? 'it has no runs'
      : `the latest is ${latest}, and \`docferry runs list\` shows all`;
  const message = `There is no run ${JSON.stringify(id)} in ${place}: ${hint}.`;
  return new ResumeError(remedy === undefined ? message : `${message} ${remedy}`);
}

/** A shard of a group, numbered from 1. */
export interface ShardId {
  readonly key: string;
  readonly index: number;
}

/** Makes the id of a shard's run, for example `nightly-1129/3`. */
export function shardId({ key, index }: ShardId): string {
  return `${key}/${index}`;
}

/** Parses the id of a shard's run; `undefined` for any other run. */
export function shardOf(id: string): ShardId | undefined {
  const at = id.lastIndexOf('/');
  return at < 0 ? undefined : { key: id.slice(0, at), index: Number(id.slice(at + 1)) };
}

export interface StoredDescription {
  readonly id: string;
  readonly description: RunDescription;
}

export interface RunLock {
  /** Why it no longer keeps other processes away; `undefined` while it does. */
  loss(): JournalError | undefined;
  /** Does nothing the second time. */
  release(): void;
}

export interface LockRequest {
  readonly run: string;
  readonly target: RunTarget;
  /** Runs of this process with the same name share the lock. */
  readonly holder?: string | undefined;
}

/** Documents of one request that another run has. */
export interface TakenOver {
  /** Their state in their own run's journal. */
  readonly kind: 'sending' | 'unknown';
  /** Whether the service has accepted the very content from the other run. */
  readonly isSame: boolean;
  readonly intent: number;
  readonly records: readonly RecordRange[];
}

export interface RunFacts {
  readonly description: RunDescription;
  /** From the last process; `undefined` if it was cut off or is running. */
  readonly report?:
    | { readonly resumable: boolean; readonly counts?: { readonly duplicate: number } }
    | undefined;
  /** The rejects that the run wrote last. */
  readonly rejects?: readonly WrittenFile[] | undefined;
}

/** Facts, intents and outcomes of one run. */
export interface RunJournal {
  readonly id: string;
  /** Whether another process may have taken the run over: nothing may be sent then. */
  readonly isLost: boolean;
  facts(): Promise<RunFacts>;
  /** Returns the description alone, because reports can be large. */
  description(): Promise<RunDescription>;
  /** Replaces the report, durably; `undefined` withdraws it, because the run is resumed. */
  writeReport(report: RunFacts['report']): Promise<void>;
  /** Stores what the rejects are durably, before they get their names. */
  writeRejects(files: readonly WrittenFile[]): Promise<void>;
  /**
   * Resolves once the intent is durable. After a failure, every later call fails.
   * @param contents hashes of what an earlier run sent for the documents, if it was other content
   */
  writeIntent(batch: Batch, contents?: Uint8Array): Promise<IntentResult>;
  /** Journals the outcome of documents, at the latest with the next intent. */
  settle(outcome: JournaledOutcome): void;
  /** Writes queued lines. Rejects also if an earlier write failed. */
  flush(): Promise<void>;
  /** State of every record that was to be sent, when the run was opened. */
  states(): Promise<RecordStates<RecordState>>;
  readIntent(number: number): Intent | undefined | Promise<Intent | undefined>;
  /** Writes queued lines, if possible, and releases the run. */
  release(): Promise<void>;
}

export interface IntentResult {
  readonly number: number;
  /** Documents that aren't to be sent because another run has them, by index. */
  readonly elsewhere: ReadonlyMap<number, LedgerStatus>;
}

export interface Intent {
  readonly records: readonly RecordRange[];
  readonly ids: readonly (string | null)[];
  /** Eight bytes per document: hash of its sourceId. */
  readonly idHashes: Uint8Array;
  /** Eight bytes per document: hash of the content that was sent. */
  readonly digests: Uint8Array;
  readonly published: PublishedWindow | null;
}

export interface JournaledOutcome {
  readonly intent: number;
  readonly records: readonly RecordRange[];
  readonly outcome: SentOutcome;
  /** Reason; empty if there is none. */
  readonly message: string;
}

/** Records, across runs, which sourceIds were sent to a target with which content. */
export interface Ledger {
  /** Looks up documents; the keys are positions in the range, from 0. */
  lookUp(range: DocumentRange): Promise<ReadonlyMap<number, LedgerStatus>>;
  /**
   * Reads the hashes of the contents that documents of the ledger were sent with, eight bytes each;
   * `undefined` if the ledger keeps them itself.
   */
  contentsOf?(ranges: readonly DocumentRange[]): Uint8Array;
  close(): Promise<void>;
}

/** What other runs, or other shards of the group, have done with a document that is about to be sent. */
export type LedgerStatus =
  /** Accepted, with the same content. */
  | 'same'
  /** Accepted, with other content. */
  | 'changed'
  /** Sent and unconfirmed. */
  | 'unconfirmed'
  /** Sent and unconfirmed, by a run that isn't running any more. */
  | 'left-unconfirmed'
  /** The same, with other content. */
  | 'left-changed'
  /** Another shard of the group has the same document or review. */
  | 'repeat'
  /** Another shard of the group has the same sourceId with other content. */
  | 'repeat-changed';
