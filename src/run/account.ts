import { placeOf } from '../boundaries/record-at.js';
import type { Chunk } from '../chunk.js';
import type { Verdict } from '../delivery/classify-answer.js';
import {
  type Batch,
  type DocumentRange,
  type Documents,
  type InvalidRecord,
  sourceIdOf,
  sourceIdsOf,
} from '../documents.js';
import type { Repeat } from '../duplicates/set-apart-repeats.js';
import type { Counts, Outcome, Problem } from '../record.js';
import { countRecords, type RecordRange, recordNumber } from '../record-ranges.js';
import { OutputError } from '../report/output-file.js';
import type { RejectEntry, RejectsWriter } from '../report/rejects.js';
import type { UnknownRecords } from '../report/report.js';
import { Tally } from '../report/tally.js';
import type { Source } from '../source/source.js';
import type { Brake } from './brake.js';
import { MendedRecords } from './kept/mended-records.js';
import { recordAsRead } from './kept/record-as-read.js';
import type { EventHub, RecordOutcome } from './run-events.js';

/** A record of a chunk. */
interface NumberedRecord {
  /** Which record of the chunk, from 0. */
  readonly index: number;
  /** `null` if it never became a document. */
  readonly sourceId: string | null;
}

/**
 * Keeps account of a run: every stage's results pass through here once, are counted, told to
 * listeners, and written to the rejects. The brake is shown what might end the run.
 */
export class Account {
  readonly #tally: Tally;
  readonly #sources: readonly Source[];
  readonly #hub: EventHub;
  readonly #rejects: RejectsWriter | undefined;
  readonly #brake: Brake;
  /** For each input: how many records of earlier inputs were read. */
  readonly #recordsBefore: number[] = [];
  readonly #recordsOf: number[];
  #pending = 0;
  /** Requests that carried documents, and how many of them were made again. */
  batches = 0;
  retries = 0;
  readonly #unknown: UnknownRecords[] = [];
  /** Which rejects of earlier runs were accepted. */
  readonly mended: MendedRecords = new MendedRecords();
  /** All inputs were read to their end. */
  readToEnd = false;

  constructor(
    sources: readonly Source[],
    hub: EventHub,
    brake: Brake,
    rejects: RejectsWriter | undefined,
  ) {
    this.#sources = sources;
    this.#hub = hub;
    this.#brake = brake;
    this.#rejects = rejects;
    this.#recordsOf = sources.map(() => 0);
    this.#tally = new Tally(sources.map(({ name }) => name));
  }

  counts(): Counts {
    return this.#tally.counts();
  }

  /** Where the records stand whose fate is unknown. */
  unknown(): readonly UnknownRecords[] {
    return this.#unknown;
  }

  get tally(): Tally {
    return this.#tally;
  }

  /** Records read from input number `input`, from 0. */
  recordsOf(input: number): number {
    return this.#recordsOf[input] ?? 0;
  }

  /** A chunk has been transformed, and so many of its records are skipped. */
  transformed(chunk: Chunk, skipped: number): void {
    this.#recordsBefore[chunk.input] ??= this.#tally.counts().read;
    this.#recordsOf[chunk.input] = this.recordsOf(chunk.input) + chunk.records;
    this.#tally.read(chunk.records);
    this.#tally.settle('skipped', skipped);
  }

  /** Number of a chunk's first record in the whole run, from 0. Known once it is transformed. */
  firstOrdinal(chunk: Chunk): number {
    return (this.#recordsBefore[chunk.input] ?? 0) + chunk.position.record - 1;
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
    this.#brake.checkErrors(this.counts());
  }

  /** Documents that go on to be sent: they are unsent until a verdict settles them. */
  handedOn(range: DocumentRange): void {
    this.#pending += range.to - range.from;
  }

  /** The fate of a batch's documents is known, as far as it can be. */
  settled(batch: Batch, verdict: Verdict): void {
    this.#brake.checkVerdict(verdict);
    switch (verdict.kind) {
      case 'accepted':
        this.#settleBatch(batch, 'accepted', []);
        break;
      case 'unknown':
        this.#settleBatch(batch, 'unknown', [problemOf('unknown', verdict.message)]);
        break;
      case 'rejected':
        this.#settleBatch(batch, 'rejected', [problemOf('rejected', verdict.message)]);
        this.#brake.checkErrors(this.counts());
        break;
      case 'unsent':
      case 'no-access':
        // Nothing has happened to these documents: they are still to be sent.
        break;
      default:
        verdict satisfies never;
    }
  }

  /** What became of documents that this run need not send: they were settled earlier. */
  settleEarlier(range: DocumentRange, outcome: Outcome, problems: readonly Problem[]): void {
    this.#pending -= range.to - range.from;
    this.#settleRange(range, outcome, problems);
  }

  /** Documents go out a second time, though the first time may have been enough. */
  sentAgain(range: DocumentRange, message: string): void {
    this.#problems(range, problemOf('sent-again', message));
  }

  /** The service shows these documents more than once. */
  shownTwice({ ranges }: Batch): void {
    for (const range of ranges) {
      this.#problems(range, problemOf('shown-twice', 'the service shows it more than once'));
    }
  }

  /** The end: what was handed on and never settled has not been sent. */
  close(command: 'import' | 'validate'): void {
    const { unknown } = this.counts();
    const undone = command === 'import' && (this.#pending > 0 || unknown > 0);
    if (this.readToEnd && !undone) this.#brake.forgetLateInterruption();
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
      this.#unknown.push({ source, from: range.from, to: range.to });
    }
  }

  #problems({ documents, from, to }: DocumentRange, problem: Problem): void {
    for (let document = from; document < to; document += 1) {
      const place = placeOf(documents.chunk, documents.records[document] as number);
      this.#tally.problem(place, problem);
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
      this.#fail('invalid', chunk, { index: record.index, sourceId: null }, record.problems);
      at += 1;
    }
    return at;
  }

