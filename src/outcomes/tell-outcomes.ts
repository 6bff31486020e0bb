import { placeOf, recordAsRead } from '../formats/records.js';
import type { Chunk } from '../model/chunk.js';
import type { DocumentRange } from '../model/documents.js';
import type { Outcome, Problem } from '../model/record.js';
import type { Source } from '../model/source.js';
import { OutputError } from '../outputs/output-file.js';
import type { RejectEntry, RejectsWriter } from '../report/rejects.js';
import type { ReadRecord } from './record-reader.js';
import type { EventHub, RecordOutcome } from './run-events.js';
import type { StopConditions } from './stop-conditions.js';
import type { Tally } from './tally.js';

/** A record of a chunk. */
export interface NumberedRecord {
  /** Which record of the chunk, from 0. */
  readonly index: number;
  /** `null` if it never became a document. */
  readonly sourceId: string | null;
}

/** What happened to records, and why. */
export interface Told {
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

/** Who has to be told. */
export interface Listeners {
  readonly tally: Tally;
  readonly hub: EventHub;
  readonly stops: StopConditions;
  readonly rejects: RejectsWriter | undefined;
  readonly sources: readonly Source[];
  /** Only if listeners want to see the records. */
  readonly readRecord?: ReadRecord | undefined;
}

/** Tells what became of records: it is counted, passed on to listeners, and rejected if need be. */
export class OutcomeTeller {
  readonly #to: Listeners;

  constructor(to: Listeners) {
    this.#to = to;
  }

  /** Whether nobody but the count has to know, as long as there are no problems. */
  get onlyCounts(): boolean {
    return !this.#to.hub.listening;
  }

  tell(chunk: Chunk, records: readonly NumberedRecord[], told: Told): void {
    const { outcome, problems } = told;
    if (outcome === 'invalid' || outcome === 'rejected' || outcome === 'unknown') {
      for (const record of records) this.#fail(chunk, record, { outcome, problems });
    } else {
      this.#note(chunk, records, told);
    }
  }

  /** A problem that changes nothing about the outcome. */
  tellProblem({ documents, from, to }: DocumentRange, problem: Problem): void {
    for (let document = from; document < to; document += 1) {
      const place = placeOf(documents.chunk, documents.records[document] as number);
      this.#to.tally.problem(place, problem);
    }
  }

  /** Records that need no mending. */
  #note(chunk: Chunk, records: readonly NumberedRecord[], { outcome, problems }: Told): void {
    const { tally, hub } = this.#to;
    tally.settle(outcome, records.length);
    if (problems.length > 0) {
      for (const { index } of records) {
        for (const problem of problems) tally.problem(placeOf(chunk, index), problem);
      }
    }
    if (!hub.listening) return;
    const told = records.map((record) => this.#outcomeOf(chunk, record, problems));
    hub.emit({ type: 'outcome', outcome, records: told });
  }

  /** A record that somebody has to look after. */
  #fail(
    chunk: Chunk,
    record: NumberedRecord,
    { outcome, problems }: Pick<RejectEntry, 'outcome' | 'problems'>,
  ): void {
    const { tally, hub } = this.#to;
    const { index } = record;
    const place = placeOf(chunk, index);
    tally.settle(outcome);
    for (const problem of problems) tally.problem(place, problem);
    this.#reject(chunk, index, { place, outcome, problems });
    if (!hub.listening) return;
    hub.emit({ type: 'outcome', outcome, records: [this.#outcomeOf(chunk, record, problems)] });
  }

  #outcomeOf(
    chunk: Chunk,
    { index, sourceId }: NumberedRecord,
    problems: readonly Problem[],
  ): RecordOutcome {
    const { readRecord } = this.#to;
    const told = { place: placeOf(chunk, index), sourceId, problems };
    return readRecord === undefined ? told : { ...told, record: readRecord(chunk, index) };
  }

  /** Puts a record among the rejects; a disk that is full ends the run, but not its report. */
  #reject(
    chunk: Chunk,
    index: number,
    why: Pick<RejectEntry, 'place' | 'outcome' | 'problems'>,
  ): void {
    const { sources, rejects, stops } = this.#to;
    const source = sources[chunk.input];
    if (source === undefined || rejects === undefined) return;
    try {
      rejects.add({ ...why, source, ...recordAsRead(chunk, index) });
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      stops.stop({ kind: 'output', message: error.message, cause: error });
    }
  }
}
