/** Objects from a program. There is no file, so the format is neither text nor binary. */

import { BrokenInput, brokenSource } from '../../input/broken-input.js';
import { abortable } from '../../input/pieces.js';
import type { ObjectsInput } from '../../input/raw-input.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import { DUE, FlushTimer } from '../../model/flush-timer.js';
import type { ChunkSource, Format, Opened } from '../format.js';

const LAYOUT: Layout = { format: 'objects' };

export const objects: Format = {
  name: LAYOUT.format,
  title: 'objects',
  extensions: [],
  hasColumns: false,
  rejects: 'jsonl',
};

export function openObjects(raw: ObjectsInput): Opened {
  return {
    layout: LAYOUT,
    notices: raw.empty ? ['The input is empty: it has no records.'] : [],
    cutChunks: ({ source, limits, signal }) =>
      cutObjects(
        source,
        abortable(raw.items(), () => raw.close(), signal),
        { flushMs: limits.flushMs, close: () => raw.close() },
      ),
  };
}

const MAX_OBJECTS = 500;

/**
 * Gathers objects into chunks.
 * @throws SourceBrokenError after the last object, if the iterable fails or yields an object twice
 *   in a chunk, as a reused object has only the last record's values. In a later chunk it may be
 *   reused: by then the earlier one has been mapped.
 */
async function* cutObjects(
  source: ChunkSource,
  items: AsyncGenerator<unknown>,
  { flushMs, close }: { readonly flushMs: number; readonly close: () => void },
): AsyncGenerator<Chunk, void, undefined> {
  const flush = new FlushTimer(flushMs);
  let objects: unknown[] = [];
  let seen = new Set<object>();
  let record = 1;
  let next: Promise<IteratorResult<unknown>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    for (;;) {
      // Not earlier: a program may reuse one object for all records.
      next ??= items.next();
      const step = await flush.before(next);
      if (step === DUE) {
        yield nextChunk();
        continue;
      }
      next = undefined;
      if (step.done) break;
      const item: unknown = step.value;
      if (wasSeen(item, seen)) {
        const first = objects.indexOf(item);
        failure = { error: reusedObject(record + first, record + objects.length) };
        objects = objects.slice(0, first);
        break;
      }
      objects.push(item);
      flush.start();
      if (objects.length === MAX_OBJECTS) yield nextChunk();
    }
  } catch (error) {
    failure = { error };
    next = undefined;
  } finally {
    flush.stop();
    if (next !== undefined) close();
    // The pending item may never come.
    const closed = items.return(undefined).catch(() => {});
    if (next === undefined) await closed;
  }
  if (objects.length > 0) yield nextChunk();
  if (failure === undefined) return;
  throw brokenSource(source.source, { record }, failure.error);

  function nextChunk(): Chunk {
    const position = { byte: 0, record, line: 1 };
    const chunk: Chunk = { kind: 'objects', ...source, position, records: objects.length, objects };
    flush.stop();
    record += objects.length;
    objects = [];
    seen = new Set();
    return chunk;
  }
}

/** Adds an object to those of the chunk. Returns whether it is already there. */
function wasSeen(item: unknown, seen: Set<object>): boolean {
  if (typeof item !== 'object' || item === null) return false;
  // A single look-up, as this runs for every record.
  const { size } = seen;
  return seen.add(item).size === size;
}

function reusedObject(first: number, second: number): BrokenInput {
  return new BrokenInput(
    `it yields the same object for record ${first} and record ${second}, so the values of the first are lost`,
    'Yield a new object for each record, for example a copy: { ...row }.',
  );
}
