import { createGunzip, createInflateRaw } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import { PieceReader } from '../piece-reader.js';
import { damaged, decompress, REMEDY, ZLIB_OPTIONS } from './zlib-stream.js';

/** Whether bytes start with gzip's magic number. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Decompresses gzip of one or several members.
 * @throws BrokenInput if the data ends early, is damaged, or something else follows it
 */
export async function* gunzip(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressed = new PieceReader(pieces);
  try {
    yield* decompress(compressed, createGunzip(ZLIB_OPTIONS), explain);
    await skipPadding(compressed);
  } finally {
    await compressed.close();
  }
}

/** Skips the zeros with which tapes are filled up. At a zero, the stream stops in silence. */
async function skipPadding(compressed: PieceReader): Promise<void> {
  for (;;) {
    const rest = await compressed.atLeast(1);
    if (rest.length === 0) return;
    if (rest.some((byte) => byte !== 0)) throw otherDataFollows();
    compressed.pass(rest.length);
  }
}

function explain(error: NodeJS.ErrnoException): BrokenInput {
  // The first header was recognised, so this is behind a member.
  return error.message === 'incorrect header check' ? otherDataFollows() : damaged('gzip', error);
}

function otherDataFollows(): BrokenInput {
  return new BrokenInput('its gzip data has an end, and something that is no gzip follows', REMEDY);
}

/**
 * Decompresses a deflated member of a zip archive.
 * @throws BrokenInput if the data ends early or is damaged
 */
export async function* inflateRaw(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressed = new PieceReader(pieces);
  try {
    yield* decompress(compressed, createInflateRaw(ZLIB_OPTIONS), (error) =>
      damaged('deflated', error),
    );
  } finally {
    await compressed.close();
  }
}
