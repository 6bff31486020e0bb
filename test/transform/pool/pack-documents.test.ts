import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceIdOf, sourceIdsOf } from '../../../src/model/documents.js';
import { packDocuments, unpackDocuments } from '../../../src/transform/pool/pack-documents.js';
import { documentsOf } from '../../helpers/documents.js';

const PARTS = [
  'published',
  'ends',
  'records',
  'idHashes',
  'digests',
  'idEnds',
  'ids',
  'bytes',
] as const;

describe('packDocuments', () => {
  it('gives one piece of memory that holds all there is, and no more', () => {
    const document = fc.record(
      { sourceId: fc.string({ unit: 'binary' }), text: fc.string({ unit: 'grapheme' }) },
      { requiredKeys: ['text'] },
    );
    fc.assert(
      fc.property(fc.array(document), (objects) => {
        const documents = documentsOf(objects);
        const packed = structuredClone(packDocuments(documents));
        const unpacked = unpackDocuments(packed, documents.chunk);
        const range = { documents: unpacked, from: 0, to: objects.length };
        expect(sourceIdsOf(range)).toEqual(objects.map(({ sourceId }) => sourceId ?? null));
        for (const [index, { sourceId = null }] of objects.entries()) {
          expect(sourceIdOf(unpacked, index)).toBe(sourceId);
        }
        for (const part of PARTS) {
          expect([...unpacked[part]], part).toEqual([...documents[part]]);
        }
        const { bytes } = unpacked;
        expect(bytes.byteOffset + bytes.byteLength).toBe(packed.buffer.byteLength);
      }),
    );
  });
});
