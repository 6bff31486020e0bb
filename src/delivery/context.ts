import type { Exchange } from '../api/transport/exchange.js';
import type { Batch } from '../model/documents.js';
import type { AccessRefusal } from './check-access.js';
import type { Clock } from './clock.js';
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
  | 'hold'
  /** Send them again at once: they may then be there twice. */
  | 'resend';

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
