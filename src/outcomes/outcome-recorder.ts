import type { Repeat, SharedHash } from '../duplicates/set-apart-repeats.js';
import type { Chunk } from '../model/chunk.js';
import {
  type Batch,
  type DocumentRange,
  type Documents,
  type InvalidRecord,
  sourceIdOf,
  sourceIdsOf,
} from '../model/documents.js';
import type { Counts, Outcome, Problem, ProblemKind } from '../model/record.js';
import { countRecords, type RecordRange } from '../model/record-ranges.js';
import type { Source } from '../model/source.js';
import type { RejectsWriter } from '../report/rejects.js';
import type { UnknownRecords } from '../report/report.js';
import { FixedRecords } from './fixed-records.js';
import { RecordNumbers } from './record-numbers.js';
import type { ReadRecord } from './record-reader.js';
import type { RepeatProblems } from './repeat-problems.js';
import type { EventHub } from './run-events.js';
import type { StopConditions } from './stop-conditions.js';
import { Tally } from './tally.js';
import { OutcomeTeller, type Told } from './tell-outcomes.js';
import { UndecodablePlaces } from './undecodable-places.js';
import { UnknownPlaces } from './unknown-places.js';

/** Who is told of a run's records, and in which words. */
export interface RecorderListeners {
  readonly hub: EventHub;
  readonly stops: StopConditions;
  readonly rejects: RejectsWriter | undefined;
  readonly repeats: RepeatProblems;
  /** Only if listeners want to see the records. */
  readonly readRecord?: ReadRecord | undefined;
}

/**
 * Records the outcomes of a run: every stage's results pass through here once, and are told to whoever has
 * to know, among them the stop conditions.
 */
export class OutcomeRecorder {
  readonly #sources: readonly Source[];
  readonly #stops: StopConditions;
  readonly #tally: Tally;
  readonly #teller: OutcomeTeller;
  readonly #numbers: RecordNumbers;
  readonly #unknown = new UnknownPlaces();
  #pending = 0;
  /** Requests that carried documents, and how many of them were made again. */
  batches = 0;
  retries = 0;
  /** What refusals of several documents turned out to mean. */
  refusals: 'atomic' | 'partial' | null = null;
  /** Which rejects of earlier runs were accepted. */
  readonly fixed: FixedRecords = new FixedRecords();
  readonly repeats: RepeatProblems;
  /** Where bytes could not be decoded. */
  readonly undecodable: UndecodablePlaces = new UndecodablePlaces();
  /** All inputs were read to their end. */
  readToEnd = false;

  constructor(sources: readonly Source[], { repeats, ...told }: RecorderListeners) {
    const { stops } = told;
    this.#sources = sources;
    this.#stops = stops;
    this.#tally = new Tally(sources.map(({ name }) => name));
    this.#teller = new OutcomeTeller({ ...told, sources, tally: this.#tally });
    this.#numbers = new RecordNumbers(sources);
    this.repeats = repeats;
  }

  counts(): Counts {
    return this.#tally.counts();
  }

  /** Where the records stand whose fate is unknown. */
  unknown(): readonly UnknownRecords[] {
    return this.#unknown.list();
  }

  get tally(): Tally {
    return this.#tally;
  }

  /** Records read from input number `input`, from 0. */
  recordsOf(input: number): number {
    return this.#numbers.readOf(input);
  }

  /** A chunk has been transformed, and so many of its records are skipped. */
  transformed(chunk: Chunk, skipped: number): void {
    this.#numbers.add(chunk, this.#tally.counts().read);
    this.#tally.read(chunk.records);
    this.#tally.settle('skipped', skipped);
  }

  /** Number of a chunk's first record in the whole run, from 0. Known once it is transformed. */
  firstOrdinal(chunk: Chunk): number {
    return this.#numbers.firstOf(chunk);
  }

  /**
   * The records of a chunk that go no further: invalid, or a document that repeats an earlier
   * sourceId. They are taken in source order, however the source is cut into chunks.
   */
  setApart(
    documents: Documents,
    invalid: readonly InvalidRecord[],
    repeats: readonly Repeat[],
  ): void {
    const { chunk, records } = documents;
    let next = 0;
    for (const repeat of repeats) {
      const index = records[repeat.document] as number;
      next = this.#invalid(chunk, invalid, { from: next, before: index });
      this.#repeated(documents, repeat, index);
    }
    this.#invalid(chunk, invalid, { from: next, before: Infinity });
    this.#stops.checkErrors(this.counts());
  }

