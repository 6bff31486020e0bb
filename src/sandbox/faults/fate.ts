import type { Fault } from './plan.js';

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
