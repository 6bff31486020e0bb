import type { ImportedDocument } from '../model/document.js';
import type { Counts, Outcome, Place, Problem, Progress } from '../model/record.js';

export type { Progress } from '../model/record.js';

/** A record with a final outcome. */
export interface RecordOutcome {
  readonly place: Place;
  /** `null` if the record never became a document. */
  readonly sourceId: string | null;
  /** Reasons; empty if accepted. */
  readonly problems: readonly Problem[];
  /**
   * With the option `withRecords`: the record by column or key, or the object that the program
   * gave; `null` if it can't be read.
   */
  readonly record?: unknown;
  /**
   * With the option `withRecords`: the document made of the record, incomplete if it is invalid;
   * `null` if the record can't be read.
   */
  readonly document?: ImportedDocument | null;
}

/** Facts about the reading of an input. Fields that don't apply or are unknown are `null`. */
export interface InputReport {
  readonly name: string;
  readonly format: string;
  readonly encoding: string | null;
  readonly compression: string | null;
  readonly delimiter: string | null;
  /** Size on disk. */
  readonly bytes: number | null;
  /** Time when a file was last modified, ISO 8601 in UTC; absent in reports of earlier versions. */
  readonly modified?: string | null;
  /** Number of records read. */
  readonly records: number;
  /** Outcomes of its records; the counts of all inputs add up to the run's. */
  readonly counts: Counts;
}

/**
 * Events of a running run. They add up to the report's counts: each record is in one `read` or
 * `carried-over`, and in at most one `outcome`; records without one are unsent at the end. An import by
 * several processes emits no events for single records.
 */
export type EventWith<Report> =
  /** The inputs are open; nothing has been sent yet. */
  | {
      readonly type: 'start';
      readonly run: string;
      /** Whether an earlier process began the run; all its events are repeated. */
      readonly resumed: boolean;
      readonly inputs: readonly InputReport[];
    }
  /** Something the user should know, for example a guessed encoding. */
  | { readonly type: 'notice'; readonly message: string }
  /** Records of one source have been read and mapped. */
  | {
      readonly type: 'read';
      readonly source: string;
      /** Number of the first one, from 1. */
      readonly from: number;
      readonly records: number;
      /** Number of records that the mapping skips; they have no `outcome` event. */
      readonly skipped: number;
    }
  /** Some records of one source got their final outcome. */
  | {
      readonly type: 'outcome';
      readonly outcome: Outcome;
      readonly records: readonly RecordOutcome[];
    }
  /**
   * A resumed run ended before it read these records, whose outcome is known from an earlier
   * process. They count as read.
   */
  | {
      readonly type: 'carried-over';
      readonly source: string;
      /** Number of the first one, from 1. */
      readonly from: number;
      readonly records: number;
      readonly outcome: Outcome;
    }
  /** Emitted after every chunk read and every batch answered. */
  | { readonly type: 'progress'; readonly progress: Progress }
  /** The last event: the run is over. */
  | { readonly type: 'end'; readonly report: Report };

/** Time of an event, ISO 8601 in UTC, and its run; `null` before the run has an id. */
export interface EventStamp {
  readonly time: string;
  readonly run: string | null;
}

export function stampEvent<Event extends { readonly type: string }>(
  { type, ...rest }: Event,
  run: string | null,
): Event & EventStamp {
  return { type, time: new Date().toISOString(), run, ...rest } as Event & EventStamp;
}

type StampedEvent = EventWith<unknown> & EventStamp;

/** Receives each event synchronously and in order. */
export interface EventSink {
  write(event: StampedEvent): void;
  close(): void;
}

/** Most events queued for a slow listener before the run waits for it. */
const MAX_WAITING = 1_000;

/**
 * Passes events from the run to a listener. Without one, nothing is queued; a slow one slows the
 * run down instead of filling the memory.
 */
export class EventHub {
  /** Id of the run; `null` before it has one. */
  run: string | null = null;
  /** Receives urgent notices synchronously. */
  readonly warn: (message: string) => void;
  #waiting: StampedEvent[] = [];
  #listening = false;
  #sink: EventSink | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};
  #resolveDrained: () => void = () => {};

  constructor(warn: EventHub['warn'] = () => {}) {
    this.warn = warn;
  }

  get listening(): boolean {
    return this.#listening || this.#sink !== undefined;
  }

  addSink(sink: EventSink): void {
    this.#sink = sink;
  }

  emit(event: EventWith<unknown>): void {
    if (!this.listening) return;
    const stamped = stampEvent(event, this.run);
    this.#sink?.write(stamped);
    if (!this.#listening) return;
    this.#waiting.push(stamped);
    this.#wake();
  }

  /** Resolves when the queue has room for more events. */
  async drained(): Promise<void> {
    while (this.#listening && this.#waiting.length > MAX_WAITING) {
      await new Promise<void>((resolve) => {
        this.#resolveDrained = resolve;
      });
    }
  }

  /** Ends the events; with a failure, the listener's loop throws it. */
  end(failure?: { readonly error: unknown }): void {
    this.#failure = failure;
    try {
      this.#sink?.close();
    } finally {
      // Otherwise a failure to close would keep listeners waiting.
      this.#ended = true;
      this.#wake();
    }
  }

  /** Yields events until the run ends or the caller leaves the loop. */
  async *listen(): AsyncGenerator<StampedEvent, void, undefined> {
    this.#listening = true;
    try {
      for (;;) {
        const events = this.#waiting;
        this.#waiting = [];
        this.#resolveDrained();
        yield* events;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      this.#listening = false;
      this.#waiting = [];
      this.#resolveDrained();
    }
  }
}
