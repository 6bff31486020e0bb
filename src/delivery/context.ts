import { setTimeout as pass } from 'node:timers/promises';
import type { Exchange } from '../api/transport/exchange.js';
import type { Batch } from '../model/documents.js';
import type { AccessRefusal } from './classify-response.js';
import type { Pacing } from './pacing/pacing.js';
import type { ReconciliationSettings } from './reconciliation/decision.js';
import type { ShowPage } from './reconciliation/read-window.js';

/** Everything that delivery is given. */
export interface DeliveryContext {
  readonly service: DeliveryService;
  readonly journal: DeliveryJournal;
  readonly settings: DeliverySettings;
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly stops: StopSwitch;
  /** Ends sending and its pauses at once, except for the requests in flight. */
  readonly signal: AbortSignal;
  /** Tells a person why nothing is sent for a while. */
  readonly notice: (message: string) => void;
}

/** One monitoring of the service. */
export interface DeliveryService {
  /**
   * Sends one request; never rejects for what the network or the service does.
   * @param resends how often its documents were sent before
   */
  readonly send: (batch: Batch, resends: number) => Promise<Exchange>;
  /** Whether documents can be sent at all; `undefined`: they can. Never rejects. */
  readonly access: (signal: AbortSignal) => Promise<AccessRefusal | undefined>;
  /** What the service shows, page by page. */
  readonly page: ShowPage;
}

/** The write-ahead log of requests. A part of a batch counts as the batch's own request. */
export interface DeliveryJournal {
  /**
   * Makes it durable that this request is about to be made; awaited before every request. Gives the
   * part of the batch that is to be sent, which may be empty; `undefined`: it could not be made
   * durable, nothing is sent, and sending ends.
   */
  readonly intend: (batch: Batch) => Promise<Batch | undefined>;
  /**
   * Records what is known of a request's documents. `unsent`: the request certainly changed nothing;
   * `unknown`: it may become known later.
   */
  readonly settle: (batch: Batch, known: SettledState) => void;
  /** A part of a batch that was sent belongs to the same request. */
  readonly isPartOf: (part: Batch, whole: Batch) => void;
}

/** The state of some documents after a request. */
export interface SettledState {
  readonly outcome: 'accepted' | 'rejected' | 'unsent' | 'unknown';
  /** Why; empty where there is nothing to say. */
  readonly message: string;
}

/** Whether the run is to end, shared with the other stages. */
export interface StopSwitch {
  readonly stopsSending: boolean;
  stop(reason: {
    readonly kind: 'no-access' | 'service-down';
    readonly message: string;
    readonly cause?: unknown;
  }): void;
}

/** What to do about documents that may or may not have been taken. */
export type OnUnknown =
  /** Reconcile them, and send again only what is missing. */
  | 'resolve'
  /** Leave them unknown. */
  | 'hold';

/** How to deliver. */
export interface DeliverySettings {
  /** Statuses that mean "slow down", and that nothing was taken. */
  readonly throttleStatuses: readonly number[];
  readonly onUnknown: OnUnknown;
  /** What the refusal of several documents means: none was taken, or some may have been. */
  readonly refusals: 'atomic' | 'partial';
  readonly reconciliation: ReconciliationSettings;
  /** How long the service may be down before delivery gives up, in milliseconds. */
  readonly maxOutageMs: number;
  /**
   * How many batches are made durable ahead of their turn; default 1. More where that takes longer
   * than a batch waits for its turn. A crash leaves as many unconfirmed.
   */
  readonly ahead?: number;
}

/** What delivery found out about documents; each document is settled once. */
export type DeliveryResult =
  | {
      readonly kind: 'settled';
      readonly batch: Batch;
      readonly outcome: 'accepted' | 'rejected' | 'unknown';
      /** Why; empty where there is nothing to say. */
      readonly message: string;
    }
  /** Documents go out a second time, though the first time may have been enough. */
  | { readonly kind: 'sent-again'; readonly batch: Batch; readonly message: string }
  /** The service shows these documents more than once. */
  | { readonly kind: 'shown-twice'; readonly batch: Batch };

/** All that delivery knows of time and chance, so that tests can let hours pass at once. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/** What a timer of Node can wait for; who waits longer has to ask again. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** The machine's clock, which never goes back while the process runs. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    try {
      await pass(Math.min(LONGEST_SLEEP_MS, Math.ceil(ms)), undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
  random: Math.random,
};
