import type { Transform } from 'node:stream';
import zlib, { createGunzip, createInflateRaw, type ZlibOptions } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';

/** Limits the output of a single write: deflate expands data up to a thousand times. */
const SLICE_BYTES = 16 * 1024;
/** Small, because zlib drops the chunk of output in which it finds damage. */
const ZLIB_OPTIONS: ZlibOptions = { chunkSize: 16 * 1024 };

const REMEDY = 'Download or copy the whole file again.';

type ZlibStream = Transform & { readonly bytesWritten: number };

/** Turns a stream's error (damaged or truncated data) into a message. */
type Explain = (error: NodeJS.ErrnoException) => BrokenInput;

/**
 * Decompresses one or several frames, each with a new stream: some streams stop at the end of a
 * frame even if another follows.
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

/** APIs missing in the oldest supported Node.js and in the installed types. */
interface Zstd {
  readonly createZstdDecompress?: (options: ZlibOptions) => ZlibStream;
  readonly zstdDecompressSync?: (bytes: Uint8Array) => Buffer;
}

const { createZstdDecompress, zstdDecompressSync } = zlib as Zstd;

/** Magic number of a zstd frame (RFC 8878). */
const ZSTD_FRAME = 0xfd2fb528;

/**
 * Returns whether this Node.js has zstd and detects truncated data. Node.js 22 and the first
 * releases of 24 take truncated data for complete.
 */
export function supportsZstd(): boolean {
  const truncated = Buffer.alloc(6);
  truncated.writeUInt32LE(ZSTD_FRAME);
  try {
    zstdDecompressSync?.(truncated);
    return false;
  } catch {
    return true;
  }
}

/**
 * Decompresses zstd with one or several frames.
 * @throws BrokenInput if the data is truncated, damaged or needs too much memory, or if this
 *   Node.js doesn't support zstd
 */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (createZstdDecompress === undefined || !supportsZstd()) throw unsupported();
  yield* decompress(pieces, () => createZstdDecompress(ZLIB_OPTIONS), explainZstd);
}

function unsupported(): BrokenInput {
  return new BrokenInput(
    `Node.js ${process.version} can't decompress zstd reliably; the latest 24 can`,
    'Decompress it first, or pipe it in: zstd -dc FILE | docferry import -',
  );
}

function explainZstd(error: NodeJS.ErrnoException): BrokenInput {
  if (error.code !== 'ZSTD_error_frameParameter_windowTooLarge') return damaged('zstd', error);
  return new BrokenInput(
    'its zstd data needs a window of more than 128 MiB',
    'Decompress it first (zstd -d --long=31), or compress it without --long and --ultra.',
  );
}
