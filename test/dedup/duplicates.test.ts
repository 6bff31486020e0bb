import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DedupIndex } from '../../src/dedup/dedup-index.js';
import {
  type DedupState,
  DuplicateProblems,
  FirstContents,
  partitionDuplicates,
} from '../../src/dedup/duplicates.js';
import { documentsOf } from '../helpers/documents.js';

const document = fc.record({
  sourceId: fc.oneof(fc.constantFrom('1', '2', 'é'), fc.string()),
  text: fc.constantFrom('good', 'bad'),
});

function newState(): DedupState {
  return { index: new DedupIndex(1_000_000), firstContents: new FirstContents() };
}

describe('partitionDuplicates', () => {
  it('agrees with a plain map from sourceId to the first document, over any cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.array(document)), (chunks) => {
        const state = newState();
        const first = new Map<string, { text: string; ordinal: number }>();
        let ordinal = 0;
        for (const objects of chunks) {
          const { unique, duplicates } = partitionDuplicates(documentsOf(objects), state, ordinal);
          const passed = unique.flatMap(({ from, to }) => objects.slice(from, to));
          const expected = objects.flatMap((object, index) => {
            const previous = first.get(object.sourceId);
            if (previous === undefined)
              first.set(object.sourceId, { ...object, ordinal: ordinal + index });
            return previous === undefined ? [] : [{ index, previous, object }];
          });
          expect(duplicates).toEqual(
            expected.map(({ index, previous, object }) => ({
              document: index,
              outcome: previous.text === object.text ? 'duplicate' : 'invalid',
              previous: previous.ordinal,
              differs: false,
            })),
          );
          const repeated = new Set(expected.map(({ index }) => index));
          expect(passed).toEqual(objects.filter((_, index) => !repeated.has(index)));
          ordinal += objects.length;
        }
      }),
    );
  });

  it('never takes documents without a sourceId for duplicates', () => {
    const documents = documentsOf([{ text: 'a' }, { text: 'a' }]);
    expect(partitionDuplicates(documents, newState(), 0)).toEqual({
      unique: [{ documents, from: 0, to: 2 }],
      duplicates: [],
    });
  });
});

it('counts the duplicates that differ in other fields than those that identify a review', () => {
  const problems = new DuplicateProblems();
  expect(problems.notices()).toEqual([]);
  for (const differs of [true, false]) {
    problems.problemOf({ outcome: 'duplicate', differs }, 'x', 'a.csv, record 1');
  }
  problems.merge(1);
  expect(problems.notices()).toEqual([expect.stringMatching(/^2 duplicates differ from the first/)]);
});
