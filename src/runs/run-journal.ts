import type { RefusalMeaning } from '../delivery/doubts/refusals.js';
import { type Batch, DIGEST_BYTES, type Documents, idsJson } from '../model/documents.js';
import { JournalError } from '../model/errors.js';
import { publishedWindow } from '../model/published-window.js';
import { type RecordRange, recordNumber, recordsOf } from '../model/record-ranges.js';
import type { StopConditions } from '../outcomes/stop-conditions.js';
import type { Intent, JournalOutcome, NewIntent } from './sqlite/entries.js';
import { type Journal, type RecordState, recordsInOrder } from './sqlite/journal.js';
import type { RecordStates } from './sqlite/record-states.js';
import type { HeldRun } from './sqlite/run-folders.js';

/** A run's journal as the corridor uses it: batches in, and what an earlier process left out. */
export class RunJournal {
  readonly #held: HeldRun;
  readonly #stops: StopConditions;
  readonly #intents = new WeakMap<Batch, number>();
  readonly #states: RecordStates<RecordState>;
  readonly #mended: RecordStates<string>;
  #lookedAt: { readonly number: number; readonly digests: ReadonlyMap<string, string> } | undefined;

  constructor(held: HeldRun, stops: StopConditions) {
    this.#held = held;
    this.#stops = stops;
    this.#states = held.journal.states();
    this.#mended = held.journal.mended();
  }

  get journal(): Journal {
    return this.#held.journal;
  }

  /** Whether no earlier process has sent anything. */
  get isNew(): boolean {
    return this.#states.isEmpty;
  }

  /** What an earlier process wrote of a record; `undefined` if it never came to send it. */
  stateOf(input: number, record: number): RecordState | undefined {
    return this.#states.get(input, record);
  }

  /** The run that has imported a record of this run, mended; `undefined` if none has. */
  mendedBy(input: number, record: number): string | undefined {
    return this.#mended.get(input, record);
  }

  /**
   * What an earlier process wrote of records that this one has not come to.
   * @param read how many records of an input were read
   */
  *unread(
    read: (input: number) => number,
  ): Generator<readonly [RecordRange, RecordState], void, undefined> {
    for (const [{ input, from, to }, state] of this.#states.entries()) {
      const first = Math.max(from, read(input) + 1);
      if (first <= to) yield [{ input, from: first, to }, state];
    }
  }

  /** Whether a document is the one that was sent for its record, in a state that `stateOf` gave. */
  isSameDocument(documents: Documents, document: number, { intent }: RecordState): boolean {
    const key = keyOf(documents.chunk.input, recordNumber(documents, document));
    const digest = digestAt(documents.digests, document);
    return this.#digestsOf(intent).get(key) === digest;
  }

  /**
   * Resolves once it is on the disk that a request is about to be made; with `false` if that can't
   * be, and then the run is to end.
   */
  async intend(batch: Batch): Promise<boolean> {
    try {
      this.#intents.set(batch, await this.journal.intend(intentOf(batch)));
      return true;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#stops.stop({ kind: 'output', message: error.message, cause: error });
      return false;
    }
  }

  /** What an earlier process found out about refusals of several documents. */
  get refusals(): RefusalMeaning | undefined {
    return this.journal.refusals;
  }

  /** So that the run knows it when it is resumed; if it can't be written, the run is to end. */
  rememberRefusals(meaning: RefusalMeaning): void {
    try {
      this.journal.refusals = meaning;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#stops.stop({ kind: 'output', message: error.message });
    }
  }

  /** A batch is what is left of a request that an earlier process made. */
  belongsTo(intent: number, batch: Batch): void {
    this.#intents.set(batch, intent);
  }

  /** A part of a batch that was sent belongs to the same request. */
  isPartOf(part: Batch, whole: Batch): void {
    const intent = this.#intents.get(whole);
    if (intent !== undefined) this.#intents.set(part, intent);
  }

  /**
   * Writes down what came of a request, or of some of its documents.
   * @param part the documents that it is about; the whole batch by default
   */
  settle(
    batch: Batch,
    { outcome, message }: { readonly outcome: JournalOutcome; readonly message: string },
    part: Batch = batch,
  ): void {
    const intent = this.#intents.get(batch);
    if (intent === undefined) return;
    this.journal.settle({ intent, records: recordsOf(part), outcome, message });
  }

  #digestsOf(intent: number): ReadonlyMap<string, string> {
    if (this.#lookedAt?.number !== intent) {
      this.#lookedAt = { number: intent, digests: digestsIn(this.journal.intent(intent)) };
    }
    return this.#lookedAt.digests;
  }
}

function intentOf(batch: Batch): NewIntent {
  const { ranges, count } = batch;
  const idHashes = new Uint8Array(count * DIGEST_BYTES);
  const digests = new Uint8Array(count * DIGEST_BYTES);
  let at = 0;
  for (const { documents, from, to } of ranges) {
    const { buffer, byteOffset, byteLength } = documents.idHashes;
    const hashes = new Uint8Array(buffer, byteOffset, byteLength);
    idHashes.set(hashes.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES), at);
    digests.set(documents.digests.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES), at);
    at += (to - from) * DIGEST_BYTES;
  }
  return {
    records: recordsOf(batch),
    ids: ranges.map(idsJson),
    idHashes,
    digests,
    published: publishedWindow(batch),
  };
}

/** For each record of an intent the hash of what was sent for it. */
function digestsIn(intent: Intent | undefined): ReadonlyMap<string, string> {
  if (intent === undefined) return new Map();
  return new Map(
    [...recordsInOrder(intent.records)].map(({ input, record, index }) => [
      keyOf(input, record),
      digestAt(intent.digests, index),
    ]),
  );
}

function keyOf(input: number, record: number): string {
  return `${input}:${record}`;
}

function digestAt(digests: Uint8Array, index: number): string {
  return Buffer.from(
    digests.buffer,
    digests.byteOffset + index * DIGEST_BYTES,
    DIGEST_BYTES,
  ).toString('latin1');
}
