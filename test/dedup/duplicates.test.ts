import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DedupIndex } from '../../src/dedup/dedup-index.js';
import {
  type DedupState,
  DuplicateProblems,
  FirstFields,
  partitionDuplicates,
} from '../../src/dedup/duplicates.js';
import { documentsOf } from '../helpers/documents.js';

const document = fc.record({
  sourceId: fc.oneof(fc.constantFrom('1', '2', 'é'), fc.string()),
  text: fc.constantFrom('good', 'bad'),
});

function newState(): DedupState {
  return { index: new DedupIndex(1_000_000), firstFields: new FirstFields() };
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

const FIELDS = ['rating', 'reply', 'photos'];

/** @param all for each duplicate, the fields in which it differs */
function problemsOf(all: readonly (readonly number[])[]): DuplicateProblems {
  const problems = new DuplicateProblems(FIELDS);
  for (const differing of all) {
    problems.problemOf({ outcome: 'duplicate', differing }, 'x', 'a.csv, record 1');
  }
  return problems;
}

describe('merged counts of duplicates', () => {
  it.each<[string, number[][][]]>([
    ['of several parts', [[[0], [1, 0]], [[1], []], [[2]]]],
    ['with fields that are as frequent', [[[2]], [[0, 1]], [[1], [0]], [[2]]]],
    ['of a part without any', [[], [[0]], []]],
    ['of nothing', [[]]],
  ])('give the notices of the whole: %s', (_, parts) => {
    const merged = new DuplicateProblems([]);
    for (const part of parts) {
      merged.merge(JSON.parse(JSON.stringify(problemsOf(part).snapshot())));
    }
    expect(merged.notices()).toEqual(problemsOf(parts.flat()).notices());
  });
});
