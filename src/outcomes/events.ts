import type { Counts, Outcome, Place, Problem } from '../model/record.js';

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

/** How far a run is. */
export interface Progress {
  readonly counts: Counts;
  /** Bytes of the inputs consumed so far, as they lie on disk. */
  readonly bytesRead: number;
  /** Size of all inputs, or `null` if one of them doesn't tell. */
  readonly bytesTotal: number | null;
  readonly elapsedMs: number;
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

/** What a run tells while it is running. */
export type RunEvent =
  /** The inputs are open and understood; nothing has been sent yet. */
  | { readonly type: 'start'; readonly run: string; readonly inputs: readonly InputReport[] }
  /** Something a person should know, such as a guessed encoding. */
  | { readonly type: 'notice'; readonly message: string }
  /** The outcome of some records of one source is settled. */
  | {
      readonly type: 'outcome';
      readonly outcome: Outcome;
      readonly records: readonly RecordOutcome[];
    }
  /** After every chunk that was read and every batch that was answered. */
  | { readonly type: 'progress'; readonly progress: Progress };

/** Most events that wait for a slow listener before the run waits for it, too. */
const MAX_WAITING = 1_000;

/**
 * Carries events from the run to whoever listens. Without a listener nothing is kept; a slow
 * listener slows the run down instead of filling the memory.
 */
export class EventHub {
  #waiting: RunEvent[] = [];
  #listening = false;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};
  #drained: () => void = () => {};

  /** Whether it is worth making events. */
  get listening(): boolean {
    return this.#listening;
  }

  emit(event: RunEvent): void {
    if (!this.#listening) return;
    this.#waiting.push(event);
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
    this.#ended = true;
    this.#failure = failure;
    this.#wake();
  }

  /** Hands events over as they come, until the run ends or the loop is left. */
  async *listen(): AsyncGenerator<RunEvent, void, undefined> {
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
