import {
  type Acknowledged,
  type Batch,
  batchOf,
  DIGEST_BYTES,
  type DocumentRange,
  type PublishedWindow,
} from '../model/documents.js';
import {
  type RecordRange,
  type RecordState,
  type RecordStates,
  recordNumber,
  recordsInOrder,
  recordsOf,
} from '../model/record-ranges.js';
import type { WrittenFile } from '../model/source.js';
import { checkUnchanged, type RunDescription } from './description.js';
import type {
  Intent,
  JournaledOutcome,
  Ledger,
  LedgerStatus,
  RunFacts,
  RunJournal,
  RunLock,
  RunStore,
} from './store.js';

const MAX_ACKNOWLEDGED = 20;

/** A stored run, held by this process until it is released. */
export class StoredRun {
  readonly id: string;
  readonly description: RunDescription;
  /** Report of the last process; `undefined` if it was cut off or there was none. */
  readonly report: RunFacts['report'];
  /** The rejects that an earlier process wrote. */
  readonly rejects: RunFacts['rejects'];
  readonly #store: RunStore;
  readonly #journal: RunJournal;
  readonly #states: RecordStates<RecordState>;
  #digests: { readonly intent: number; readonly of: ReadonlyMap<string, string> } | undefined;
  #ledger: Ledger | undefined;
  /** Keeps other imports away from the target. */
  #lock: RunLock | undefined;

  private constructor(
    store: RunStore,
    journal: RunJournal,
    { description, report, rejects }: RunFacts,
    states: RecordStates<RecordState>,
  ) {
    this.#store = store;
    this.#journal = journal;
    this.id = journal.id;
    this.description = description;
    this.report = report;
    this.rejects = rejects;
    this.#states = states;
  }

  /**
   * Opens a run that this process holds.
   * @throws JournalError; the run is released then
   */
  static async of(store: RunStore, journal: RunJournal): Promise<StoredRun> {
    try {
      return new StoredRun(store, journal, await journal.facts(), await journal.states());
    } catch (error) {
      await journal.release();
      throw error;
    }
  }

  /** Returns whether another process may have taken the run over: nothing may be sent then. */
  get isLost(): boolean {
    return this.#journal.isLost || this.#lock?.loss() !== undefined;
  }

  get isNew(): boolean {
    return this.#states.isEmpty;
  }

  /**
   * Resumes the run if nothing has changed. Call it once no other run sends to the target.
   * @throws ResumeError that lists the changes
   */
  async resume(now: RunDescription): Promise<void> {
    checkUnchanged(this.id, this.description, now);
    await this.markTakenOverAsUnsent();
    await this.#journal.writeReport(undefined);
  }

