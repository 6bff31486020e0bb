import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { BrokenInput } from './broken-input.js';

/** What is read when the data turns out damaged is lost up to the start of its slice. */
const SLICE_BYTES = 16 * 1024;
/** The checksum and length at the end: apart, so that a wrong one costs no data. */
const TRAILER_BYTES = 8;

const CHUNK_BYTES = 64 * 1024;

const REMEDY = 'Fetch the whole file again, then run the import again.';

/**
 * Unpacks what a zip archive calls deflated. Everything that could be unpacked is given before an
 * error, which is why Node's own stream is driven by hand: it drops what it holds when it fails.
 * @throws BrokenInput if the data ends early or is damaged
 */
export async function* inflateRaw(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacker = new Unpacker(createInflateRaw({ chunkSize: CHUNK_BYTES }));
  try {
    for await (const slice of slices(pieces)) {
      yield* await unpacker.write(slice);
      if (unpacker.error !== undefined) throw broken(unpacker.error);
    }
    yield* await unpacker.end();
    if (unpacker.error !== undefined) throw broken(unpacker.error);
  } finally {
    unpacker.close();
  }
}

class Unpacker {
  error: Error | undefined;
  readonly #stream: InflateRaw;
  #unpacked: Buffer[] = [];
  #settle: () => void = () => {};

  constructor(stream: InflateRaw) {
    this.#stream = stream;
    stream.on('data', (data: Buffer) => this.#unpacked.push(data));
    stream.on('error', (error) => {
      this.error = error;
      this.#settle();
    });
  }

  async write(slice: Uint8Array): Promise<Buffer[]> {
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      this.#stream.write(slice, () => resolve());
    });
    return this.#take();
  }

  async end(): Promise<Buffer[]> {
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      // What stands behind the packed data ends the stream before its time.
      if (this.#stream.readableEnded) resolve();
      this.#stream.once('end', resolve);
      this.#stream.end();
    });
    return this.#take();
  }

  close(): void {
    this.#stream.destroy();
  }

  #take(): Buffer[] {
    const unpacked = this.#unpacked;
    this.#unpacked = [];
    return unpacked;
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
