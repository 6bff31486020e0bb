import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import { PieceReader } from '../piece-reader.js';

/** What is written at a time; how much comes out of it at once is bounded by {@link CHUNK_BYTES}. */
const SLICE_BYTES = 16 * 1024;
/** Node drops the last chunk when it finds damage, so chunks are small. */
const CHUNK_BYTES = 16 * 1024;

export const REMEDY = 'Fetch the whole file again, then run the import again.';

/**
 * Decompresses what a zip archive calls deflated. What follows the data is left.
 * @throws BrokenInput if the data ends early or is damaged
 */
export async function* inflateRaw(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressed = new PieceReader(pieces);
  try {
    yield* inflate(compressed, 'deflated');
  } finally {
    await compressed.close();
  }
}

/**
 * Decompresses deflated data, and passes over its bytes but no further.
 * @param kind what to call the data in messages
 * @throws BrokenInput after all but the last 16 KiB that came before the damage
 */
export async function* inflate(
  compressed: PieceReader,
  kind: string,
): AsyncGenerator<Buffer, void, undefined> {
  const inflater = new Inflater();
  try {
    while (!inflater.ended) {
      const slice = (await compressed.atLeast(1)).subarray(0, SLICE_BYTES);
      yield* await inflater.write(slice);
      if (inflater.error !== undefined) throw broken(inflater.error, kind);
      compressed.pass(inflater.taken);
    }
  } finally {
    inflater.close();
  }
}

function broken({ code, message }: NodeJS.ErrnoException, kind: string): BrokenInput {
  return code === 'Z_BUF_ERROR' ? endsEarly(kind) : damaged(kind, message);
}

export function endsEarly(kind: string): BrokenInput {
  return new BrokenInput(`its ${kind} data ends early`, REMEDY);
}

export function damaged(kind: string, reason: string): BrokenInput {
  return new BrokenInput(`its ${kind} data is damaged (${reason})`, REMEDY);
}

/** Node's decoder, driven by hand: it knows itself where its data ends. */
class Inflater {
  error: Error | undefined;
  ended = false;
  /** How many bytes of the last slice belong to the data. */
  taken = 0;
  readonly #stream: InflateRaw = createInflateRaw({ chunkSize: CHUNK_BYTES });
  #decompressed: Buffer[] = [];
  #settle: () => void = () => {};

  constructor() {
    this.#stream.on('data', (data: Buffer) => this.#decompressed.push(data));
    this.#stream.on('error', (error) => {
      this.error = error;
      this.#settle();
    });
    // When something follows the data, the stream ends without calling back for the slice.
    this.#stream.on('end', () => {
      this.ended = true;
      this.#settle();
    });
  }

  /** What comes out of a slice; an empty one tells that nothing follows. */
  async write(slice: Buffer): Promise<readonly Buffer[]> {
    const before = this.#stream.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      if (slice.length === 0) this.#stream.end();
      else this.#stream.write(slice, () => resolve());
    });
    this.taken = this.#stream.bytesWritten - before;
    return this.#decompressed.splice(0);
  }

  close(): void {
    this.#stream.destroy();
  }
}
