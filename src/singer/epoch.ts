import { PassThrough } from 'node:stream';
import type { ImportRun } from '../operations/pipeline/import-run.js';
import type { Report } from '../report/report.js';

export interface StreamResult {
  readonly stream: string;
  readonly report: Report;
  /** For each record, its line in the tap's output. */
  readonly lines: readonly number[];
}

interface EpochResult {
  readonly ends: readonly StreamResult[];
  /** Errors of runs that could not start or continue, and so have no report. */
  readonly errors: readonly unknown[];
}

export type StartImport = (stream: string, records: AsyncIterable<object>) => ImportRun;

interface StreamImport {
  readonly feed: RecordFeed;
  readonly lines: number[];
  /** Never rejects. */
  readonly end: Promise<{ readonly report: Report } | { readonly error: unknown }>;
}

/**
 * Part of the tap's records, imported by one run per stream, concurrently. Records are passed on as
 * they arrive; the end of the epoch yields the outcomes of all.
 */
export class Epoch {
  records = 0;
  /** Whether a run ended before its records did, so that the epoch must end, too. */
  stopped = false;
  readonly #begin: StartImport;
  readonly #hurry: AbortSignal;
  readonly #runs = new Map<string, StreamImport>();

  /** @param hurry aborted: the epoch is about to end, so `add` no longer waits */
  constructor(begin: StartImport, hurry: AbortSignal) {
    this.#begin = begin;
    this.#hurry = hurry;
  }

  /** Adds a record; resolves when there is room for the next. */
  async add(stream: string, record: object, line: number): Promise<void> {
    this.records += 1;
    const known = this.#runs.get(stream);
    const { feed, lines } = known ?? this.#feed(stream);
    lines.push(line);
    await feed.give(record);
    // Start runs one after another, because each locks the state folder while it starts.
    if (known === undefined) await feed.flowing;
  }

  async end(): Promise<EpochResult> {
    for (const { feed } of this.#runs.values()) feed.end();
    const ends: StreamResult[] = [];
    const errors: unknown[] = [];
    for (const [stream, { lines, end }] of this.#runs) {
      const ended = await end;
      if ('report' in ended) ends.push({ stream, report: ended.report, lines });
      else errors.push(ended.error);
    }
    return { ends, errors };
  }

  #feed(stream: string): StreamImport {
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
    const fedRun = { feed, lines: [], end };
    this.#runs.set(stream, fedRun);
    return fedRun;
  }
}

/** Number of records that may wait to be read: as many as a run takes at once. */
const MAX_WAITING = 500;

/**
 * Passes records to a run as it reads them. `give` waits while the buffer is full, until the feed
 * is left or the signal is aborted.
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
  /** Resolves once a run that has started reads beyond the first record, or has left the feed. */
  readonly flowing: Promise<void> = new Promise((resolve) => {
    this.#flow = resolve;
  });

  /** @param hurry aborted: `give` no longer waits */
  constructor(hurry: AbortSignal) {
    this.#hurry = hurry;
    hurry.addEventListener('abort', this.#wakeWriter);
    this.#records.on('drain', this.#wakeWriter);
    this.#records.on('close', () => {
      hurry.removeEventListener('abort', this.#wakeWriter);
      this.#flow();
      this.#wakeWriter();
    });
  }

  readonly #wakeWriter = (): void => this.#wake();

  /** Returns whether all records were given. */
  get ended(): boolean {
    return this.#records.writableEnded;
  }

  /**
   * Adds a record; resolves when there is room for the next. Records added after `leave` are
   * dropped.
   */
  async give(record: object): Promise<void> {
    if (this.#records.destroyed || this.#records.write(record) || this.#hurry.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  end(): void {
    this.#records.end();
  }

  /** Drops remaining records: the run has ended. */
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
