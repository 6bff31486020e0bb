import { brokenSource } from '../../input/broken-input.js';
import type { Chunk } from '../../model/chunk.js';
import type { ChunkSource } from '../boundaries/cut-records.js';

/** Objects handed on at a time. */
const OBJECTS = 500;

/**
 * Gathers objects into chunks.
 * @throws SourceBrokenError after the last object, if the iterable fails
 */
export async function* cutObjects(
  source: ChunkSource,
  items: AsyncIterable<unknown>,
): AsyncGenerator<Chunk, void, undefined> {
  let objects: unknown[] = [];
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
      objects.push(item);
      if (objects.length < OBJECTS) continue;
      yield chunk();
      record += objects.length;
      objects = [];
    }
  } catch (error) {
    failure = { error };
  }
  if (objects.length > 0) yield chunk();
  if (failure === undefined) return;
  const position = { byte: 0, record: record + objects.length, line: record + objects.length };
  throw brokenSource(source.source, position, failure.error);
}
