/**
 * What a leader and the workers it paces tell each other, as plain JSON. Their clocks may differ, so
 * all times are in milliseconds from the moment in which it was made: those of samples lie before.
 */
import type { RequestSample } from './pacing.js';

/** What a worker tells the leader. */
export interface WorkerReport {
  /** The last pace that it heard. */
  readonly turn: number | null;
  /** Whether it has something to send, or may have soon. */
  readonly active: boolean;
  readonly inFlight: number;
  /** Most requests in flight since the last report. */
  readonly peak: number;
  /** Requests that started since the last report. */
  readonly started: number;
  /** Whether the last of them waited for its turn at the rate that is granted. */
  readonly rateBound: boolean;
  /** How long the service asked this worker for a pause. */
  readonly pausedMs: number;
  /** What was answered since the last report, and probes that failed. */
  readonly samples: readonly RequestSample[];
}

/** How fast all workers send until they hear of the next one. */
export interface Pace {
  /** Different for each pace, whichever leader makes it. */
  readonly turn: number;
  readonly grants: { readonly [worker: string]: Grant };
  /** Nobody sends for so long. */
  readonly pausedMs: number;
  /** `open`: nobody sends but the prober. */
  readonly breaker: 'closed' | 'open';
  readonly prober: string | null;
  /** What went wrong last, as half a sentence. */
  readonly trouble: string;
  /** Why it makes no sense to continue. */
  readonly gaveUp: string | null;
}

/** What one worker may do. */
export interface Grant {
  /** Requests in flight; 0: it isn't its turn. */
  readonly concurrency: number;
  /** Requests a second; `null`: as many as it can. */
  readonly rate: number | null;
}