  /**
   * Leaves unconfirmed documents to the runs that have taken them over: what the service shows may
   * be what they sent, with other content. With `skipKnown: false`, this run would send them again,
   * so it must reconcile them itself.
   */
  async markTakenOverAsUnsent(): Promise<void> {
    if (this.description.options['skipKnown'] === false) return;
    const taken = (await this.#store.takenOver([this.id])).get(this.id) ?? [];
    for (const { intent, records } of taken.filter(({ isSame }) => !isSame)) {
      const unsent = { intent, message: '' };
      this.#journal.settle({ ...unsent, records, outcome: 'unsent' });
      for (const range of records) {
        this.#states.set(range, { ...unsent, kind: 'unsent', atMs: Date.now() });
      }
    }
  }

  /** Registers the lock of the target, which is checked before each request and released with the run. */
  holdWith(lock: RunLock): void {
    this.#lock = lock;
  }

  /** Loads what other runs have sent, for {@link lookUp}. */
  async openLedger(): Promise<void> {
    await this.#ledger?.close();
    this.#ledger = await this.#store.openLedger(this.description.target, this.id);
  }

  /** Returns the states of documents as earlier processes of this run left them. */
  async statesOf(range: DocumentRange): Promise<readonly EarlierPart[]> {
    const { documents } = range;
    const { input } = documents.chunk;
    const stateOf = (at: number) => this.#states.get(input, recordNumber(documents, at));
    const parts: EarlierPart[] = [];
    for (const [part, state] of splitRange(range, stateOf)) {
      const isOwn = state !== undefined && state.sentOther !== true;
      const changed = isOwn ? await this.#firstChanged(part, state.intent) : undefined;
      parts.push({ range: part, state, changed });
    }
    return parts;
  }

  /**
   * Returns the ledger's status of documents, as ranges; `undefined` where no other run has sent
   * them.
   */
  async lookUp(
    range: DocumentRange,
  ): Promise<Iterable<readonly [DocumentRange, LedgerStatus | undefined]>> {
    if (this.#ledger === undefined) return [[range, undefined]];
    const statuses = await this.#ledger.lookUp(range);
    return splitRange(range, (document) => statuses.get(document - range.from));
  }

  /**
   * Yields states of records that this process hasn't read.
   * @param read how many records of an input were read
   */
  *carriedOverRecords(
    read: (input: number) => number,
  ): Generator<readonly [RecordRange, RecordState], void, undefined> {
    for (const [{ input, from, to }, state] of this.#states.entries()) {
      const first = Math.max(from, read(input) + 1);
      if (first <= to) yield [{ input, from: first, to }, state];
    }
  }

  /**
   * Yields documents that earlier processes left in some states, by request.
   * @param last only the last requests, up to this number
   */
  async *sent(
    kinds: readonly RecordState['kind'][],
    last: number = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<SentDocuments, void, undefined> {
    const intents = new Set<number>();
    for (const [, { kind, intent }] of this.#states.entries()) {
      if (kinds.includes(kind)) intents.add(intent);
    }
    for (const number of [...intents].slice(-last)) {
      const intent = await this.#journal.readIntent(number);
      if (intent === undefined) continue;
      const documents = [...recordsInOrder(intent.records)].flatMap(({ input, record, index }) => {
        const state = this.#states.get(input, record);
        if (state?.intent !== number || !kinds.includes(state.kind)) return [];
        return [{ input, record, sourceId: intent.ids[index] ?? null, atMs: state.atMs }];
      });
      yield { intent: number, published: intent.published, documents };
    }
  }

  /** Returns one document of each of the last requests acknowledged to earlier processes. */
  async acknowledged(): Promise<readonly Acknowledged[]> {
    const acknowledged: Acknowledged[] = [];
    for await (const { published, documents } of this.sent(['accepted'], MAX_ACKNOWLEDGED)) {
      const named = documents.flatMap(({ sourceId, atMs }) =>
        sourceId === null ? [] : [{ sourceId, published, acknowledgedMs: atMs }],
      );
      const request = { published, documents: () => named };
      const [first] = named;
      if (first !== undefined) acknowledged.push({ ...first, request });
    }
    return acknowledged;
  }

  /**
   * Makes the intent to send a request durable.
   * @returns the part of the batch to send, and the part that other runs have
   * @throws JournalError (rejects) if that fails, and from then on
   */
  async writeIntent(batch: Batch): Promise<SplitBatch> {
    const contents = batch.sentOther && this.#ledger?.contentsOf?.(batch.ranges);
    const { number, elsewhere: statuses } = await this.#journal.writeIntent(batch, contents);
    // Once the intent is there: an import that has started by now and didn't see it shows here.
    const loss = this.#lock?.loss();
    if (loss !== undefined) throw loss;
    if (statuses.size === 0) return { batch: { ...batch, intent: number }, elsewhere: [] };
    const { batch: rest, elsewhere } = splitBatch(batch, statuses);
    const records = recordsOf(batchOf(elsewhere.map(([range]) => range)));
    this.#journal.settle({ intent: number, records, outcome: 'unsent', message: '' });
    return { batch: { ...rest, intent: number }, elsewhere };
  }

  /** Journals the outcome of a request, or of a part of one. */
  settle(batch: Batch, outcome: DocumentOutcome): void {
    const { intent } = batch;
    if (intent !== undefined)
      this.#journal.settle({ intent, records: recordsOf(batch), ...outcome });
  }

  /** Journals the outcome of documents that an earlier process sent. */
  settlePart(intent: number, documents: readonly SentDocument[], outcome: DocumentOutcome): void {
    if (documents.length === 0) return;
    const records = documents.map(({ input, record }) => ({ input, from: record, to: record }));
    this.#journal.settle({ intent, records, ...outcome });
  }

  /** @throws JournalError (rejects) if a write failed */
  async flush(): Promise<void> {
    await this.#journal.flush();
  }

  async finish(report: RunFacts['report']): Promise<void> {
    await this.#journal.flush();
    await this.#journal.writeReport(report);
  }

  /** Withdraws the report, because it no longer fits the journal. */
  async withdrawReport(): Promise<void> {
    await this.#journal.writeReport(undefined);
  }

  /** Stores what this run's rejects are, which it may replace when it is resumed. */
  async rememberRejects(files: readonly WrittenFile[]): Promise<void> {
    await this.#journal.writeRejects(files);
  }

  /** Writes queued lines, and releases the run for other processes. */
  async release(): Promise<void> {
    try {
      await this.#journal.release();
    } finally {
      this.#lock?.release();
      this.#lock = undefined;
      await this.#ledger?.close();
    }
  }

  /** Finds the first document that differs from the one sent for its record. */
  async #firstChanged(
    { documents, from, to }: DocumentRange,
    intent: number,
  ): Promise<number | undefined> {
    if (this.#digests?.intent !== intent) {
      this.#digests = { intent, of: digestsIn(await this.#journal.readIntent(intent)) };
    }
    for (let document = from; document < to; document += 1) {
      const key = `${documents.chunk.input}:${recordNumber(documents, document)}`;
      if (this.#digests.of.get(key) !== digestAt(documents.digests, document)) return document;
    }
    return undefined;
  }
}

/** The part of a batch to send, and the rest. */
export interface SplitBatch {
  readonly batch: Batch;
  /** Parts that other runs have sent, or are about to. */
  readonly elsewhere: readonly LedgerStatusPart[];
}

type LedgerStatusPart = readonly [DocumentRange, LedgerStatus];

export interface EarlierPart {
  readonly range: DocumentRange;
  /** `undefined` if no earlier process journaled an intent to send them. */
  readonly state: RecordState | undefined;
  /** First document that differs from the one sent for its record. */
  readonly changed: number | undefined;
}

/** Documents of one request that are in certain states. */
export interface SentDocuments {
  readonly intent: number;
  readonly published: PublishedWindow | null;
  readonly documents: readonly SentDocument[];
}

/** Document that an earlier process sent, or was about to. */
export interface SentDocument {
  readonly input: number;
  readonly record: number;
  readonly sourceId: string | null;
  /** Time when its state was journaled, in milliseconds since 1970. */
  readonly atMs: number;
}

type DocumentOutcome = Pick<JournaledOutcome, 'outcome' | 'message'>;

/** Splits a batch into the part to send and the parts that other runs have. */
function splitBatch({ ranges }: Batch, statuses: ReadonlyMap<number, LedgerStatus>): SplitBatch {
  const elsewhere: LedgerStatusPart[] = [];
  const rest: DocumentRange[] = [];
  let before = 0;
  for (const range of ranges) {
    const first = before - range.from;
    for (const [part, status] of splitRange(range, (document) => statuses.get(first + document))) {
      if (status === undefined) rest.push(part);
      else elsewhere.push([part, status]);
    }
    before += range.to - range.from;
  }
  return { batch: batchOf(rest), elsewhere };
}

/**
 * Splits a range into runs of neighbouring documents with the same value.
 * @param keyOf value of a document; compared by identity
 */
export function* splitRange<T>(
  { documents, from, to }: DocumentRange,
  keyOf: (document: number) => T,
): Generator<readonly [DocumentRange, T], void, undefined> {
  let start = from;
  while (start < to) {
    const value = keyOf(start);
    let end = start + 1;
    while (end < to && keyOf(end) === value) end += 1;
    yield [{ documents, from: start, to: end }, value];
    start = end;
  }
}

/** Maps each record of an intent to the hash of the document sent for it. */
function digestsIn(intent: Intent | undefined): ReadonlyMap<string, string> {
  if (intent === undefined) return new Map();
  return new Map(
    [...recordsInOrder(intent.records)].map(({ input, record, index }) => [
      `${input}:${record}`,
      digestAt(intent.digests, index),
    ]),
  );
}

function digestAt({ buffer, byteOffset }: Uint8Array, index: number): string {
  return Buffer.from(buffer, byteOffset + index * DIGEST_BYTES, DIGEST_BYTES).toString('latin1');
}
