import type { PlacedChunk } from '../model/chunk.js';
import {
  type Batch,
  type DocumentRange,
  type Documents,
  type InvalidRecord,
  sourceIdsOf,
} from '../model/documents.js';
import type { Counts, Outcome, Place, Problem, ProblemKind } from '../model/record.js';
import { countRecords, type RecordRange } from '../model/record-ranges.js';
import type { EventHub, RecordOutcome } from './events.js';
import type { StopConditions } from './stop-conditions.js';
import { Tally } from './tally.js';

/** Who is told of a run's records, and what can be asked about them. */
export interface RecorderPort {
  readonly hub: EventHub;
  readonly stops: StopConditions;
  /** Where a record of a chunk stands. */
  readonly locate: (chunk: PlacedChunk, index: number) => Place;
  /** Puts a record among the rejects; `undefined`: none are asked for. */
  readonly reject?: ((chunk: PlacedChunk, index: number, why: RejectReason) => void) | undefined;
  /** Gives a record by column or key; only if listeners want to see the records. */
  readonly readRecord?: ((chunk: PlacedChunk, index: number) => unknown) | undefined;
}

/** Why somebody has to look after a record. */
export interface RejectReason {
  readonly place: Place;
  readonly outcome: 'invalid' | 'rejected' | 'unknown';
  readonly problems: readonly Problem[];
}

/** A document that repeats an earlier one. */
export interface RepeatedDocument {
  readonly document: number;
  readonly sourceId: string | null;
  readonly outcome: 'duplicate' | 'invalid';
  readonly problem: Problem;
}

/** What happened to records, and why. */
export interface OutcomeDetail {
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

/**
 * Records the outcomes of a run: every stage's results pass through here once. A record is counted,
 * told to listeners and stop conditions, and rejected if need be.
 */
export class OutcomeRecorder {
  readonly #sources: readonly string[];
  readonly #port: RecorderPort;
  readonly numbers: RecordNumbers;
  readonly tally: Tally;
  /** Documents that are to be sent and not settled, by input. */
  readonly #pending = new Map<number, number>();
  /** Requests that carried documents, and how many of them were made again. */
  batches = 0;
  retries = 0;
  /** All inputs were read to their end. */
  readToEnd = false;

  /** @param sources names of the sources in reading order */
  constructor(sources: readonly string[], port: RecorderPort) {
    this.#sources = sources;
    this.#port = port;
    this.numbers = new RecordNumbers(sources);
    this.tally = new Tally(sources);
  }

  counts(): Counts {
    return this.tally.counts();
  }

  /** A chunk has been transformed, and so many of its records are skipped. */
  transformed(chunk: PlacedChunk, skipped: number): void {
    this.numbers.add(chunk, this.tally.counts().read);
    this.tally.read(chunk.input, chunk.records);
    this.tally.settle(chunk.input, 'skipped', skipped);
    const { source, records, position } = chunk;
    this.#port.hub.emit({ type: 'read', source, from: position.record, records, skipped });
  }

  /**
   * The records of a chunk that go no further: invalid, or a document that repeats an earlier
   * sourceId. They are taken in source order, however the source is cut into chunks.
   */
  setApart(
    documents: Documents,
    invalid: readonly InvalidRecord[],
    repeats: readonly RepeatedDocument[],
  ): void {
    const { chunk, records } = documents;
    const all = [
      ...invalid.map((record) => ({ ...record, sourceId: null, outcome: 'invalid' as const })),
      ...repeats.map(({ document, problem, ...repeat }) => {
        return { ...repeat, index: records[document] as number, problems: [problem] };
      }),
    ];
    for (const record of all.toSorted((a, b) => a.index - b.index)) {
      this.#settle(chunk, [record], record);
    }
    this.#port.stops.checkErrors(this.counts());
  }

  /** Documents that are to be sent: they are unsent until they are settled. */
  markPending(range: DocumentRange): void {
    this.#addPending(range, 1);
  }

  /** The outcome of a batch's documents is known, as far as it can be. */
  settled(batch: Batch, outcome: 'accepted' | 'rejected' | 'unknown', message: string): void {
    const problems = outcome === 'accepted' ? [] : [problemOf(outcome, message)];
    for (const range of batch.ranges) this.settleRange(range, { outcome, problems });
    if (outcome === 'rejected') this.#port.stops.checkErrors(this.counts());
  }

  /** The outcome of these documents is known, be it from an earlier process or run. */
  settleRange(range: DocumentRange, detail: OutcomeDetail): void {
    this.#addPending(range, -1);
    const { documents, from, to } = range;
    if (detail.outcome === 'accepted' && !this.#port.hub.listening) {
      // Most of all records: nobody asks for their names.
      this.tally.settle(documents.chunk.input, 'accepted', to - from);
      return;
    }
    const records = sourceIdsOf(range).map((sourceId, offset) => ({
      index: documents.records[from + offset] as number,
      sourceId,
    }));
    this.#settle(documents.chunk, records, detail);
  }

