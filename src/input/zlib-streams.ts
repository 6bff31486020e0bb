import type { Transform } from 'node:stream';
import { createGunzip, createInflateRaw, type ZlibOptions } from 'node:zlib';
import { BrokenInput } from './broken-input.js';

/** Limits the output of a single write: deflate expands data up to a thousand times. */
const SLICE_BYTES = 16 * 1024;
/** Small, because zlib drops the chunk of output in which it finds damage. */
const ZLIB_OPTIONS: ZlibOptions = { chunkSize: 16 * 1024 };

const REMEDY = 'Download or copy the whole file again.';

type ZlibStream = Transform & { readonly bytesWritten: number };

/** Turns a stream's error (damaged or truncated data) into a message. */
type Explain = (error: NodeJS.ErrnoException) => BrokenInput;

/**
 * Decompresses one or several members, with a new stream where one has ended before the input.
 * @throws BrokenInput as made by `explain`
 */
async function* decompress(
  pieces: AsyncIterable<Uint8Array>,
  createStream: () => ZlibStream,
  explain: Explain,
): AsyncGenerator<Uint8Array, void, undefined> {
  let frame: Frame | undefined = new Frame(createStream(), explain);
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) {
        // Skip the zeros that pad tape archives.
        if (frame === undefined && piece[at] === 0) at += 1;
        else {
          frame ??= new Frame(createStream(), explain);
          at += await frame.write(piece.subarray(at, at + SLICE_BYTES));
          yield* frame.takeOutput();
          if (frame.ended) frame = frame.close();
        }
      }
    }
    await frame?.write();
    if (frame !== undefined) yield* frame.takeOutput();
  } finally {
    frame?.close();
  }
}

/**
 * Stream of one frame. One of `node:zlib` that fails loses its buffered output, so input is written
 * in slices and the output of each is taken before the next.
 */
class Frame {
  readonly #stream: ZlibStream;
  readonly #explain: Explain;
  readonly #output: Buffer[] = [];
  #resume: () => void = () => {};

  constructor(stream: ZlibStream, explain: Explain) {
    this.#stream = stream;
    this.#explain = explain;
    stream.on('data', (data: Buffer) => this.#output.push(data));
    // The write callback isn't called for a slice that is only partly consumed.
    stream.on('end', () => this.#resume());
    stream.on('error', () => this.#resume());
  }

  get ended(): boolean {
    return this.#stream.readableEnded;
  }

  /** Writes a slice, or the end of the input. Returns how much of it belongs to the frame. */
  async write(slice?: Uint8Array): Promise<number> {
    const before = this.#stream.bytesWritten;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      if (slice === undefined) this.#stream.end();
      else this.#stream.write(slice, () => resolve());
    });
    return this.#stream.bytesWritten - before;
  }

  /**
   * Yields the output of the last slice.
   * @throws BrokenInput after it, if the frame is damaged
   */
  *takeOutput(): Generator<Buffer, void, undefined> {
    yield* this.#output.splice(0);
    if (this.#stream.errored !== null) throw this.#explain(this.#stream.errored);
  }

  close(): undefined {
    this.#stream.destroy();
  }
}

/** @param kind of data, for the message */
function damaged(kind: string, { code, message }: NodeJS.ErrnoException): BrokenInput {
  const reason = code === 'Z_BUF_ERROR' ? 'ends early' : `is damaged (${message})`;
  return new BrokenInput(`its ${kind} data ${reason}`, REMEDY);
}

/**
 * Decompresses gzip with one or several members.
 * @throws BrokenInput if the data is truncated, damaged, or followed by something else
 */
export function gunzip(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return decompress(pieces, () => createGunzip(ZLIB_OPTIONS), explainGzip);
}

function explainGzip(error: NodeJS.ErrnoException): BrokenInput {
  if (error.message !== 'incorrect header check') return damaged('gzip', error);
  // The first header was valid, so this is what follows a member.
  return new BrokenInput("its gzip data is followed by something that isn't gzip", REMEDY);
}

/**
 * Decompresses a deflated member of a zip archive.
 * @throws BrokenInput if the data is truncated or damaged
 */
export function inflateRaw(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return decompress(
    pieces,
    () => createInflateRaw(ZLIB_OPTIONS),
    (error) => damaged('deflated', error),
  );
}
