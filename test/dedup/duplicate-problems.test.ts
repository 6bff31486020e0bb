import { describe, expect, it } from 'vitest';
import { DuplicateProblems } from '../../src/dedup/duplicate-problems.js';

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
