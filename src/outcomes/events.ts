import type { Counts, Outcome, Place, Problem, Progress } from '../model/record.js';

export type { Progress } from '../model/record.js';

/** A record whose outcome is settled. */
export interface RecordOutcome {
  readonly place: Place;
  /** `null` for a record that never became a document. */
  readonly sourceId: string | null;
  /** Why; empty for what went well. */
  readonly problems: readonly Problem[];
  /**
   * With the option `withRecords`: the record by column or key, or the very object that the program
   * gave; `null` if it can't be read.
   */
  readonly record?: unknown;
}

/** One input: how it was read, and how far. What does not apply or is not known is `null`. */
export interface InputReport {
  readonly name: string;
  readonly format: string;
  readonly encoding: string | null;
  readonly compression: string | null;
  readonly delimiter: string | null;
  /** Size as it lies on disk. */
  readonly bytes: number | null;
  /** Records read from it. */
  readonly records: number;
  /** What became of its records; the counts of all inputs add up to the run's. */
  readonly counts: Counts;
}

/**
 * What a run tells while it is running. What the report counts can be counted from it: each record
 * is in one `read` or `unread`, and in at most one `outcome`; what is left at the end is unsent.
 * An import that several processes work on tells of no single records.
 */
export type EventWith<Report> =
  /** The inputs are open and understood; nothing has been sent yet. */
  | {
      readonly type: 'start';
      readonly run: string;
      /** Whether an earlier process has begun with the run: this one tells all of it anew. */
      readonly resumed: boolean;
      readonly inputs: readonly InputReport[];
    }
  /** Something a person should know, such as a guessed encoding. */
  | { readonly type: 'notice'; readonly message: string }
  /** Records of one source have been read and mapped. */
  | {
      readonly type: 'read';
      readonly source: string;
      /** Number of the first one, from 1. */
      readonly from: number;
      readonly records: number;
      /** How many of them the mapping skips: they have no outcome of their own. */
      readonly skipped: number;
    }
  /** The outcome of some records of one source is settled. */
  | {
      readonly type: 'outcome';
      readonly outcome: Outcome;
      readonly records: readonly RecordOutcome[];
    }
  /**
   * A resumed run ended before it came to these records, of which an earlier process knew this. They
   * count as read.
   */
  | {
      readonly type: 'unread';
      readonly source: string;
      /** Number of the first one, from 1. */
      readonly from: number;
      readonly records: number;
      readonly outcome: Outcome;
    }
  /** After every chunk that was read and every batch that was answered. */
  | { readonly type: 'progress'; readonly progress: Progress }
  /** The last event: the run is over, and this is its report. */
  | { readonly type: 'end'; readonly report: Report };

/** When an event happened, ISO 8601 in UTC, and in which run; `null` before that has an id. */
export interface EventStamp {
  readonly time: string;
  readonly run: string | null;
}

/** Adds the time and the run to an event. */
export function stampEvent<Event extends { readonly type: string }>(
  { type, ...rest }: Event,
  run: string | null,
): Event & EventStamp {
  return { type, time: new Date().toISOString(), run, ...rest } as Event & EventStamp;
}

type StampedEvent = EventWith<unknown> & EventStamp;

/** Who is told each event at once, in order, before anything else happens. */
export interface EventSink {
  write(event: StampedEvent): void;
  /** No more will come. */
  close(): void;
}

/** Most events that wait for a slow listener before the run waits for it, too. */
const MAX_WAITING = 1_000;

/**
 * Carries events from the run to whoever listens. Without a listener nothing is kept; a slow
 * listener slows the run down instead of filling the memory.
 */
export class EventHub {
  #waiting: StampedEvent[] = [];
  #run: string | null = null;
  #listening = false;
  #sink: EventSink | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};
  #drained: () => void = () => {};

  /** Whether it is worth making events. */
  get listening(): boolean {
    return this.#listening || this.#sink !== undefined;
  }

  /** From now on it is told all events, whether somebody listens or not. */
  record(sink: EventSink): void {
    this.#sink = sink;
  }

  emit(event: EventWith<unknown>): void {
    if (event.type === 'start') this.#run = event.run;
    if (!this.listening) return;
    const stamped = stampEvent(event, this.#run);
    this.#sink?.write(stamped);
    if (!this.#listening) return;
    this.#waiting.push(stamped);
    this.#wake();
  }

  /** Resolves when the listener has room for more. */
  async room(): Promise<void> {
    while (this.#listening && this.#waiting.length > MAX_WAITING) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
  }

  /** No more events will come; with a failure, the listener's loop throws it. */
  end(failure?: { readonly error: unknown }): void {
    this.#sink?.close();
    this.#ended = true;
    this.#failure = failure;
    this.#wake();
  }

  /** Hands events over as they come, until the run ends or the loop is left. */
  async *listen(): AsyncGenerator<StampedEvent, void, undefined> {
    this.#listening = true;
    try {
      for (;;) {
        const events = this.#waiting;
        this.#waiting = [];
        this.#drained();
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
      this.#drained();
    }
  }
}
