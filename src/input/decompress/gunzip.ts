import { createGunzip, createInflateRaw } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import { damaged, decompress, REMEDY, ZLIB_OPTIONS } from './zlib-stream.js';

/** Whether bytes start with gzip's magic number. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Decompresses gzip of one or several members.
 * @throws BrokenInput if the data ends early, is damaged, or something else follows it
 */
export function gunzip(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return decompress(pieces, () => createGunzip(ZLIB_OPTIONS), explain);
}

function explain(error: NodeJS.ErrnoException): BrokenInput {
  if (error.message !== 'incorrect header check') return damaged('gzip', error);
  // The first header was recognised, so this is behind a member.
  return new BrokenInput('its gzip data has an end, and something that is no gzip follows', REMEDY);
}

/**
 * Decompresses a deflated member of a zip archive.
 * @throws BrokenInput if the data ends early or is damaged
 */
export function inflateRaw(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return decompress(
    pieces,
    () => createInflateRaw(ZLIB_OPTIONS),
    (error) => damaged('deflated', error),
  );
}
