import type { Transform } from 'node:stream';
import type { ZlibOptions } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import type { PieceReader } from '../piece-reader.js';

/** Bounds what comes out of one write: deflate can expand it a thousand times. */
const SLICE_BYTES = 16 * 1024;
/** zlib drops the chunk of output in which it finds damage, so chunks are small. */
export const ZLIB_OPTIONS: ZlibOptions = { chunkSize: 16 * 1024 };

export const REMEDY = 'Fetch the whole file again, then run the import again.';

/** One of the streams of `node:zlib`. */
export type ZlibStream = Transform & { readonly bytesWritten: number };

/**
 * Decompresses up to where the stream sees the end of its data; what follows stays unread.
 * A stream of `node:zlib` loses its buffered output when it fails, so it is written to in slices,
 * and the output of each is taken before the next.
 * @param explain makes the error to throw where the data is damaged or ends early
 */
export async function* decompress(
  compressed: PieceReader,
  stream: ZlibStream,
  explain: (error: NodeJS.ErrnoException) => BrokenInput,
): AsyncGenerator<Buffer, void, undefined> {
  const output: Buffer[] = [];
  let resume: () => void = () => {};
  stream.on('data', (data: Buffer) => output.push(data));
  // Neither calls back for a slice that is not used up.
  stream.on('end', () => resume());
  stream.on('error', () => resume());
  try {
    while (!stream.readableEnded) {
      const slice = (await compressed.atLeast(1)).subarray(0, SLICE_BYTES);
      const before = stream.bytesWritten;
      await new Promise<void>((resolve) => {
        resume = resolve;
        if (slice.length === 0) stream.end();
        else stream.write(slice, () => resolve());
      });
      yield* output.splice(0);
      if (stream.errored !== null) throw explain(stream.errored);
      compressed.pass(stream.bytesWritten - before);
    }
  } finally {
    stream.destroy();
  }
}

/** @param kind names the data in the message */
export function damaged(kind: string, { code, message }: NodeJS.ErrnoException): BrokenInput {
  const reason = code === 'Z_BUF_ERROR' ? 'ends early' : `is damaged (${message})`;
  return new BrokenInput(`its ${kind} data ${reason}`, REMEDY);
}
