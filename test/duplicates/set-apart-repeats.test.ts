import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstFields } from '../../src/duplicates/first-fields.js';
import { SeenDocuments } from '../../src/duplicates/seen-documents.js';
import { type Remembered, setApartRepeats } from '../../src/duplicates/set-apart-repeats.js';
import { tellApart } from '../../src/transform/tell-apart.js';
import { documentsOf } from '../helpers/documents.js';

const document = fc.record({
  sourceId: fc.oneof(fc.constantFrom('1', '2', 'é'), fc.string()),
  text: fc.constantFrom('good', 'bad'),
});

function memory(): Remembered {
  return { seen: new SeenDocuments(2 ** 28), firstFields: new FirstFields() };
}

describe('setApartRepeats', () => {
  it('agrees with a plain map from sourceId to the first document, over any cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.array(document)), (chunks) => {
        const remembered = memory();
        const { seen } = remembered;
        const first = new Map<string, { text: string; ordinal: number }>();
        let ordinal = 0;
        for (const objects of chunks) {
          const { fresh, repeats } = setApartRepeats(
            documentsOf(objects),
            remembered,
            ordinal,
            tellApart,
          );
          const kept = fresh.flatMap(({ from, to }) => objects.slice(from, to));
          const expected = objects.flatMap((object, index) => {
            const earlier = first.get(object.sourceId);
            if (earlier === undefined)
              first.set(object.sourceId, { ...object, ordinal: ordinal + index });
            return earlier === undefined ? [] : [{ index, earlier, object }];
          });
          expect(repeats).toEqual(
            expected.map(({ index, earlier, object }) => ({
              document: index,
              outcome: earlier.text === object.text ? 'duplicate' : 'invalid',
              earlier: earlier.ordinal,
            })),
          );
          const repeated = new Set(expected.map(({ index }) => index));
          expect(kept).toEqual(objects.filter((_, index) => !repeated.has(index)));
          ordinal += objects.length;
        }
        expect(seen.size).toBe(first.size);
      }),
    );
  });

  it('never takes documents without a sourceId for repeats', () => {
    const documents = documentsOf([{ text: 'a' }, { text: 'a' }]);
    const { fresh, repeats } = setApartRepeats(documents, memory(), 0, tellApart);
    expect(fresh).toEqual([{ documents, from: 0, to: 2 }]);
    expect(repeats).toEqual([]);
  });

  it('still knows every id after growing many times', () => {
    const remembered = memory();
    const downloaded = '2026-01-01T00:00:00Z';
    const objects = Array.from({ length: 50_000 }, (_, at) => ({
      sourceId: `id-${at}`,
      downloaded,
    }));
    expect(setApartRepeats(documentsOf(objects), remembered, 0, tellApart).repeats).toEqual([]);
    const again = setApartRepeats(documentsOf(objects), remembered, 50_000, tellApart).repeats;
    expect(again.map(({ earlier }) => earlier)).toEqual(objects.map((_, at) => at));
    expect(again.every(({ outcome }) => outcome === 'duplicate')).toBe(true);
  });
});
