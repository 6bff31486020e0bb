import type { Transform } from 'node:stream';
import { createGunzip, createInflateRaw, type ZlibOptions } from 'node:zlib';
import type { Detected } from '../model/source.js';
import { BrokenInput } from './broken-input.js';
import type { RawInput } from './raw-input.js';

export interface Decompressed {
  readonly compression: Detected['compression'];
  /** Reads from the start without consuming the input. */
  peek(): AsyncIterable<Uint8Array>;
  /** Reads from the start; like {@link RawInput.read}, a stream only once. */
  read(): AsyncIterable<Uint8Array>;
  decompress(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Detects compression by the first bytes and wraps the input to decompress it. */
export function decompressed(raw: RawInput, start: Buffer): Decompressed {
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const decompress = isGzip ? gunzip : (pieces: AsyncIterable<Uint8Array>) => pieces;
  return {
    compression: isGzip ? 'gzip' : null,
    peek: () => decompress(raw.peek()),
    read: () => decompress(raw.read()),
    decompress,
  };
}

/** Limits the output of a single write: deflate expands data up to a thousand times. */
const SLICE_BYTES = 16 * 1024;
/** Small, because zlib drops the chunk of output in which it finds damage. */
const ZLIB_OPTIONS: ZlibOptions = { chunkSize: 16 * 1024 };

const REMEDY = 'Download or copy the whole file again.';
const OR_PLAIN = 'Get it without compression, or download or copy the whole file again.';

type ZlibStream = Transform & { readonly bytesWritten: number };

/**
 * Decompresses gzip with one or several members.
 * @throws BrokenInput if the data is truncated, damaged, or followed by something else
 */
export function gunzip(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return decompress(pieces, createGunzip(ZLIB_OPTIONS), 'gzip');
}

/**
 * Decompresses a deflated member of a zip archive.
 * @throws BrokenInput if the data is truncated or damaged
 */
export function inflateRaw(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return decompress(pieces, createInflateRaw(ZLIB_OPTIONS), 'deflated');
}

/**
 * Decompresses pieces. A stream of `node:zlib` that fails loses its buffered output, so input is written
 * in slices and the output of each is taken before the next.
 * @param kind of data, for messages
 */
async function* decompress(
  pieces: AsyncIterable<Uint8Array>,
  stream: ZlibStream,
  kind: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output: Buffer[] = [];
  let resume: () => void = () => {};
  stream.on('data', (data: Buffer) => output.push(data));
  // The write callback isn't called for a slice that is only partly consumed.
  stream.on('end', () => resume());
  stream.on('error', () => resume());
  const pass = async (slice?: Uint8Array): Promise<void> => {
    await new Promise<void>((resolve) => {
      resume = resolve;
      if (slice === undefined) stream.end();
      else stream.write(slice, () => resolve());
    });
  };
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += SLICE_BYTES) {
        const slice = piece.subarray(at, at + SLICE_BYTES);
        const before = stream.bytesWritten;
        if (!stream.readableEnded) await pass(slice);
        yield* output.splice(0);
        if (stream.errored !== null) throw damagedInput(kind, stream.errored);
        assertPadding(kind, slice.subarray(stream.bytesWritten - before));
      }
    }
    if (!stream.readableEnded) await pass();
    yield* output.splice(0);
    if (stream.errored !== null) throw damagedInput(kind, stream.errored);
  } finally {
    stream.destroy();
  }
}

/** Only zeros may follow compressed data, as they pad tape archives. */
function assertPadding(kind: string, rest: Uint8Array): void {
  if (rest.every((byte) => byte === 0)) return;
  throw followed(kind);
}

/** What zlib says of a further member that isn't one. */
const NO_MEMBER = 'incorrect header check';

function followed(kind: string): BrokenInput {
  return new BrokenInput(`its ${kind} data is followed by something else`, OR_PLAIN);
}

function damagedInput(kind: string, { code, message }: NodeJS.ErrnoException): BrokenInput {
  if (message === NO_MEMBER) return followed(kind);
  const reason = code === 'Z_BUF_ERROR' ? 'ends early' : `is damaged (${message})`;
  return new BrokenInput(`its ${kind} data ${reason}`, REMEDY);
}
