import {
  type Batch,
  batchOf,
  DIGEST_BYTES,
  type DocumentRange,
  type PublishedWindow,
} from '../model/documents.js';
import { ResumeError } from '../model/errors.js';
import {
  type RecordRange,
  type RecordState,
  type RecordStates,
  recordNumber,
  recordsInOrder,
  recordsOf,
} from '../model/record-ranges.js';
import {
  checkRepeatable,
  checkUnchanged,
  isSameJob,
  type Job,
  type RunDescription,
} from './description.js';
import type { Intent, Known, Ledger, RunFacts, RunStore, Settlement, StoredRun } from './store.js';

/** So many tell whether what was accepted shows. */
const MAX_ACKNOWLEDGED = 20;

/** A run that outlives its process, held by this one until it is released. */
export class Run {
  readonly id: string;
  readonly description: RunDescription;
  /** What the process that had it last has said; `undefined`: it was cut off, or there was none. */
  readonly report: RunFacts['report'] | undefined;
  readonly outputs: RunFacts['outputs'];
  readonly #store: RunStore;
  readonly #stored: StoredRun;
  readonly #states: RecordStates<RecordState>;
  readonly #intents = new WeakMap<Batch, number>();
  #digests: { readonly intent: number; readonly of: ReadonlyMap<string, string> } | undefined;
  #ledger: Ledger | undefined;
  #unlock: (() => void) | undefined;

  private constructor(store: RunStore, stored: StoredRun, opened: OpenedRun) {
    this.#store = store;
    this.#stored = stored;
    this.id = stored.id;
    this.description = opened.description;
    this.report = opened.report;
    this.outputs = opened.outputs;
    this.#states = opened.states;
  }

  /** @throws ResumeError if it isn't there, a process has it, or it never sent anything; JournalError */
  static async take(store: RunStore, id: string): Promise<Run> {
    return await Run.of(store, await store.take(id));
  }

  /**
   * A run, or a part of one, that this process has already.
   * @throws JournalError; the process has it no longer
   */
  static async of(store: RunStore, stored: StoredRun): Promise<Run> {
    try {
      return new Run(store, stored, await read(stored));
    } catch (error) {
      await stored.release();
      throw error;
    }
  }

  /** Whether others may have taken it over: nothing may be sent any more. */
  get isLost(): boolean {
    return this.#stored.isLost;
  }

  /** Whether no earlier process has sent anything. */
  get isNew(): boolean {
    return this.#states.isEmpty;
  }

  /**
   * Resumes it, if it is still the same.
   * @throws ResumeError that says what has changed
   */
  async resume(now: RunDescription): Promise<void> {
    checkUnchanged(this.id, this.description, now);
    await this.#stored.reopen();
  }

  /** Has something released together with the run. */
  releaseWith(unlock: () => void): void {
    this.#unlock = unlock;
  }

  /** From now on {@link known} tells what other runs have sent until now. */
  async openLedger(): Promise<void> {
    await this.#ledger?.close();
    this.#ledger = await this.#store.openLedger(this.description.target, this.id);
  }

