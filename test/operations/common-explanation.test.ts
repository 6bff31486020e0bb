import { expect, it } from 'vitest';
import type { ProblemKind, ProblemText } from '../../src/model/record.js';
import { commonExplanation } from '../../src/operations/diagnosis/common-explanation.js';

function explain(kind: ProblemKind, texts: readonly ProblemText[]) {
  const figures = {
    columns: [],
    records: texts.length,
    onlyCause: 0,
    fields: {},
    values: [],
    places: [],
  };
  return commonExplanation({ kind, texts, ...figures });
}

it('a problem that all records word alike keeps its words, without the remedy in them', () => {
  const text = { message: 'a is cut off: fix it', reason: 'a is cut off', remedy: 'fix it' };
  expect(explain('ragged', [text])).toEqual({
    message: 'a is cut off',
    remedy: 'fix it',
    fixedIn: ['export', 'mapping'],
  });
});

it('problems that differ are explained by what they share, and by whoever can fix them', () => {
  const refusals = ['a is taken', 'b is taken'].map((what) => ({
    message: `the service refused (409): ${what}`,
  }));
  expect(explain('rejected', refusals)).toEqual({
    message: 'the service refused (409)',
    remedy: null,
    fixedIn: ['service'],
  });
  const blanks = [{ message: 'text is blank' }, { message: 'title is blank' }];
  expect(explain('blank', blanks)).toMatchObject({
    message: 'text is blank',
    fixedIn: ['mapping'],
  });
});
