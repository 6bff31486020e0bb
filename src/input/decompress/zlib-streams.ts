import type { Transform } from 'node:stream';
import zlib, { createGunzip, createInflateRaw, type ZlibOptions } from 'node:zlib';
import { ByteWindow } from '../byte-window.js';
import { BrokenInput } from '../raw-input.js';

/** Limits the output of a single write: deflate expands data up to a thousand times. */
const SLICE_BYTES = 16 * 1024;
/** Small, because zlib drops the chunk of output in which it finds damage. */
const ZLIB_OPTIONS: ZlibOptions = { chunkSize: 16 * 1024 };

export const REMEDY = 'Download or copy the whole file again.';

export type ZlibStream = Transform & { readonly bytesWritten: number };

/** Turns a stream's error (damaged or truncated data) into a message. */
type Explain = (error: NodeJS.ErrnoException) => BrokenInput;

/**
 * Decompresses one or several frames, each with a new stream: some streams stop at the end of a
 * frame even if another follows.
 * @throws BrokenInput as made by `explain`
 */
export async function* decompress(
  pieces: AsyncIterable<Uint8Array>,
  createStream: () => ZlibStream,
  explain: Explain,
): AsyncGenerator<Uint8Array, void, undefined> {
  const compressed = new ByteWindow(pieces);
  try {
    do yield* decompressFrame(compressed, createStream(), explain);
    while (await skipPadding(compressed));
  } finally {
    await compressed.close();
  }
}

/**
 * Decompresses to the end of the frame and leaves what follows unread. A failing stream of
 * `node:zlib` loses its buffered output, so input is written in slices and the output of each is
 * taken before the next.
 */
async function* decompressFrame(
  compressed: ByteWindow,
  stream: ZlibStream,
  explain: Explain,
): AsyncGenerator<Buffer, void, undefined> {
  const output: Buffer[] = [];
  let resume: () => void = () => {};
  stream.on('data', (data: Buffer) => output.push(data));
  // The write callback isn't called for a slice that is only partly consumed.
  stream.on('end', () => resume());
  stream.on('error', () => resume());
  try {
    while (!stream.readableEnded) {
      const slice = (await refill(compressed, 0)).subarray(0, SLICE_BYTES);
      const before = stream.bytesWritten;
      await new Promise<void>((resolve) => {
        resume = resolve;
        if (slice.length === 0) stream.end();
        else stream.write(slice, () => resolve());
      });
      yield* output.splice(0);
      if (stream.errored !== null) throw explain(stream.errored);
      await compressed.fill(stream.bytesWritten - before, 0);
    }
  } finally {
    stream.destroy();
  }
}

/** Skips the zeros that pad tape archives. Returns whether data follows. */
async function skipPadding(compressed: ByteWindow): Promise<boolean> {
  for (let used = 0; ; ) {
    const rest = await refill(compressed, used);
    const zeros = rest.findIndex((byte) => byte !== 0);
    if (zeros < 0 && rest.length > 0) used = rest.length;
    else {
      await compressed.fill(Math.max(0, zeros), 0);
      return rest.length > 0;
    }
  }
}

/** Drops `used` bytes and returns what follows; empty only at the end. */
async function refill(compressed: ByteWindow, used: number): Promise<Buffer> {
  await compressed.fill(used, 1);
  const { bytes, failure } = compressed;
  if (bytes.length === 0 && failure !== undefined) throw failure.error;
  return bytes;
}

/** @param kind of data, for the message */
export function damaged(kind: string, { code, message }: NodeJS.ErrnoException): BrokenInput {
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
  switch (error.code) {
    case 'ZSTD_error_frameParameter_windowTooLarge':
      return new BrokenInput(
        'its zstd data needs a window of more than 128 MiB',
        'Decompress it first (zstd -d --long=31), or compress it without --long and --ultra.',
      );
    case 'ZSTD_error_dictionary_wrong':
      return new BrokenInput(
        'its zstd data was compressed with a dictionary',
        'Decompress it with its dictionary first.',
      );
    default:
      return damaged('zstd', error);
  }
}
