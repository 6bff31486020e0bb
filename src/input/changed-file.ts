import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Chunk } from '../model/chunk.js';
import { SourceBrokenError } from '../model/errors.js';
import type { RegularFile } from '../model/source.js';

/**
 * The chunks of a regular file, unless something writes to it meanwhile. The last chunk is held back
 * until the file is known to be unchanged: the record at its end may have been cut off.
 * @param name of the source
 * @throws SourceBrokenError if the file isn't as it was when it was opened; what reading throws
 */
export async function* unlessChanged(
  chunks: AsyncIterable<Chunk>,
  name: string,
  file: RegularFile,
): AsyncGenerator<Chunk, void, undefined> {
  if (await hasChanged(file)) throw changed(name);
  let last: Chunk | undefined;
  let failure: SourceBrokenError | undefined;
  try {
    for await (const chunk of chunks) {
      if (last !== undefined) yield last;
      last = chunk;
    }
  } catch (error) {
    if (!(error instanceof SourceBrokenError)) throw error;
    failure = error;
  }
  const now = await statsOf(file);
  // A file that was replaced by another was still read to its end: it was open.
  if (now?.ino === file.inode && isOther(now, file)) throw changed(name, last);
  if (last !== undefined) yield last;
  if (failure !== undefined) throw failure;
}

/** Whether a path leads to another file than when it was opened, or to other content. */
export async function hasChanged(file: RegularFile): Promise<boolean> {
  const now = await statsOf(file);
  return now !== undefined && isOther(now, file);
}

/** `undefined` if nothing is there: opening the file explains why. */
async function statsOf({ path }: RegularFile): Promise<Stats | undefined> {
  return await stat(path).catch(() => undefined);
}

function isOther({ size, mtimeMs }: Stats, file: RegularFile): boolean {
  return size !== file.size || mtimeMs !== file.modifiedMs;
}

/** @param next the first chunk that is not used */
function changed(name: string, next?: Chunk): SourceBrokenError {
  const where =
    next === undefined
      ? ''
      : `, and reading stopped before record ${next.position.record} (line ${next.position.line})`;
  return new SourceBrokenError(
    `${name} changed while it was read${where}. Run this again once nothing writes to it: where runs are kept, documents that were accepted are left out.`,
  );
}
