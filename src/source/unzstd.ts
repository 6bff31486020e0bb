import type { Decompress } from 'fzstd';
import { BrokenInput } from './broken-input.js';

/**
 * A block of up to 128 KiB can be packed into four bytes, and all blocks of a slice are unpacked at
 * once: small slices keep that within bounds.
 */
const SLICE_BYTES = 2 * 1024;

const REMEDY = 'Fetch the whole file again, then run the import again.';

/**
 * Unpacks zstd, also of several frames. Everything that could be unpacked is given before an error.
 * @throws BrokenInput if the data ends early or is damaged
 */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const fzstd = await import('fzstd');
  const unpacked: Uint8Array[] = [];
  const unpacker = new fzstd.Decompress((data) => {
    if (data.length > 0) unpacked.push(data);
  });
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      const failure = attempt(unpacker, piece.subarray(at, at + SLICE_BYTES), false);
      yield* unpacked.splice(0);
      if (failure !== undefined) throw failure;
    }
  }
  const failure = attempt(unpacker, new Uint8Array(), true);
  yield* unpacked.splice(0);
  if (failure !== undefined) throw failure;
}

function attempt(
  unpacker: Decompress,
  slice: Uint8Array,
  isLast: boolean,
): BrokenInput | undefined {
  try {
    // What is left of a slice is kept until the next one comes: the piece may be used again.
    unpacker.push(slice.slice(), isLast);
    return undefined;
  } catch (error) {
    if (isLast) return new BrokenInput('its zstd data ends early', REMEDY);
    const { message } = error as Error;
    return new BrokenInput(`its zstd data is damaged (${message})`, REMEDY);
  }
}
