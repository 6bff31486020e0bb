/**
 * 64-bit hashes by which ids and contents are told apart (xxHash64). They are quick, and nobody who
 * writes reviews gains anything from making two of them meet.
 */
import xxhash from 'xxhash-wasm';

const { h64, h64Raw } = await xxhash();

const QUOTE = 0x22;
const DOWNLOADED = Buffer.from('"downloaded":"');

/** The hash of a sourceId. */
export function idHash(sourceId: string): bigint {
  return h64(sourceId);
}

/**
 * A hash of what a document (JSON in UTF-8) says. When it was captured is no part of that: a review
 * that an export shows twice is the same review. In a text the key could only stand with escaped
 * quotes.
 */
export function contentHash(document: Buffer): bigint {
  const at = document.indexOf(DOWNLOADED);
  if (at < 0) return h64Raw(document);
  const end = document.indexOf(QUOTE, at + DOWNLOADED.length);
  return h64Raw(document.subarray(end), h64Raw(document.subarray(0, at)));
}
