import type { Exchange } from '../api/transport/exchange.js';
import type { Batch } from '../model/documents.js';
import type { AccessError, ServiceDownError } from '../model/errors.js';
import type { Clock } from './clock.js';
import type { Pacing } from './pacing/pacing.js';
import type { ReconciliationSettings } from './reconciliation/request-case.js';
import type { FetchPage } from './reconciliation/service-pages.js';

export interface DeliveryContext {
  readonly service: DeliveryService;
  readonly journal: DeliveryJournal;
  readonly settings: DeliverySettings;
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly stops: StopSwitch;
  /** Ends sending and pauses at once; requests in flight continue. */
  readonly signal: AbortSignal;
  /** Shows a message to the user, for example why nothing is sent for a while. */
  readonly notice: (message: string) => void;
}

/** One monitoring of the service. */
export interface DeliveryService {
  /**
   * Sends one request. Never rejects because of the network or the service.
   * @param retries how often its documents were sent before, at least
   */
  readonly send: (batch: Batch, retries: number) => Promise<Exchange>;
  /** Checks whether documents can be sent; `undefined` if so. Never rejects. */
  readonly access: (signal: AbortSignal) => Promise<AccessRefusal | undefined>;
  readonly page: FetchPage;
}

/** Why no document can be sent. */
export type AccessRefusal = { readonly message: string } & (
  | { readonly kind: 'no-access'; readonly cause: AccessError }
  | { readonly kind: 'service-down'; readonly cause: ServiceDownError }
);

/** Write-ahead log of requests. */
export interface DeliveryJournal {
  /**
   * Makes the intent to send this request durable; awaited before every request. Resolves with the
   * part of the batch to send, which may be empty, or with `undefined` if the intent couldn't be
   * written: then nothing is sent, and sending ends.
   */
  readonly writeIntent: (batch: Batch) => Promise<Batch | undefined>;
  /**
   * Records the state of a request's documents. `unsent`: the request certainly changed nothing;
   * `unknown`: its outcome may be found out later.
   */
  readonly settle: (batch: Batch, outcome: BatchOutcome) => void;
}

export interface BatchOutcome {
  readonly outcome: 'accepted' | 'rejected' | 'unsent' | 'unknown';
  readonly message: string;
}

/** Whether the run has to end; shared with the other stages. */
export interface StopSwitch {
  readonly stopsSending: boolean;
  stop(reason: {
    readonly kind: 'no-access' | 'service-down';
    readonly message: string;
    readonly cause?: unknown;
  }): void;
}

/** Unconfirmed documents: reconcile them and resend those that are missing, or leave them unknown. */
export type OnUnknown = 'resolve' | 'hold';

export interface DeliverySettings {
  /**
   * Statuses that mean that nothing was stored, whatever the body; default: 429, and 503 with
   * `Retry-After` or an error object.
   */
  readonly throttleStatuses?: readonly number[] | undefined;
  readonly onUnknown: OnUnknown;
  /** What a refusal of a batch means: nothing was stored (`atomic`), or perhaps a part (`partial`). */
  readonly refusals: 'atomic' | 'partial';
  readonly reconciliation: ReconciliationSettings;
  /** Longest outage before delivery gives up, in milliseconds. */
  readonly maxOutageMs: number;
  /**
   * Batches that are journaled ahead of sending; default 1. Higher where journaling is slower than
   * sending. A crash leaves as many batches unconfirmed.
   */
  readonly maxIntentsAhead?: number;
}

/** Result for some documents; each document gets one outcome. */
export type DeliveryResult =
  | {
      readonly kind: 'outcome';
      readonly batch: Batch;
      readonly outcome: 'accepted' | 'rejected' | 'unknown';
      readonly message: string;
    }
  /** Documents are resent although the first request may have stored them. */
  | { readonly kind: 'sent-again'; readonly batch: Batch; readonly message: string }
  /** The service has what an earlier run sent for the documents, with other content. */
  | { readonly kind: 'service-has-other-content'; readonly batch: Batch }
  | { readonly kind: 'shown-twice'; readonly batch: Batch };
