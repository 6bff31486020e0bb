import type { PlacedChunk } from '../model/chunk.js';
import {
  type Batch,
  type DocumentRange,
  type Documents,
  type InvalidRecord,
  sourceIdsOf,
} from '../model/documents.js';
import type { Counts, Outcome, Place, Problem, ProblemKind, SkipCount } from '../model/record.js';
import { countRecords, type RecordRange } from '../model/record-ranges.js';
import type { EventHub, RecordOutcome } from './events.js';
import type { StopConditions } from './stop-conditions.js';
import { Tally } from './tally.js';

export interface RecorderPort {
  readonly hub: EventHub;
  readonly stops: StopConditions;
  readonly locate: (chunk: PlacedChunk, index: number) => Place;
  /** Writes a record to the rejects; `undefined` if none are wanted. */
  readonly reject?: ((chunk: PlacedChunk, index: number, why: RejectReason) => void) | undefined;
  /** Reads a record and its document; only if listeners want records. */
  readonly readRecord?: ReadRecord | undefined;
}

export type ReadRecord = (
  chunk: PlacedChunk,
  index: number,
) => Pick<RecordOutcome, 'record' | 'document'>;

export interface RejectReason {
  readonly place: Place;
  readonly outcome: 'invalid' | 'rejected' | 'unknown';
  readonly problems: readonly Problem[];
}

export interface RepeatedDocument {
  readonly document: number;
  readonly sourceId: string | null;
  readonly outcome: 'duplicate' | 'invalid';
  readonly problem: Problem;
}

export interface OutcomeDetail {
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

/**
 * Records the outcomes of a run. Every record is counted here once; those with problems, and all if
 * somebody listens, also one by one, for events and rejects.
 */
export class OutcomeRecorder {
  readonly #sources: readonly string[];
  readonly #port: RecorderPort;
  readonly numbers: RecordNumbers;
  readonly tally: Tally;
  readonly #pending = new Map<number, number>();
  /** Requests with documents, and how many of them were retries. */
  batches = 0;
  retries = 0;
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

  transformed(chunk: PlacedChunk, skips: readonly SkipCount[]): void {
    this.numbers.add(chunk, this.tally.counts().read);
    this.tally.add(chunk.input, 'read', chunk.records);
    const skipped = this.tally.addSkipped(chunk.input, skips);
    const { source, records, position } = chunk;
    this.#port.hub.emit({ type: 'read', source, from: position.record, records, skipped });
  }

  /**
   * Records invalid records and duplicates of a chunk, in source order however the source is cut
   * into chunks.
   */
  noteInvalidAndDuplicates(
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
      this.#note(chunk, [record], record);
    }
    this.#port.stops.checkErrors(this.counts());
  }

  /** Marks documents as unsent until their outcome is recorded. */
  markPending(range: DocumentRange): void {
    this.#addPending(range, 1);
  }

  noteBatch(batch: Batch, outcome: 'accepted' | 'rejected' | 'unknown', message: string): void {
    const problems = outcome === 'accepted' ? [] : [problemOf(outcome, message)];
    for (const range of batch.ranges) this.noteRange(range, { outcome, problems });
    if (outcome === 'rejected') this.#port.stops.checkErrors(this.counts());
  }

  /** Records the outcome of documents, also with an outcome from an earlier process or run. */
  noteRange(range: DocumentRange, detail: OutcomeDetail): void {
    this.#addPending(range, -1);
    const { documents, from, to } = range;
    if (detail.outcome === 'accepted' && !this.#port.hub.listening) {
      // Fast path for most records: no receiver needs their ids.
      this.tally.add(documents.chunk.input, 'accepted', to - from);
      return;
    }
    const records = sourceIdsOf(range).map((sourceId, offset) => ({
      index: documents.records[from + offset] as number,
      sourceId,
    }));
    this.#note(documents.chunk, records, detail);
  }

  /** Notes that documents are resent although the first request may have stored them. */
  noteSentAgain(range: DocumentRange, message: string): void {
    this.#addProblem(range, problemOf('sent-again', message));
  }

  noteShownTwice({ ranges }: Batch): void {
    const problem = problemOf('shown-twice', 'the service shows it more than once');
    for (const range of ranges) this.#addProblem(range, problem);
  }