  /** Documents go out a second time, though the first time may have been enough. */
  sentAgain(range: DocumentRange, message: string): void {
    this.#note(range, problemOf('sent-again', message));
  }

  /** The service shows these documents more than once. */
  shownTwice({ ranges }: Batch): void {
    const problem = problemOf('shown-twice', 'the service shows it more than once');
    for (const range of ranges) this.#note(range, problem);
  }

  /** A problem that changes nothing about the outcome. */
  #note({ documents, from, to }: DocumentRange, problem: Problem): void {
    for (let document = from; document < to; document += 1) {
      const index = documents.records[document] as number;
      this.tally.problem(this.#port.locate(documents.chunk, index), problem);
    }
  }

  /** The end: what was pending and never settled has not been sent. */
  close(command: 'import' | 'validate'): void {
    const { unknown } = this.counts();
    const isPending = [...this.#pending.values()].some((documents) => documents > 0);
    const undone = command === 'import' && (isPending || unknown > 0);
    if (this.readToEnd && !undone) this.#port.stops.forgetLateInterruption();
    for (const [input, documents] of this.#pending) this.tally.settle(input, 'unsent', documents);
    this.#pending.clear();
  }

  /** Records that this process has not read, and of which an earlier one of the run knew this. */
  recordSkippedByResume(
    range: RecordRange,
    outcome: 'accepted' | 'rejected' | 'unknown' | 'unsent',
  ): void {
    const records = countRecords([range]);
    this.tally.read(range.input, records);
    this.tally.settle(range.input, outcome, records);
    const source = this.#sources[range.input];
    if (source === undefined) return;
    if (outcome === 'unknown') this.tally.unknown(source, range);
    this.#port.hub.emit({ type: 'unread', source, from: range.from, records, outcome });
  }

  #addPending({ documents, from, to }: DocumentRange, sign: 1 | -1): void {
    const { input } = documents.chunk;
    this.#pending.set(input, (this.#pending.get(input) ?? 0) + sign * (to - from));
  }

  /** Counts records of a chunk, puts those that somebody has to look after among the rejects, and tells listeners. */
  #settle(
    chunk: PlacedChunk,
    records: readonly { readonly index: number; readonly sourceId: string | null }[],
    { outcome, problems }: OutcomeDetail,
  ): void {
    const { hub, locate, reject, readRecord } = this.#port;
    this.tally.settle(chunk.input, outcome, records.length);
    const isReject = outcome === 'invalid' || outcome === 'rejected' || outcome === 'unknown';
    for (const { index } of problems.length === 0 ? [] : records) {
      const place = locate(chunk, index);
      for (const problem of problems) this.tally.problem(place, problem);
      if (isReject) reject?.(chunk, index, { place, outcome, problems });
      const { source, record } = place;
      if (outcome === 'unknown') this.tally.unknown(source, { from: record, to: record });
    }
    if (!hub.listening) return;
    const outcomes = records.map(({ index, sourceId }): RecordOutcome => {
      const one = { place: locate(chunk, index), sourceId, problems };
      return readRecord === undefined ? one : { ...one, record: readRecord(chunk, index) };
    });
    hub.emit({ type: 'outcome', outcome, records: outcomes });
  }
}

function problemOf(kind: ProblemKind, message: string): Problem {
  return { kind, field: null, message };
}

/** How many records were read of each input, and what a record is called by its number in the run. */
class RecordNumbers {
  readonly #sources: readonly string[];
  /** For each input: how many records of earlier inputs were read. */
  readonly #before: number[] = [];
  readonly #read: number[];

  constructor(sources: readonly string[]) {
    this.#sources = sources;
    this.#read = sources.map(() => 0);
  }

  /**
   * A chunk was read.
   * @param before how many records of the run were read before it
   */
  add({ input, records }: PlacedChunk, before: number): void {
    this.#before[input] ??= before;
    this.#read[input] = this.readOf(input) + records;
  }

  /** Records read from input number `input`, from 0. */
  readOf(input: number): number {
    return this.#read[input] ?? 0;
  }

  /** Number of a chunk's first record in the whole run, from 0. Known once the chunk was added. */
  firstOf({ input, position }: PlacedChunk): number {
    return (this.#before[input] ?? 0) + position.record - 1;
  }

  /** Names a record by its number in the run, from 0. */
  nameOf(ordinal: number): string {
    let input = this.#before.length - 1;
    while (input > 0 && (this.#before[input] ?? Infinity) > ordinal) input -= 1;
    const record = ordinal - (this.#before[input] ?? 0) + 1;
    return `${this.#sources[input] ?? 'the input'}, record ${record}`;
  }
}
