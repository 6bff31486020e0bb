import type { Problem, RecordValue } from '../record.js';

/** A record as read, or why it can't be. */
export type ParsedRecord =
  | { readonly value: RecordValue; readonly problem?: never }
  | { readonly problem: Problem; readonly value?: never };