  /** A review goes on to be sent with an id of its own, as another one has the same hash. */
  sharesHash({ range, earlier }: SharedHash): void {
    this.#teller.tellProblem(range, this.repeats.shared(this.#numbers.nameOf(earlier)));
  }

  /** Documents that go on to be sent: they are unsent until they are settled. */
  handedOn(range: DocumentRange): void {
    this.#pending += range.to - range.from;
  }

  /** The fate of a batch's documents is known, as far as it can be. */
  settled(batch: Batch, outcome: 'accepted' | 'rejected' | 'unknown', message: string): void {
    const problems = outcome === 'accepted' ? [] : [problemOf(outcome, message)];
    this.#pending -= batch.count;
    for (const range of batch.ranges) this.#settleRange(range, { outcome, problems });
    if (outcome === 'rejected') this.#stops.checkErrors(this.counts());
  }

  /** What became of documents that this run need not send: they were settled earlier. */
  settleEarlier(range: DocumentRange, outcome: Outcome, problems: readonly Problem[]): void {
    this.#pending -= range.to - range.from;
    this.#settleRange(range, { outcome, problems });
  }

  /** Documents go out a second time, though the first time may have been enough. */
  sentAgain(range: DocumentRange, message: string): void {
    this.#teller.tellProblem(range, problemOf('sent-again', message));
  }

  /** The service shows these documents more than once. */
  shownTwice({ ranges }: Batch): void {
    for (const range of ranges) {
      this.#teller.tellProblem(
        range,
        problemOf('shown-twice', 'the service shows it more than once'),
      );
    }
  }

  /** The end: what was handed on and never settled has not been sent. */
  close(command: 'import' | 'validate'): void {
    const { unknown } = this.counts();
    const undone = command === 'import' && (this.#pending > 0 || unknown > 0);
    if (this.readToEnd && !undone) this.#stops.forgetLateInterruption();
    this.#tally.settle('unsent', this.#pending);
    this.#pending = 0;
  }

  /** Records that this process has not read, and of which an earlier one of the run knew this. */
  unread(range: RecordRange, outcome: 'accepted' | 'rejected' | 'unknown' | 'unsent'): void {
    const records = countRecords([range]);
    this.#tally.read(records);
    this.#tally.settle(outcome, records);
    const source = this.#sources[range.input]?.name;
    if (outcome === 'unknown' && source !== undefined) {
      this.#unknown.addUnread(source, range);
    }
  }

  /** Those before record `before` of the chunk. Gives the index of the first that is left. */
  #invalid(
    chunk: Chunk,
    invalid: readonly InvalidRecord[],
    { from, before }: { readonly from: number; readonly before: number },
  ): number {
    let at = from;
    for (let record = invalid[at]; record !== undefined; record = invalid[at]) {
      if (record.index >= before) break;
      const { index, problems } = record;
      this.#teller.tell(chunk, [{ index, sourceId: null }], { outcome: 'invalid', problems });
      at += 1;
    }
    return at;
  }

  #repeated(documents: Documents, repeat: Repeat, index: number): void {
    const sourceId = sourceIdOf(documents, repeat.document);
    const earlier = this.#numbers.nameOf(repeat.earlier);
    const problem = this.repeats.repeated(repeat, sourceId, earlier);
    const told = { outcome: repeat.outcome, problems: [problem] };
    this.#teller.tell(documents.chunk, [{ index, sourceId }], told);
  }

  #settleRange(range: DocumentRange, told: Told): void {
    const { documents, from, to } = range;
    if (told.outcome === 'unknown') this.#unknown.add(range);
    if (told.outcome === 'accepted') this.fixed.note(range);
    if (told.outcome === 'accepted' && this.#teller.onlyCounts) {
      // Most of all records: nobody asks for their names.
      this.#tally.settle('accepted', to - from);
      return;
    }
    const records = sourceIdsOf(range).map((sourceId, offset) => ({
      index: documents.records[from + offset] as number,
      sourceId,
    }));
    this.#teller.tell(documents.chunk, records, told);
  }
}

function problemOf(kind: ProblemKind, message: string): Problem {
  return { kind, field: null, message };
}
