import type { Problem, RecordValue } from '../model/record.js';

/** A record as read, or why it can't be. */
export type ParsedRecord = (
  | { readonly value: RecordValue; readonly problem?: never }
  | { readonly problem: Problem; readonly value?: never }
) & {
  /** Where bytes can't be decoded; absent if all can. */
  readonly undecodable?: readonly UndecodableField[];
  /** Keys of objects with such bytes; absent if there are none. */
  readonly undecodableKeys?: readonly UndecodableKey[];
};

/** A field with bytes that can't be decoded. */
export interface UndecodableField {
  /** Its column, or path in an object, such as `user.name` or `photos[].title`; `null` for none. */
  readonly column: string | null;
  /** The first of those bytes and its place, such as `0xE9 at byte 1234`. */
  readonly bytes: string;
}

/** A key with bytes that can't be decoded: nobody can tell what its value is. */
export interface UndecodableKey {
  /** With � for those bytes, behind the keys that lead to it. */
  readonly path: string;
  /** The first of the bytes, its place, why it can't be decoded, and the remedy. */
  readonly message: string;
}
