import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DIGEST_BYTES,
  type Documents,
  endOf,
  sourceIdOf,
  sourceIdsOf,
  startOf,
} from '../../src/model/documents.js';
import { allocateReused } from '../../src/transform/serialise.js';
import { CODE_POINT } from '../helpers/code-point.js';
import { documentsOf } from '../helpers/documents.js';

describe('DocumentWriter', () => {
  it('keeps every document, byte for byte, at its offsets', () => {
    const texts = fc.array(fc.string({ unit: CODE_POINT, maxLength: 3000 }));
    fc.assert(
      fc.property(texts, (list) => {
        const objects = list.map((text, at) => ({ sourceId: String(at), text }));
        const documents = documentsOf(objects);
        const bytes = Buffer.from(documents.bytes);
        const read = objects.map((_, at) =>
          JSON.parse(bytes.toString('utf8', startOf(documents, at), endOf(documents, at))),
        );
        expect(read).toEqual(objects);
        expect(sourceIdsIn(documents)).toEqual(objects.map(({ sourceId }) => sourceId));
        expect(documents.digests).toHaveLength(objects.length * DIGEST_BYTES);
      }),
    );
  });

  it('writes the same into memory that it has used before, whatever the sizes', () => {
    const texts = fc.array(fc.string({ unit: CODE_POINT, maxLength: 3000 }));
    fc.assert(
      fc.property(fc.array(texts, { minLength: 2, maxLength: 5 }), (chunks) => {
        const room = allocateReused();
        for (const list of chunks) {
          const objects = list.map((text, at) => ({ sourceId: String(at), text }));
          const reused = documentsOf(objects, 1, room);
          const fresh = documentsOf(objects);
          for (const part of ['bytes', 'ends', 'digests', 'idHashes'] as const) {
            expect([...reused[part]], part).toEqual([...fresh[part]]);
          }
        }
      }),
    );
  });

  it('gives documents the same digest when they differ in nothing but `downloaded`', () => {
    const text = 'he wrote "downloaded":"yesterday"';
    const documents = documentsOf([
      { sourceId: '1', text, downloaded: '2024-06-03T16:30:00.000Z', url: 'u' },
      { sourceId: '1', text, downloaded: '2025-01-01T00:00:00.000Z', url: 'u' },
      { sourceId: '1', text, downloaded: '2025-01-01T00:00:00.000Z', url: 'v' },
      { sourceId: '1', text: `${text}.`, downloaded: '2025-01-01T00:00:00.000Z', url: 'u' },
    ]);
    const [first, second, third, fourth] = [0, 1, 2, 3].map((at) => digestAt(documents, at));
    expect(second).toBe(first);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });

  it('writes ids as JSON does, whatever characters they hold', () => {
    const ids = fc.array(fc.oneof(fc.string({ unit: CODE_POINT }), fc.string()), { maxLength: 8 });
    fc.assert(
      fc.property(ids, (list) => {
        const documents = documentsOf(list.map((sourceId) => ({ sourceId })));
        expect(list.map((_, at) => sourceIdOf(documents, at))).toEqual(list);
      }),
    );
  });
});

function sourceIdsIn(documents: Documents): readonly (string | null)[] {
  return sourceIdsOf({ documents, from: 0, to: documents.ends.length });
}

function digestAt({ digests }: Documents, at: number): string {
  const slice = digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES);
  return Buffer.from(slice).toString('hex');
}