  #repeated(documents: Documents, repeat: Repeat, index: number): void {
    const sourceId = sourceIdOf(documents, repeat.document);
    const problem = this.#repeatProblem(repeat, sourceId);
    const record = { index, sourceId };
    if (repeat.outcome === 'invalid') this.#fail('invalid', documents.chunk, record, [problem]);
    else this.#note('duplicate', documents.chunk, [record], [problem]);
  }

  #settleBatch(batch: Batch, outcome: Outcome, problems: readonly Problem[]): void {
    this.#pending -= batch.count;
    for (const range of batch.ranges) this.#settleRange(range, outcome, problems);
  }

  #settleRange(range: DocumentRange, outcome: Outcome, problems: readonly Problem[]): void {
    const { documents, from, to } = range;
    if (outcome === 'unknown') this.#noteUnknown(range);
    if (outcome === 'accepted') this.mended.note(range);
    if (outcome === 'accepted' && !this.#hub.listening) {
      // Most of all records: nobody asks for their names.
      this.#tally.settle(outcome, to - from);
      return;
    }
    const records = sourceIdsOf(range).map((sourceId, offset) => ({
      index: documents.records[from + offset] as number,
      sourceId,
    }));
    if (outcome === 'rejected' || outcome === 'unknown') {
      for (const record of records) this.#fail(outcome, documents.chunk, record, problems);
    } else {
      this.#note(outcome, documents.chunk, records, problems);
    }
  }

  #noteUnknown({ documents, from, to }: DocumentRange): void {
    const { source } = documents.chunk;
    for (let document = from; document < to; document += 1) {
      const record = recordNumber(documents, document);
      const last = this.#unknown.at(-1);
      if (last?.source === source && last.to + 1 === record) {
        this.#unknown[this.#unknown.length - 1] = { ...last, to: record };
      } else {
        this.#unknown.push({ source, from: record, to: record });
      }
    }
  }

  /** Counts records that need no mending, and tells listeners. */
  #note(
    outcome: Outcome,
    chunk: Chunk,
    records: readonly NumberedRecord[],
    problems: readonly Problem[],
  ): void {
    this.#tally.settle(outcome, records.length);
    if (problems.length > 0) {
      for (const { index } of records) {
        for (const problem of problems) this.#tally.problem(placeOf(chunk, index), problem);
      }
    }
    if (!this.#hub.listening) return;
    const told = records.map(
      ({ index, sourceId }): RecordOutcome => ({
        place: placeOf(chunk, index),
        sourceId,
        problems,
      }),
    );
    this.#hub.emit({ type: 'outcome', outcome, records: told });
  }

  /** Counts a record that somebody has to look after, tells listeners, and rejects it. */
  #fail(
    outcome: 'invalid' | 'rejected' | 'unknown',
    chunk: Chunk,
    { index, sourceId }: NumberedRecord,
    problems: readonly Problem[],
  ): void {
    const place = placeOf(chunk, index);
    this.#tally.settle(outcome);
    for (const problem of problems) this.#tally.problem(place, problem);
    this.#reject(chunk, index, { place, outcome, problems });
    this.#hub.emit({ type: 'outcome', outcome, records: [{ place, sourceId, problems }] });
  }

  /** Puts a record among the rejects; a disk that is full ends the run, but not its report. */
  #reject(
    chunk: Chunk,
    index: number,
    why: Pick<RejectEntry, 'place' | 'outcome' | 'problems'>,
  ): void {
    const source = this.#sources[chunk.input];
    if (source === undefined || this.#rejects === undefined) return;
    try {
      this.#rejects.add({ ...why, source, ...recordAsRead(chunk, index) });
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      this.#brake.pull({ kind: 'output', message: error.message });
    }
  }

  #repeatProblem(repeat: Repeat, sourceId: string | null): Problem {
    const earlier = this.#nameOrdinal(repeat.earlier);
    const id = JSON.stringify(sourceId);
    const field = 'sourceId';
    return repeat.outcome === 'duplicate'
      ? {
          kind: 'duplicate',
          field,
          message: `${id} came before with the same content, in ${earlier}`,
        }
      : {
          kind: 'repeated-id',
          field,
          message: `${id} came before with other content, in ${earlier}: is this really the review's own id? If not, map another column, or a hash of more columns`,
        };
  }

  /** Names a record by its number in the run. */
  #nameOrdinal(ordinal: number): string {
    let input = this.#recordsBefore.length - 1;
    while (input > 0 && (this.#recordsBefore[input] ?? Infinity) > ordinal) input -= 1;
    const record = ordinal - (this.#recordsBefore[input] ?? 0) + 1;
    return `${this.#sources[input]?.name ?? 'the input'}, record ${record}`;
  }
}

function problemOf(kind: string, message: string): Problem {
  return { kind, field: null, message };
}