  #addProblem({ documents, from, to }: DocumentRange, problem: Problem): void {
    for (let document = from; document < to; document += 1) {
      const index = documents.records[document] as number;
      this.tally.addProblems(this.#port.locate(documents.chunk, index), [problem]);
    }
  }

  /** Ends the run: documents still pending are unsent. */
  close(command: 'import' | 'validate'): void {
    const { unknown } = this.counts();
    const isPending = [...this.#pending.values()].some((documents) => documents > 0);
    const undone = command === 'import' && (isPending || unknown > 0);
    if (this.readToEnd && !undone) this.#port.stops.forgetLateInterruption();
    for (const [input, documents] of this.#pending) this.tally.add(input, 'unsent', documents);
    this.#pending.clear();
  }

  /** Counts records that an earlier process settled and that this one hasn't read. */
  noteCarriedOver(
    range: RecordRange,
    outcome: 'accepted' | 'rejected' | 'duplicate' | 'unknown' | 'unsent',
  ): void {
    const records = countRecords([range]);
    this.tally.add(range.input, 'read', records);
    this.tally.add(range.input, outcome, records);
    const source = this.#sources[range.input];
    if (source === undefined) return;
    if (outcome === 'unknown') this.tally.addUnknown(source, range);
    this.#port.hub.emit({ type: 'carried-over', source, from: range.from, records, outcome });
  }

  #addPending({ documents, from, to }: DocumentRange, sign: 1 | -1): void {
    const { input } = documents.chunk;
    this.#pending.set(input, (this.#pending.get(input) ?? 0) + sign * (to - from));
  }

  /** Counts records of a chunk, writes rejects, and emits events. */
  #note(
    chunk: PlacedChunk,
    records: readonly { readonly index: number; readonly sourceId: string | null }[],
    { outcome, problems }: OutcomeDetail,
  ): void {
    const { hub, locate, reject, readRecord } = this.#port;
    this.tally.add(chunk.input, outcome, records.length);
    const isReject = outcome === 'invalid' || outcome === 'rejected' || outcome === 'unknown';
    for (const { index } of problems.length === 0 ? [] : records) {
      const place = locate(chunk, index);
      this.tally.addProblems(place, problems);
      if (isReject) reject?.(chunk, index, { place, outcome, problems });
      const { source, record } = place;
      if (outcome === 'unknown') this.tally.addUnknown(source, { from: record, to: record });
    }
    if (!hub.listening) return;
    const outcomes = records.map(({ index, sourceId }): RecordOutcome => {
      return { place: locate(chunk, index), sourceId, problems, ...readRecord?.(chunk, index) };
    });
    hub.emit({ type: 'outcome', outcome, records: outcomes });
  }
}

function problemOf(kind: ProblemKind, message: string): Problem {
  return { kind, field: null, message };
}

/** Counts records read from each input, and names records by their number in the run. */
class RecordNumbers {
  readonly #sources: readonly string[];
  /** Number, in the run, of the first record of each input, by input. */
  readonly #before: number[] = [];
  readonly #read: number[];

  constructor(sources: readonly string[]) {
    this.#sources = sources;
    this.#read = sources.map(() => 0);
  }

  /**
   * Adds a chunk.
   * @param before records of the run before it
   */
  add(chunk: PlacedChunk, before: number): void {
    const { input, records } = chunk;
    // The first record read of an input may be in its middle.
    this.#before[input] ??= before - (chunk.position.record - 1);
    this.#read[input] = this.readOf(input) + records;
  }

  readOf(input: number): number {
    return this.#read[input] ?? 0;
  }

  /** Number of a chunk's first record in the run, from 0. Known once the chunk was added. */
  firstOf({ input, position }: PlacedChunk): number {
    return (this.#before[input] ?? 0) + position.record - 1;
  }

  /**
   * Names a record.
   * @param ordinal its number in the run, from 0
   */
  nameOf(ordinal: number): string {
    let input = this.#before.length - 1;
    while (input > 0 && (this.#before[input] ?? Infinity) > ordinal) input -= 1;
    const record = ordinal - (this.#before[input] ?? 0) + 1;
    return `${this.#sources[input] ?? 'the input'}, record ${record}`;
  }
}
