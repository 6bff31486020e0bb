import type { Exchange } from '../api/exchange.js';
import type { Batch } from '../model/documents.js';
import type { Verdict } from './classify-answer.js';

/** How fast to send, and how much to put up with. */
export interface DeliverySettings {
  /** Requests at a time, at least 1; `auto` finds out, from 1 to 32. */
  readonly concurrency: number | 'auto';
  /** Most requests a second, above 0; by default as many as the service takes. */
  readonly rate?: number | undefined;
  /** Statuses that mean "slow down". */
  readonly pressureStatuses: readonly number[];
  /** How long the service may be down before delivery gives up, in milliseconds. */
  readonly maxOutageMs: number;
}

/** What delivery needs from outside. What it gives back of a batch may be a part of it. */
export interface DeliveryPort {
  /**
   * Makes it durable that this request is about to be made; asked before every request, and for
   * one batch ahead of its turn. `false`: it could not be, nothing is sent, and delivery ends.
   */
  readonly intend: (batch: Batch) => Promise<boolean>;
  /** Sends one request; never rejects for what the network or the service does. */
  readonly send: (batch: Batch) => Promise<Exchange>;
  /**
   * The request that was intended certainly changed nothing. Its documents are sent again, whole
   * or in parts, unless delivery ends before.
   */
  readonly withdraw: (batch: Batch, why: string) => void;
  /** The documents' fate is known, as far as it can be known from here; told once for each. */
  readonly settle: (batch: Batch, verdict: Verdict) => void;
  /**
   * Whether a batch of several documents that is refused was certainly not taken, not even in part.
   * If not, it is settled as `unknown` and `refused` instead of being sent in parts.
   */
  readonly refusesWhole: () => boolean;
  /** Asks the service something harmless: is it up? Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Tells a person why nothing is sent for a while. */
  readonly notice: (message: string) => void;
  /** Asked before each request; `true` ends delivery once what is under way is answered. */
  readonly stopped: () => boolean;
  /** Ends delivery and its pauses at once, but for the requests under way. */
  readonly signal: AbortSignal;
}

/** How delivery went. What was neither settled nor is unknown hasn't been sent. */
export interface DeliveryResult {
  /** Requests that were made, probes not among them. */
  readonly requests: number;
  /**
   * How many of them carried documents again, as they were: because the service was pressed, or
   * could not be reached. The parts of a batch that was refused are none.
   */
  readonly retries: number;
  /** Why delivery ended before the batches did, if it was because of the service: one sentence. */
  readonly gaveUp?: string;
}
