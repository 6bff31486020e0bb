import { BrokenInput } from '../broken-input.js';
import { Inflater } from './inflater.js';

/** What comes out of a slice is in memory at once. */
const SLICE_BYTES = 16 * 1024;
/** The checksum and length at the end: apart, so that a wrong one costs no data. */
const TRAILER_BYTES = 8;

const REMEDY = 'Fetch the whole file again, then run the import again.';

/**
 * Unpacks what a zip archive calls deflated. Everything that could be unpacked is given before an
 * error.
 * @throws BrokenInput if the data ends early or is damaged
 */
export async function* inflateRaw(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacker = new Inflater();
  try {
    for await (const slice of slices(pieces)) {
      // What stands behind the packed data is left.
      if (unpacker.ended) continue;
      yield* await unpacker.write(slice);
      if (unpacker.error !== undefined) throw broken(unpacker.error);
    }
    if (unpacker.ended) return;
    yield* await unpacker.end();
    if (unpacker.error !== undefined) throw broken(unpacker.error);
  } finally {
    unpacker.close();
  }
}

/** Cuts pieces into slices, holding back the last few bytes until the end. */
async function* slices(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const bytes = Buffer.concat([held, piece]);
    const whole = Math.max(0, bytes.length - TRAILER_BYTES);
    for (let at = 0; at < whole; at += SLICE_BYTES) {
      yield bytes.subarray(at, Math.min(whole, at + SLICE_BYTES));
    }
    held = bytes.subarray(whole);
  }
  if (held.length > 0) yield held;
}

function broken(error: Error): BrokenInput {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'Z_BUF_ERROR'
    ? new BrokenInput('its deflated data ends early', REMEDY)
    : new BrokenInput(`its deflated data is damaged (${error.message})`, REMEDY);
}
