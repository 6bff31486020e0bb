import type {
  BadDocuments,
  EndlessPart,
  FaultMoment,
  ImportSizeLimit,
  PartialImport,
} from './plan.js';

/** What is to become of one request. Empty: it is served as if there were no plan. */
export interface Fate {
  /** Wait before anything else. */
  readonly waitMs: number;
  /** How it ends, if not with the answer that it deserves. */
  readonly ending?: Ending;
  /** What goes wrong within an import. */
  readonly import: ImportFaults;
}

/** An end other than the answer that the request deserves. */
export type Ending =
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      readonly retryAfter?: number | string;
    }
  | { readonly kind: 'html'; readonly status: number; readonly when: FaultMoment }
  | { readonly kind: 'reset'; readonly when: FaultMoment }
  | { readonly kind: 'hang'; readonly when: FaultMoment }
  /** `bytes` of the answer's body are sent; without it, half of them. */
  | { readonly kind: 'truncate'; readonly bytes?: number }
  | { readonly kind: 'endless'; readonly part: EndlessPart }
  | {
      readonly kind: 'answer';
      readonly value: unknown;
      readonly status: number;
      readonly when: FaultMoment;
    };

/** What goes wrong within an import. */
export interface ImportFaults {
  readonly apply?: PartialImport;
  readonly refuse?: BadDocuments;
  readonly countOff?: number;
  readonly visibleAfterMs?: number;
  readonly sizeLimit?: ImportSizeLimit;
}
