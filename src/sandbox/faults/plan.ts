/**
 * A fault plan selects requests and the faults that are injected into them. See `docs/faults.md`.
 */

/** Kinds of requests; version 4.0 has some of them, too. */
export const OPERATIONS = [
  'import',
  'documents',
  'feed',
  'context',
  'authors',
  'indicators',
  'chart',
  'monitorings',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Faults to inject, and into which requests. */
export interface FaultPlan {
  /** Seed of all draws, a whole number of at least 0. Default 1. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
}

/** A selection of requests, and the fault that they meet. */
export type FaultRule = Selection & Fault;

/**
 * Selects the requests that meet all given conditions. Requests are numbered from 1, per operation.
 */
export interface Selection {
  /** Default `any`; for faults of an import, `import`. */
  readonly on?: Operation | 'any' | readonly (Operation | 'any')[];
  /** Share of requests to select, from 0 to 1; the seed decides which. */
  readonly rate?: number;
  /** Numbers of the requests. */
  readonly requests?: readonly number[];
  /** Every nth request: 10 selects the 10th, the 20th … */
  readonly every?: number;
  /** Selects requests after the one with this number. */
  readonly after?: number;
  /** Number of requests to select at most, for each operation. */
  readonly atMost?: number;
}

/** Whether the fault happens before the call takes effect, or after it. */
type FaultMoment = 'before' | 'after';

/** Wait before the call takes effect, in milliseconds. */
export type Latency =
  /** Lognormal: half of the requests wait longer than `median`, one in a hundred than `p99`. */
  | { readonly median: number; readonly p99: number }
  | { readonly fixed: number }
  /** Uniformly distributed. */
  | { readonly from: number; readonly to: number };

/** Allows `requests` in any `perSeconds`, counted over all operations of the rule. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
  /** Status of the response to all others, which carries `Retry-After`. Default 429. */
  readonly status?: number;
}

/** An HTML page instead of JSON. */
export interface HtmlPage {
  /** Default 502. */
  readonly status?: number;
  /** `Retry-After` header. */
  readonly retryAfter?: number | string;
  /** Default `before`. */
  readonly when?: FaultMoment;
}

/** Stores only the first documents of a call: a `share` of them (rounded down) or a number. */
export type PartialImport = {
  /**
   * Response: the error object, success with the stored count, or success with the full count.
   * Default `error`.
   */
  readonly answer?: 'error' | 'stored' | 'full';
  /** Status of the `error` response. Default 500. */
  readonly status?: number;
} & ({ readonly share: number } | { readonly documents: number });

/** Refuses calls that contain a bad document, as the sandbox does with invalid ones. */
export interface BadDocuments {
  /** Text that makes a document bad if its JSON contains it. */
  readonly containing: string;
  /**
   * Documents to store anyway: none, the good ones, or those before the first bad one.
   * Default `none`.
   */
  readonly stores?: 'none' | 'good' | 'before';
}

/** Any JSON instead of the response. */
interface OddAnswer {
  readonly value: unknown;
  /** Default 200. */
  readonly status?: number;
  /** Default `after`. */
  readonly when?: FaultMoment;
}

/** Refuses larger imports with 413; nothing is stored. */
interface ImportSizeLimit {
  readonly documents?: number;
  /** Size of the body. */
  readonly bytes?: number;
}

type Fault =
  | { readonly latency: Latency }
  | {
      /** Answers the error object with this status; the call has no effect. */
      readonly status: number;
      readonly message?: string;
      /** `Retry-After` header: seconds, or a text that is sent unchanged. */
      readonly retryAfter?: number | string;
    }
  | { readonly html: true | HtmlPage }
  | { readonly rateLimit: RateLimit }
  /** Resets the connection instead of answering. */
  | { readonly reset: FaultMoment }
  /** Never answers. */
  | { readonly hang: FaultMoment }
  /**
   * Closes the connection within the response: after this many bytes of its body, or in the middle.
   */
  | { readonly truncate: true | number }
  /**
   * Never ends the response once the call has taken effect: sends 102 responses before it, or
   * spaces after its JSON.
   */
  | { readonly endless: 'interim' | 'body' }
  /** Sends the response as some gateways do: compressed unasked, or as HTTP/1.0. */
  | { readonly gateway: 'gzip' | 'http/1.0' }
  | { readonly answer: OddAnswer }
  | { readonly apply: PartialImport }
  | { readonly refuse: BadDocuments }
  /** Added to the count in the response to an import, which never gets below 0. */
  | { readonly countOff: number }
  /** Time before imported documents become visible, in milliseconds. */
  | { readonly visibleAfterMs: number }
  | { readonly sizeLimit: ImportSizeLimit };

/** Faults to inject into one request. Empty: it is served as without a plan. */
export interface RequestFaults {
  /** Wait before everything else, in milliseconds. */
  readonly waitMs: number;
  /** Replaces the normal response. */
  readonly ending?: Ending;
  readonly import: ImportFaults;
}

type FaultWith<Key extends string> = Key extends string
  ? Extract<Fault, Readonly<Record<Key, unknown>>>
  : never;

/** A fault that replaces the normal response. */
export type Ending = FaultWith<
  'status' | 'html' | 'reset' | 'hang' | 'truncate' | 'endless' | 'gateway' | 'answer'
>;

/** Faults that take effect while an import is handled. */
export type ImportFaults = Partial<
  FaultWith<'apply'> &
    FaultWith<'refuse'> &
    FaultWith<'countOff'> &
    FaultWith<'visibleAfterMs'> &
    FaultWith<'sizeLimit'>
>;
