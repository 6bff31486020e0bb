import type { Window } from './window.js';

/** What of a document read-back looks at. */
export interface ShownDocument {
  /** Unique on the platform: a safe integer. */
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  /** ISO 8601. */
  readonly published: string | null;
}

/** One page of what the service shows, the most recently published first. */
export interface ShownPage {
  readonly documents: readonly ShownDocument[];
  /** How many there are on all pages: a safe integer of at least 0. */
  readonly total: number;
}

/** What reading needs from outside. */
export interface PagePort {
  /** Asks for the page of a window behind so many documents. Rejects as a `Client` does. */
  readonly page: (window: Window, offset: number, signal: AbortSignal) => Promise<ShownPage>;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
    /** May reject if the signal ends it. */
    sleep(ms: number, signal: AbortSignal): Promise<void>;
  };
  /** Ends reading and waiting. */
  readonly signal: AbortSignal;
}

/** A document that the service said it took. */
export interface Acknowledged {
  readonly sourceId: string;
  /** ISO 8601 in UTC; `null`: not known. */
  readonly published: string | null;
  /** When the answer came, in milliseconds since 1970. */
  readonly acknowledgedMs: number;
}

/** What resolving doubts needs from outside. */
export interface ReadBackPort extends PagePort {
  /** The `source` that the documents were sent with. */
  readonly source: string;
  /**
   * Documents that were acknowledged: whether they show tells how far readings can be trusted. The
   * most recent ones suffice, a few hundred.
   */
  readonly acknowledged: () => readonly Acknowledged[];
}

/** Waits; an abort ends it early, and is for the caller to see in the signal. */
export async function pause(
  { clock, signal }: Pick<PagePort, 'clock' | 'signal'>,
  ms: number,
): Promise<void> {
  try {
    if (!signal.aborted) await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