  /** What earlier processes of this run wrote of some documents. */
  async earlier(range: DocumentRange): Promise<readonly EarlierPart[]> {
    const { documents } = range;
    const { input } = documents.chunk;
    const stateOf = (at: number) => this.#states.get(input, recordNumber(documents, at));
    const parts: EarlierPart[] = [];
    for (const [part, state] of splitRange(range, stateOf)) {
      const changed = state && (await this.#firstChanged(part, state.intent));
      parts.push({ range: part, state, changed });
    }
    return parts;
  }

  /** What other runs have sent of some documents; `undefined` for what none has. */
  async known(
    range: DocumentRange,
  ): Promise<Iterable<readonly [DocumentRange, Known | undefined]>> {
    if (this.#ledger === undefined) return [[range, undefined]];
    const known = await this.#ledger.lookUp(range);
    return splitRange(range, (document) => known.get(document - range.from));
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

  /**
   * The documents that earlier processes left in some states, request by request.
   * @param last only those of so many requests, the last ones
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
      const intent = await this.#stored.intent(number);
      if (intent === undefined) continue;
      const documents = [...recordsInOrder(intent.records)].flatMap(({ input, record, index }) => {
        const state = this.#states.get(input, record);
        if (state?.intent !== number || !kinds.includes(state.kind)) return [];
        return [{ input, record, sourceId: intent.ids[index] ?? null, atMs: state.atMs }];
      });
      yield { intent: number, published: intent.published, documents };
    }
  }

  /** One document of each of the last requests that earlier processes saw accepted. */
  async acknowledged(): Promise<readonly AcknowledgedDocument[]> {
    const acknowledged: AcknowledgedDocument[] = [];
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
   * Makes it durable that a request is about to be made.
   * @returns what is left of the batch to be sent, and what other runs have of it
   * @throws JournalError (rejects) if that can't be, now and from then on
   */
  async intend(batch: Batch): Promise<IntendedBatch> {
    const { number, taken } = await this.#stored.intend(batch);
    const intended = taken.size === 0 ? { batch, known: [] } : splitBatch(batch, taken);
    this.#intents.set(intended.batch, number);
    if (intended.known.length > 0) {
      const records = recordsOf(batchOf(intended.known.map(([range]) => range)));
      this.#stored.settle({ intent: number, records, outcome: 'unsent', message: '' });
    }
    return intended;
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

  /** Writes down what came of a request, or of a part of one. */
  settle(batch: Batch, settled: Settled): void {
    const intent = this.#intents.get(batch);
    if (intent !== undefined)
      this.#stored.settle({ intent, records: recordsOf(batch), ...settled });
  }

  /** The same of documents that an earlier process has sent. */
  settleEarlier(intent: number, documents: readonly SentDocument[], settled: Settled): void {
    if (documents.length === 0) return;
    const records = documents.map(({ input, record }) => ({ input, from: record, to: record }));
    this.#stored.settle({ intent, records, ...settled });
  }

  /** @throws JournalError (rejects) if not all was written */
  async flush(): Promise<void> {
    await this.#stored.flush();
  }

  /** Writes down the report, after all that waits. */
  async finish(report: RunFacts['report']): Promise<void> {
    await this.#stored.flush();
    await this.#stored.write('report', report);
  }

  /** So that the next process knows which files it may replace. */
  rememberOutputs(outputs: RunFacts['outputs']): void {
    this.#stored.writeOutputs(outputs);
  }

  /** Writes what waits, and releases it for other processes. */
  async release(): Promise<void> {
    try {
      await this.#ledger?.close();
      await this.#stored.release();
    } finally {
      this.#unlock?.();
      this.#unlock = undefined;
    }
  }

  /** The first document that is not the one that was sent for its record. */
  async #firstChanged(
    { documents, from, to }: DocumentRange,
    intent: number,
  ): Promise<number | undefined> {
    if (this.#digests?.intent !== intent) {
      this.#digests = { intent, of: digestsIn(await this.#stored.intent(intent)) };
    }
    for (let document = from; document < to; document += 1) {
      const key = `${documents.chunk.input}:${recordNumber(documents, document)}`;
      if (this.#digests.of.get(key) !== digestAt(documents.digests, document)) return document;
    }
    return undefined;
  }
}

/**
 * Takes a run to resume it.
 * @throws ResumeError if it isn't there, a process has it, or it can't be resumed
 */
export async function takeRun(store: RunStore, id: string): Promise<Run> {
  const run = await Run.take(store, id);
  try {
    checkRepeatable(id, run.description);
    return run;
  } catch (error) {
    await run.release();
    throw error;
  }
}

/**
 * Takes the latest unfinished run of the same inputs, mapping and target; `undefined` if there is none.
 * @throws ResumeError if a process has it, or it can't be resumed
 */
export async function takeLatestRun(store: RunStore, now: Job): Promise<Run | undefined> {
  for (const id of (await store.list()).toReversed()) {
    const isIt = await store.look(id, async (run) => {
      const description = await run.read('description');
      if (description === undefined || !isSameJob(description, now)) return false;
      return isSomethingLeft(await run.read('report'));
    });
    if (isIt) return await takeRun(store, id);
  }
  return undefined;
}

/** Whether something is left to do, going by a run's last report. */
export function isSomethingLeft(report: RunFacts['report'] | undefined): boolean {
  return report === undefined || report.resumable;
}

/** A request that is about to be made. */
export interface IntendedBatch {
  /** What is to be sent of it; may be empty. */
  readonly batch: Batch;
  /** What other runs have sent, or are about to. */
  readonly known: readonly KnownPart[];
}

type KnownPart = readonly [DocumentRange, Known];

/** Documents of which earlier processes of their run have written the same. */
export interface EarlierPart {
  readonly range: DocumentRange;
  /** `undefined`: none came to send them. */
  readonly state: RecordState | undefined;
  /** The first document that is not the one that was sent for its record, if there is one. */
  readonly changed: number | undefined;
}

/** Documents of one request that are in one of the states that were asked for. */
export interface SentDocuments {
  readonly intent: number;
  readonly published: PublishedWindow | null;
  readonly documents: readonly SentDocument[];
}

/** A document that an earlier process has sent, or was about to. */
export interface SentDocument {
  readonly input: number;
  readonly record: number;
  readonly sourceId: string | null;
  /** When its state was written, in milliseconds since 1970. */
  readonly atMs: number;
}

/** A document that the service said it took. Its request stands for when it was published. */
interface AcknowledgedDocument {
  readonly sourceId: string;
  readonly published: PublishedWindow | null;
  /** In milliseconds since 1970. */
  readonly acknowledgedMs: number;
  /** All documents of its request that were accepted and have a sourceId. */
  readonly request: {
    readonly published: PublishedWindow | null;
    readonly documents: () => readonly Pick<AcknowledgedDocument, 'sourceId' | 'published'>[];
  };
}

/** What came of a request. */
type Settled = Pick<Settlement, 'outcome' | 'message'>;

interface OpenedRun extends Pick<Run, 'description' | 'report' | 'outputs'> {
  readonly states: RecordStates<RecordState>;
}

async function read(stored: StoredRun): Promise<OpenedRun> {
  const description = await stored.read('description');
  if (description === undefined) {
    throw new ResumeError(
      `The run ${stored.id} was cut off before anything was sent: there is nothing to resume. Start it again.`,
    );
  }
  const report = await stored.read('report');
  const outputs = (await stored.read('outputs')) ?? [];
  return { description, report, outputs, states: await stored.states() };
}

/** Splits a batch into parts that other runs have, and the rest. */
function splitBatch({ ranges }: Batch, taken: ReadonlyMap<number, Known>): IntendedBatch {
  const known: KnownPart[] = [];
  const rest: DocumentRange[] = [];
  let before = 0;
  for (const range of ranges) {
    const first = before - range.from;
    for (const [part, by] of splitRange(range, (document) => taken.get(first + document))) {
      if (by === undefined) rest.push(part);
      else known.push([part, by]);
    }
    before += range.to - range.from;
  }
  return { batch: batchOf(rest), known };
}

/**
 * Splits a range into neighbours of which the same can be said.
 * @param say what there is to say of a document; compared as it is
 */
export function* splitRange<T>(
  { documents, from, to }: DocumentRange,
  say: (document: number) => T,
): Generator<readonly [DocumentRange, T], void, undefined> {
  let start = from;
  while (start < to) {
    const said = say(start);
    let end = start + 1;
    while (end < to && say(end) === said) end += 1;
    yield [{ documents, from: start, to: end }, said];
    start = end;
  }
}

/** For each record of an intent the hash of what was sent for it. */
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
