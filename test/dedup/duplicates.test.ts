import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DedupIndex } from '../../src/dedup/dedup-index.js';
import { partitionDuplicates } from '../../src/dedup/duplicates.js';
import { documentsOf } from '../helpers/documents.js';

const document = fc.record({
  sourceId: fc.oneof(fc.constantFrom('1', '2', 'é'), fc.string()),
  text: fc.constantFrom('good', 'bad'),
});

const newIndex = (): DedupIndex => new DedupIndex(1_000_000);

describe('partitionDuplicates', () => {
  it('agrees with a plain map from sourceId to the first document, over any cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.array(document)), (chunks) => {
        const index = newIndex();
        const first = new Map<string, { text: string; ordinal: number }>();
        let ordinal = 0;
        for (const objects of chunks) {
          const { unique, duplicates } = partitionDuplicates(documentsOf(objects), index, ordinal);
          const passed = unique.flatMap(({ from, to }) => objects.slice(from, to));
          const expected = objects.flatMap((object, at) => {
            const previous = first.get(object.sourceId);
            if (previous === undefined)
              first.set(object.sourceId, { ...object, ordinal: ordinal + at });
            return previous === undefined ? [] : [{ at, previous, object }];
          });
          expect(duplicates).toEqual(
            expected.map(({ at, previous, object }) => ({
              document: at,
              outcome: previous.text === object.text ? 'duplicate' : 'invalid',
              previous: previous.ordinal,
              byReview: false,
            })),
          );
          const repeated = new Set(expected.map(({ at }) => at));
          expect(passed).toEqual(objects.filter((_, at) => !repeated.has(at)));
          ordinal += objects.length;
        }
      }),
    );
  });

  it('never takes documents without a sourceId for duplicates', () => {
    const documents = documentsOf([{ text: 'a' }, { text: 'a' }]);
    expect(partitionDuplicates(documents, newIndex(), 0)).toEqual({
      unique: [{ documents, from: 0, to: 2 }],
      duplicates: [],
    });
  });
});
