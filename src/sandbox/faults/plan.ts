/** A plan of faults: which requests meet which trouble. `docs/faults.md` explains every kind. */

/** What a request is for; version 4.0 has some of them, too. */
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

/** See {@link OPERATIONS}. */
export type Operation = (typeof OPERATIONS)[number];

/** What a sandbox is to do wrong, and when. */
export interface FaultPlan {
  /** Whole number of at least 0 that every draw depends on. Default 1. */
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
}

/** Some requests, and the one fault that they meet. */
export type FaultRule = Selection & Fault;

/** Requests of which all that is given here holds. They are numbered from 1, per operation. */
export interface Selection {
  /** Default `any`; for faults of an import, `import`. */
  readonly on?: Operation | 'any' | readonly (Operation | 'any')[];
  /** The share of requests, from 0 to 1, that the seed picks. */
  readonly rate?: number;
  /** These requests only. */
  readonly requests?: readonly number[];
  /** Every nth request: 10 stands for the 10th, the 20th … */
  readonly every?: number;
  /** Only requests after the one with this number. */
  readonly after?: number;
  /** Only the first so many requests, of each operation, of which all else holds. */
  readonly atMost?: number;
}

/** Before the call has any effect, or after it had its effect. */
type FaultMoment = 'before' | 'after';

/** A wait before the call has its effect, in milliseconds. */
export type Latency =
  /** Lognormal: half of the requests wait longer than `median`, one in a hundred than `p99`. */
  | { readonly median: number; readonly p99: number }
  | { readonly fixed: number }
  /** Every duration between the two is as likely. */
  | { readonly from: number; readonly to: number };

/** At most `requests` in any `perSeconds`, all operations of the rule together. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
  /** Of the answer to all others, which carries `Retry-After`. Default 429. */
  readonly status?: number;
}

/** An HTML page where JSON belongs. */
interface HtmlPage {
  /** Default 502. */
  readonly status?: number;
  /** Default `before`. */
  readonly when?: FaultMoment;
}

/** Stores only the first documents of a call: a `share` of them, rounded down, or a number. */
export type PartialImport = {
  /** The error object, success with the stored count, or success with the full one. Default `error`. */
  readonly answer?: 'error' | 'stored' | 'full';
  /** Of the answer `error`. Default 500. */
  readonly status?: number;
} & ({ readonly share: number } | { readonly documents: number });

/** Refuses a call with a bad document, as the sandbox refuses what it can't use. */
export interface BadDocuments {
  /** A document is bad if its JSON contains this text. */
  readonly containing: string;
  /** Nothing of the call, all but the bad ones, or those before the first bad one. Default `none`. */
  readonly stores?: 'none' | 'good' | 'before';
}

/** Any JSON in the place of the answer. */
interface OddAnswer {
  readonly value: unknown;
  /** Default 200. */
  readonly status?: number;
  /** Default `after`. */
  readonly when?: FaultMoment;
}

/** An import of more than that is refused as too large; nothing is stored. */
interface ImportSizeLimit {
  readonly documents?: number;
  /** Of the body. */
  readonly bytes?: number;
}

/** What goes wrong. */
type Fault =
  | { readonly latency: Latency }
  | {
      /** The error object with this status, and no effect. */
      readonly status: number;
      readonly message?: string;
      /** `Retry-After`: seconds, or a text that is sent as it is. */
      readonly retryAfter?: number | string;
    }
  | { readonly html: true | HtmlPage }
  | { readonly rateLimit: RateLimit }
  /** The connection is reset instead of an answer. */
  | { readonly reset: FaultMoment }
  /** No answer ever comes. */
  | { readonly hang: FaultMoment }
  /** The connection ends within the answer: after so many bytes of its body, or in its middle. */
  | { readonly truncate: true | number }
  /**
   * The call has its effect, and what never ends are answers 102 before its answer, or spaces
   * after its JSON.
   */
  | { readonly endless: 'interim' | 'body' }
  | { readonly answer: OddAnswer }
  | { readonly apply: PartialImport }
  | { readonly refuse: BadDocuments }
  /** Added to the count that an import answers, which never gets below 0. */
  | { readonly countOff: number }
  /** How long imported documents stay out of every answer. */
  | { readonly visibleAfterMs: number }
  | { readonly sizeLimit: ImportSizeLimit };

/** What is to happen to one request. Empty: it is served as if there were no plan. */
export interface Fate {
  /** Wait before anything else, in milliseconds. */
  readonly waitMs: number;
  /** How it ends, if not with the answer that it deserves. */
  readonly ending?: Ending;
  /** What goes wrong within an import. */
  readonly import: ImportFaults;
}

type FaultWith<Key extends string> = Key extends string
  ? Extract<Fault, Readonly<Record<Key, unknown>>>
  : never;

/** An end other than the answer that the request deserves. */
export type Ending = FaultWith<
  'status' | 'html' | 'reset' | 'hang' | 'truncate' | 'endless' | 'answer'
>;

/** What goes wrong within an import: the faults that the plan has for it. */
export type ImportFaults = Partial<
  FaultWith<'apply'> &
    FaultWith<'refuse'> &
    FaultWith<'countOff'> &
    FaultWith<'visibleAfterMs'> &
    FaultWith<'sizeLimit'>
>;
