/** Objects that a program hands over: there is no file, so they are neither text nor binary. */
import { abortable } from '../../input/abortable.js';
import { BrokenInput, brokenSource } from '../../input/broken-input.js';
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
    chunks: ({ source, signal }) =>
      cutObjects(
        source,
        abortable(raw.items(), () => raw.close(), signal),
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
  items: AsyncIterable<unknown>,
): AsyncGenerator<Chunk, void, undefined> {
  let objects: unknown[] = [];
  let seen = new Set<object>();
  let record = 1;
  const chunk = (): Chunk => ({
    kind: 'objects',
    ...source,
    position: { byte: 0, record, line: 1 },
    records: objects.length,
    objects,
  });
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const item of items) {
      if (isRepeated(item, seen)) {
        const first = objects.indexOf(item);
        failure = { error: reusedObject(record + first, record + objects.length) };
        objects = objects.slice(0, first);
        break;
      }
      objects.push(item);
      if (objects.length < OBJECTS) continue;
      yield chunk();
      record += objects.length;
      objects = [];
      seen = new Set();
    }
  } catch (error) {
    failure = { error };
  }
  if (objects.length > 0) yield chunk();
  if (failure === undefined) return;
  const position = { byte: 0, record: record + objects.length, line: record + objects.length };
  throw brokenSource(source.source, position, failure.error);
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
