import { describe, expect, it } from 'vitest';
import { RepeatProblems } from '../../src/duplicates/repeat-problems.js';

const FIELDS = ['rating', 'reply', 'photos'];

/** Fields in which a duplicate differs; `null` for a review that shares its hash with another. */
type Told = readonly number[] | null;

function problemsOf(all: readonly Told[]): RepeatProblems {
  const problems = new RepeatProblems(FIELDS);
  for (const differing of all) {
    if (differing === null) problems.shared('a.csv, record 1');
    else {
      const repeat = { document: 0, earlier: 0, outcome: 'duplicate', differing } as const;
      problems.repeated(repeat, 'x', 'a.csv, record 1');
    }
  }
  return problems;
}

describe('merged counts of repeats', () => {
  it.each<[string, Told[][]]>([
    ['of several parts', [[[0], [1, 0], null], [[1], null, []], [[2]]]],
    ['with fields that are as frequent', [[[2]], [[0, 1]], [[1], [0]], [[2]]]],
    ['of a part without any', [[], [null], []]],
    ['of nothing', [[]]],
  ])('give the notices of the whole: %s', (_, parts) => {
    const merged = new RepeatProblems([]);
    for (const part of parts) {
      merged.merge(JSON.parse(JSON.stringify(problemsOf(part).snapshot())));
    }
    expect(merged.notices()).toEqual(problemsOf(parts.flat()).notices());
  });
});
