/**
 * How fast to send, asked before every request and taught by every answer. All times are in
 * milliseconds since 1970.
 */
export interface Pacing {
  /** Whether as many requests are in flight as may be, of all who send by this pace. */
  readonly full: boolean;
  /** Why it makes no sense to continue, once it doesn't. */
  readonly gaveUp: string | undefined;
  /** What went wrong last, as half a sentence. */
  readonly trouble: string;
  /**
   * A round of sending begins; the one before it may be long over, or not yet.
   * @param wake to be called when more may go than was said before
   */
  begin(wake: () => void): void;
  /** That round is over. */
  end(wake: () => void): void;
  /** What may be asked of the service now. */
  clearance(now: number): Clearance;
  /** A request starts: what it takes to make it is being done. */
  started(now: number): void;
  /**
   * A request that started is ready to be sent. Getting there takes some longer than others, so
   * that they would follow each other too closely.
   * @returns how long to hold it back, in milliseconds
   */
  ready(now: number): number;
  /** How long no request may go, in milliseconds: a pause may begin while one is held back. */
  pausedFor(now: number): number;
  /** A request was answered, or will never be. */
  answered(sample: RequestSample): void;
  /** A request that started isn't made after all. */
  skipped(): void;
  /** The service is asked something harmless. */
  probing(now: number): void;
  /** @param up whether it answered */
  probed(up: boolean, now: number): void;
}

/** What may be asked of the service. */
export type Clearance =
  | { readonly kind: 'send' }
  | { readonly kind: 'probe' }
  /** Milliseconds; infinite: until what is in flight is answered. */
  | { readonly kind: 'wait'; readonly ms: number };

/** What a request teaches. */
export interface RequestSample {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Whether as many requests were in flight as are allowed. */
  readonly full: boolean;
  readonly accepted: boolean;
  /** The service has too much to do. */
  readonly throttled: boolean;
  /** It can't be told that the service is up and itself. */
  readonly failed: boolean;
  /** The request never left this machine. */
  readonly unsent: boolean;
  /** How long the service wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** What went wrong, as half a sentence. */
  readonly message: string;
}

/** How one process paces itself. */
export interface PacingSettings {
  /** Requests at a time, at least 1; `auto` finds out, from 1 to 32. */
  readonly concurrency: number | 'auto';
  /** Most requests a second, above 0; by default as many as the service takes. */
  readonly rate?: number | undefined;
  /** How long the service may be down before delivery gives up, in milliseconds. */
  readonly maxOutageMs: number;
}
