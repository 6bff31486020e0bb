import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packDocuments, unpackDocuments } from '../../../src/transform/pool/pack-documents.js';
import { documentsOf } from '../../helpers/documents.js';

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
        expect(unpacked.sourceIds).toEqual(objects.map(({ sourceId }) => sourceId ?? null));
        for (const part of ['ends', 'records', 'idHashes', 'digests', 'bytes'] as const) {
          expect([...unpacked[part]], part).toEqual([...documents[part]]);
        }
        const { bytes } = unpacked;
        expect(bytes.byteOffset + bytes.byteLength).toBe(packed.buffer.byteLength);
      }),
    );
  });
});
