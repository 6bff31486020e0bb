import type { Chunk } from '../../src/model/chunk.js';
import {
  type Batch,
  type DocumentRange,
  type Documents,
  rangeBytes,
} from '../../src/model/documents.js';
import { allocateFresh, DocumentWriter, loadHashes } from '../../src/transform/serialise.js';

await loadHashes();

/** A chunk of objects, for tests that only need one to stand behind documents. */
export function chunkOf(objects: readonly unknown[], firstRecord = 1): Chunk {
  return {
    kind: 'objects',
    source: 'records',
    input: 0,
    layout: { format: 'objects' },
    position: { byte: 0, record: firstRecord, line: 1 },
    records: objects.length,
    objects,
  };
}

/** Serialised documents, as the transform hands them on. */
export function documentsOf(
  objects: readonly { sourceId?: string; published?: string; [key: string]: unknown }[],
  firstRecord = 1,
  room = allocateFresh,
): Documents {
  const writer = new DocumentWriter(objects.length, 0, room);
  for (const [index, object] of objects.entries()) {
    writer.add(JSON.stringify(object), index, object);
  }
  return writer.finish(chunkOf(objects, firstRecord));
}

/** A batch of these documents. */
export function batchOf(...ranges: readonly DocumentRange[]): Batch {
  const bytes = ranges.reduce((sum, range) => sum + rangeBytes(range).length, 0);
  return {
    ranges,
    count: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    bytes: bytes + Math.max(0, ranges.length - 1),
  };
}
