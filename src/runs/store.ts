/**
 * Where runs outlive their processes: what they are, what they were about to send, and what became
 * of it. Asynchronous throughout, and asked once a chunk or a batch, never once a record.
 */
import type { Batch, DocumentRange, PublishedWindow } from '../model/documents.js';
import type {
  RecordRange,
  RecordState,
  RecordStates,
  SentOutcome,
} from '../model/record-ranges.js';
import type { OutputMark } from '../outputs/output-file.js';
import type { RunDescription, RunTarget } from './description.js';

/** All runs of one place. What can't be read or written rejects with a `JournalError`. */
export interface RunStore {
  /** Ids of all runs, the latest last. */
  list(): Promise<readonly string[]>;
  /** Whether a process has the run now. */
  isRunning(id: string): Promise<boolean>;
  /**
   * How many documents that a run left unconfirmed a later run has settled or taken over: those are
   * that run's.
   */
  takenOver(id: string): Promise<TakenOver>;
  /**
   * Looks into a run, also while a process has it.
   * @throws ResumeError if there is none of this name
   */
  look<T>(id: string, look: (run: StoredRun) => Promise<T>): Promise<T>;
  /**
   * Waits until no other process that imports alone sends to the target, so that it is known what
   * became of what those before have sent.
   * @throws ResumeError after the timeout; InterruptedError
   */
  lockTarget(request: LockRequest): Promise<RunLock>;
  /** Begins a run, and holds it for this process. */
  begin(id: string, description: RunDescription): Promise<StoredRun>;
  /**
   * Holds a run that is there for this process, once it is sure to be what was written.
   * @throws ResumeError if there is none of this name, or another process has it
   */
  take(id: string): Promise<StoredRun>;
  /**
   * What all other runs have sent to a target, as they say now; `undefined`: nothing. From then on
   * a run of a shared store has what it intends to itself, also among those that send at the same time.
   * @param run one that this process has
   */
  openLedger(target: RunTarget, run: string): Promise<Ledger | undefined>;
  /**
   * Removes runs that have nothing left to do and began by some moment, unless a process has them.
   * What they sent stays known.
   * @param moment in milliseconds since 1970
   */
  prune(moment: number, choice?: PruneChoice): Pruned | Promise<Pruned>;
}

/** What became of the runs of a place. */
export interface Pruned {
  /** Ids of the runs that are gone. */
  readonly removed: readonly string[];
  /** How many are left: recent ones, and those that left something undone or are running. */
  readonly kept: number;
}

/** Which runs are removed. */
export interface PruneChoice {
  /** Names of inputs: only runs of these; default: all runs. */
  readonly inputs?: readonly string[] | undefined;
  /** How many of the latest of them stay in any case; default 0. */
  readonly keepLatest?: number | undefined;
}

/** Holds a run, or a monitoring, for this process. */
export interface RunLock {
  release(): void;
}

/** Who wants to import into a monitoring, and how long it waits for another import. */
export interface LockRequest {
  readonly run: string;
  readonly target: RunTarget;
  /** `undefined`: no limit. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly notice: (message: string) => void;
  /** Runs of this process that give the same name hold the lock together. */
  readonly holder?: string | undefined;
}

/** Numbers of documents, by what their own run's journal says of them. */
export interface TakenOver {
  readonly sending: number;
  readonly unknown: number;
}

/** What there is to say of a whole run, by name. */
export interface RunFacts {
  readonly description: RunDescription;
  /** Of the process that had the run last; none if that was cut off, or is running. */
  readonly report: { readonly resumable: boolean };
  /** The files that the run has written for its user, as it left them. */
  readonly outputs: readonly OutputMark[];
}

/** One run. */
export interface StoredRun {
  readonly id: string;
  /** Whether others may have taken it over: nothing may be sent any more. */
  readonly isLost: boolean;
  /** `undefined`: nobody has said so. */
  read<Name extends keyof RunFacts>(name: Name): Promise<RunFacts[Name] | undefined>;
  /** Says so, durably, whatever was said before. */
  write<Name extends keyof RunFacts>(name: Name, value: RunFacts[Name]): Promise<void>;
  /** The same of files that are about to get their names, which nothing may wait for. */
  writeOutputs(outputs: RunFacts['outputs']): void;
  /** The run is resumed: what its last report said no longer holds. */
  reopen(): Promise<void>;
  /** Resolves once the intent is durable; if it can't be, nothing is from then on. */
  intend(batch: Batch): Promise<Intended>;
  /** Writes down what became of documents: soon, and at the latest with the next intent. */
  settle(settlement: Settlement): void;
  /** Writes what waits. Rejects also if that failed before. */
  flush(): Promise<void>;
  /** The state of every record that was to be sent, as it was when the run was opened. */
  states(): Promise<RecordStates<RecordState>>;
  /** An intent as it was written. */
  intent(number: number): Promise<Intent | undefined>;
  /** Writes what waits, if that is still possible, and releases the run. */
  release(): Promise<void>;
}

/** A request whose intent is durable. */
export interface Intended {
  readonly number: number;
  /** Those of its documents that aren't to be sent, as another run has them, by their index. */
  readonly taken: ReadonlyMap<number, Known>;
}

/** A request as its intent was written. */
export interface Intent {
  readonly records: readonly RecordRange[];
  /** For each record its document's sourceId. */
  readonly ids: readonly (string | null)[];
  /** Eight bytes a document: the hash of its sourceId. */
  readonly idHashes: Uint8Array;
  /** Eight bytes a document: the hash of its content. */
  readonly digests: Uint8Array;
  readonly published: PublishedWindow | null;
}

/** What became of some documents of a request. */
export interface Settlement {
  /** Number of the request's intent. */
  readonly intent: number;
  readonly records: readonly RecordRange[];
  readonly outcome: SentOutcome;
  /** Why; empty where there is nothing to say. */
  readonly message: string;
}

/** Across runs: which sourceIds were sent to a target, and with which content. */
export interface Ledger {
  /** Gives what is known of documents by their place in the range, from 0. */
  lookUp(range: DocumentRange): Promise<ReadonlyMap<number, Known>>;
  close(): Promise<void>;
}

/** What the ledger knows of a document that is about to be sent. */
export type Known =
  /** Accepted before, with the same content. */
  | 'same'
  /** Accepted before, with other content. */
  | 'changed'
  /** Sent before, and nobody knows yet whether it was accepted. */
  | 'unconfirmed'
  /** The same, by a run that no process has any more. */
  | 'left-unconfirmed'
  /** This very run has the same document, or review, from another process. */
  | 'repeat'
  /** The same sourceId with other content. */
  | 'repeat-changed';
