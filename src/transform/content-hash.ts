/**
 * 64-bit hashes by which ids and contents are told apart (xxHash64). They are quick, and nobody who
 * writes reviews gains anything from making two of them meet.
 */
import xxhash from 'xxhash-wasm';
import { partOf } from '../model/chunk.js';

let hashes: Awaited<ReturnType<typeof xxhash>> | undefined;

/**
 * Compiles the hashes, once; to be awaited before they are used. A module that awaited them by
 * itself would keep `require` from loading all that imports it.
 */
export async function loadHashes(): Promise<void> {
  hashes ??= await xxhash();
}

function loaded(): NonNullable<typeof hashes> {
  if (hashes === undefined)
    throw new Error('The hashes were not loaded. This is a bug in docferry.');
  return hashes;
}

const QUOTE = 0x22;
const DOWNLOADED = Buffer.from('"downloaded":"');

/** The hash of any bytes. */
export function bytesHash(bytes: Uint8Array): bigint {
  return loaded().h64Raw(bytes);
}

/** The hash of a sourceId. */
export function idHash(sourceId: string): bigint {
  return loaded().h64(sourceId);
}

/**
 * A hash of what a document (JSON in UTF-8) says. When it was captured is no part of that: a review
 * that an export shows twice is the same review. In a text the key could only stand with escaped
 * quotes.
 * @param bytes hold the document from `from` (inclusive) to `to` (exclusive)
 * @param before how many characters most likely stand before the key
 */
export function contentHash(
  bytes: Buffer,
  from: number = 0,
  to: number = bytes.length,
  before: number = 0,
): bigint {
  const { h64Raw } = loaded();
  let at = bytes.indexOf(DOWNLOADED, from + before);
  if (before > 0 && (at < 0 || at >= to)) at = bytes.indexOf(DOWNLOADED, from);
  if (at < 0 || at >= to) return h64Raw(partOf(bytes, from, to));
  const end = bytes.indexOf(QUOTE, at + DOWNLOADED.length);
  return h64Raw(partOf(bytes, end, to), h64Raw(partOf(bytes, from, at)));
}

/** A hash of several texts, in which the border between two of them counts. */
export function textsHash(texts: readonly string[]): bigint {
  return loaded().h64(texts.map((text) => `${text.length}:${text}`).join(''));
}
