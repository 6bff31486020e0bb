/**
 * What is kept of a document: 64 bits of its sourceId's hash, 24 of its content's, 32 for its
 * record's number. Eight bits of the id say which partition holds the entry and are not stored, so
 * that 14 bytes are left.
 */

/** What is known of a sourceId that was seen before. */
export interface Earlier {
  /** Whether the earlier document had the same content. */
  readonly same: boolean;
  /** Number of the earlier document's record in the whole run, from 0. */
  readonly ordinal: number;
}

/** The id and content of one document, as entries hold them. One object serves a whole run. */
export interface EntryHash {
  /** The id's hash. `high` is never 0. */
  high: number;
  low: number;
  /** The content's hash; its lower 24 bits count. */
  content: number;
}

export const PARTITIONS = 256;
export const ENTRY_BYTES = 14;

/** Entries side by side, one array a field. */
export interface Entries {
  /** 32 bits of the id, after those of the partition. Entries stand in ascending order of them. */
  readonly keys: Uint32Array;
  /** The id's last 24 bits, then 8 bits of the content. */
  readonly rests: Uint32Array;
  /** 16 bits of the content. */
  readonly contents: Uint16Array;
  readonly ordinals: Uint32Array;
}

export function partitionOf(high: number): number {
  return high >>> 24;
}

export function keyOf(high: number, low: number): number {
  return ((high << 8) | (low >>> 24)) >>> 0;
}

/** The id's first 32 bits, from the partition that an entry is in and its key. */
export function highOf(partition: number, key: number): number {
  return ((partition << 24) | (key >>> 8)) >>> 0;
}

export function restOf(low: number, content: number): number {
  return ((low << 8) | (content & 0xff)) >>> 0;
}

/** The id's last 24 bits, from an entry's rest. */
export function lowBitsOf(rest: number): number {
  return rest >>> 8;
}

/** What an entry tells about the document that was seen before. */
export function earlierAt(entries: Entries, index: number, { content }: EntryHash): Earlier {
  const stored =
    (entries.contents[index] as number) * 256 + ((entries.rests[index] as number) & 0xff);
  return { same: stored === (content & 0xffffff), ordinal: entries.ordinals[index] as number };
}

export function newEntries(count: number): Entries {
  return {
    keys: new Uint32Array(count),
    rests: new Uint32Array(count),
    contents: new Uint16Array(count),
    ordinals: new Uint32Array(count),
  };
}
