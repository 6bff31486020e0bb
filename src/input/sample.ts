import { BrokenInput } from './broken-input.js';

/** The start of a source. */
export interface ByteSample {
  readonly bytes: Buffer;
  /** Whether that is all of it. */
  readonly whole: boolean;
  /** Why it ends early, if reading failed. */
  readonly failure?: { readonly error: BrokenInput };
}

/** Takes at least `wanted` bytes from the start of some pieces, if there are as many. */
export async function takeSample(
  pieces: AsyncIterable<Uint8Array>,
  wanted: number,
): Promise<ByteSample> {
  const taken: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of pieces) {
      taken.push(Buffer.from(piece));
      length += piece.length;
      if (length >= wanted) return { bytes: Buffer.concat(taken), whole: false };
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    return { bytes: Buffer.concat(taken), whole: false, failure: { error } };
  }
  return { bytes: Buffer.concat(taken), whole: true };
}

/** Gathers the pieces of what is small. */
export async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return (await takeSample(pieces, Number.POSITIVE_INFINITY)).bytes;
}
