import type { Writable } from 'node:stream';

/**
 * Writes texts one after the other, and asks for the next one only when the last one has been
 * handed on. Ends quietly when nobody reads any more, as after `| head`.
 * @returns whether everything was written
 * @throws what the stream says, if it fails otherwise
 */
export async function writeOut(
  texts: AsyncIterable<string> | Iterable<string>,
  stream: Writable,
): Promise<boolean> {
  for await (const text of texts) {
    if (text !== '' && !(await written(text, stream))) return false;
  }
  return true;
}

function written(text: string, stream: Writable): Promise<boolean> {
  if (stream.destroyed || !stream.writable) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve(true);
      else if (CLOSED.has((error as NodeJS.ErrnoException).code ?? '')) resolve(false);
      else reject(error);
    });
  });
}

/** How a stream says that its reader has gone. */
const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);
