/** Objects that a program hands over: there is no file, so they are neither text nor binary. */
import { abortable } from '../../input/abortable.js';
import { BrokenInput, brokenSource } from '../../input/broken-input.js';
import { DUE, FlushTimer } from '../../input/flush-timer.js';
import type { ObjectsInput } from '../../input/raw-input.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import type { ChunkSource, Format, Opened } from '../format.js';

const LAYOUT: Layout = { format: 'objects' };

/** Chunks of objects have no bytes to be parsed. */
export const objects: Format = {
  name: LAYOUT.format,
  title: 'objects',
  extensions: [],
  hasColumns: false,
  hasLines: false,
  parse: () => [],
  locate: () => [],
};

/** What a program hands over, as a source. */
export function openObjects(raw: ObjectsInput): Opened {
  return {
    layout: LAYOUT,
    notices: raw.empty ? ['The input is empty: there are no records in it.'] : [],
    chunks: ({ source, limits, signal }) =>
      cutObjects(
        source,
        abortable(raw.items(), () => raw.close(), signal),
        { flushMs: limits.flushMs, close: () => raw.close() },
      ),
  };
}

/** Objects handed on at a time. */
const OBJECTS = 500;

/**
 * Gathers objects into chunks.
 * @throws SourceBrokenError after the last object, if the iterable fails or gives an object twice in
 * a chunk: a reused object holds the last record's values only. In a later chunk it may come again,
 * since the earlier one has been mapped by then.
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
      // Not sooner: a program may reuse one object for all records.
      next ??= items.next();
      const step = await flush.before(next);
      if (step === DUE) {
        yield handOn();
        continue;
      }
      next = undefined;
      if (step.done) break;
      const item: unknown = step.value;
      if (isRepeated(item, seen)) {
        const first = objects.indexOf(item);
        failure = { error: reusedObject(record + first, record + objects.length) };
        objects = objects.slice(0, first);
        break;
      }
      objects.push(item);
      flush.start();
      if (objects.length === OBJECTS) yield handOn();
    }
  } catch (error) {
    failure = { error };
    next = undefined;
  } finally {
    flush.stop();
    if (next !== undefined) close();
    // What is still awaited may never come.
    const closed = items.return(undefined).catch(() => {});
    if (next === undefined) await closed;
  }
  if (objects.length > 0) yield handOn();
  if (failure === undefined) return;
  throw brokenSource(source.source, { byte: 0, record, line: record }, failure.error);

  function handOn(): Chunk {
    const position = { byte: 0, record, line: 1 };
    const chunk: Chunk = { kind: 'objects', ...source, position, records: objects.length, objects };
    flush.stop();
    record += objects.length;
    objects = [];
    seen = new Set();
    return chunk;
  }
}

/** Adds the object to those of the chunk. Only objects can be reused. */
function isRepeated(item: unknown, seen: Set<object>): boolean {
  if (typeof item !== 'object' || item === null) return false;
  // A single look-up: this is done for every record.
  const { size } = seen;
  return seen.add(item).size === size;
}

function reusedObject(first: number, second: number): BrokenInput {
  return new BrokenInput(
    `it gives the same object for record ${first} and record ${second}, so the values of the first are lost`,
    'Give each record an object of its own, for example a copy: { ...row }.',
  );
}
