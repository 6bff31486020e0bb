import { PassThrough } from 'node:stream';
import type { ImportRun } from '../operations/pipeline/import-run.js';
import type { Report } from '../report/report.js';

/** What became of one stream's records in an epoch. */
export interface StreamEnd {
  readonly stream: string;
  readonly report: Report;
  /** The line of the tap's output that each record stood in, the first one's first. */
  readonly lines: readonly number[];
}

/** What became of all records of an epoch. */
interface EpochEnd {
  readonly ends: readonly StreamEnd[];
  /** Of runs that could not begin, or not continue: they have no report. */
  readonly errors: readonly unknown[];
}

/** Begins an import of a stream's records. */
export type BeginRun = (stream: string, records: AsyncIterable<object>) => ImportRun;

/** A stream's run that is fed. */
interface Fed {
  readonly feed: RecordFeed;
  readonly lines: number[];
  /** Never rejects. */
  readonly end: Promise<{ readonly report: Report } | { readonly error: unknown }>;
}

/**
 * Some of a tap's records, imported by one run for each of their streams, all at the same time.
 * Records are handed on as they come; once it has ended, what became of all of them is known.
 */
export class Epoch {
  /** How many records it was given. */
  records = 0;
  /** Whether a run has ended before its records have: then so must the epoch. */
  stopped = false;
  readonly #begin: BeginRun;
  readonly #hurry: AbortSignal;
  readonly #runs = new Map<string, Fed>();

  /** @param hurry aborted: the epoch is about to end, and what it is given need not wait any more */
  constructor(begin: BeginRun, hurry: AbortSignal) {
    this.#begin = begin;
    this.#hurry = hurry;
  }

  /** Resolves when there is room for another record. */
  async add(stream: string, record: object, line: number): Promise<void> {
    this.records += 1;
    const known = this.#runs.get(stream);
    const { feed, lines } = known ?? this.#feed(stream);
    lines.push(line);
    await feed.give(record);
    // One begins after the other: each has the state folder to itself for a moment.
    if (known === undefined) await feed.flowing;
  }

  /** Waits until every record's outcome is known. */
  async end(): Promise<EpochEnd> {
    for (const { feed } of this.#runs.values()) feed.end();
    const ends: StreamEnd[] = [];
    const errors: unknown[] = [];
    for (const [stream, { lines, end }] of this.#runs) {
      const ended = await end;
      if ('report' in ended) ends.push({ stream, report: ended.report, lines });
      else errors.push(ended.error);
    }
    return { ends, errors };
  }

  #feed(stream: string): Fed {
    const feed = new RecordFeed(this.#hurry);
    const run = this.#begin(stream, feed);
    const end = run.then(
      (report) => ({ report }),
      (error: unknown) => ({ error }),
    );
    void end.then(() => {
      this.stopped ||= !feed.ended;
      feed.leave();
    });
    const fed = { feed, lines: [], end };
    this.#runs.set(stream, fed);
    return fed;
  }
}

/** Records that may wait to be read: as many as a run takes at a time. */
const MAX_WAITING = 500;

/**
 * Hands records over to a run as it reads them. Who gives them waits while enough are waiting, until
 * the feed is left, or the signal says that there is no time.
 */
class RecordFeed implements AsyncIterable<object> {
  readonly #hurry: AbortSignal;
  readonly #records = new PassThrough({
    objectMode: true,
    writableHighWaterMark: MAX_WAITING,
    readableHighWaterMark: 1,
  });
  #wake: () => void = () => {};
  #flow: () => void = () => {};
  /** Resolves once a run reads more than the first record, which it does when it has begun; or has left. */
  readonly flowing: Promise<void> = new Promise((resolve) => {
    this.#flow = resolve;
  });

  /** @param hurry aborted: nobody waits any more until there is room */
  constructor(hurry: AbortSignal) {
    this.#hurry = hurry;
    hurry.addEventListener('abort', this.#wakeGiver);
    this.#records.on('drain', this.#wakeGiver);
    this.#records.on('close', () => {
      hurry.removeEventListener('abort', this.#wakeGiver);
      this.#flow();
      this.#wakeGiver();
    });
  }

  readonly #wakeGiver = (): void => this.#wake();

  /** Whether there are no more to come. */
  get ended(): boolean {
    return this.#records.writableEnded;
  }

  /** Gives a record; resolves when there is room for the next. What comes after it was left is lost. */
  async give(record: object): Promise<void> {
    if (this.#records.destroyed || this.#records.write(record) || this.#hurry.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** There are no more. */
  end(): void {
    this.#records.end();
  }

  /** Nobody will read it any more. */
  leave(): void {
    this.#records.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<object, void> {
    for await (const record of this.#records) {
      yield record;
      this.#flow();
    }
  }
}
