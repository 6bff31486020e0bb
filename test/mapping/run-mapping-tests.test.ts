import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { runMappingTests } from '../../src/mapping/run-mapping-tests.js';

const MAPPING = `
document:
  text: "{Text}"
  published: { from: Date, date: [iso, relative] }
  metrics: { score: { from: Score, number: "," } }
  author: { username: "{Guest}" }
asOf: 2024-06-10
skip: [{ from: Text, blank: true }]
tests:`;

function differences(test: string): readonly string[] {
  const [result] = runMappingTests(parseMapping(`${MAPPING}\n  - ${test}`, 'm.yaml'));
  expect(result?.passed).toBe(result?.differences.length === 0);
  return result?.differences ?? ['it did not run'];
}

describe('a test of a mapping passes', () => {
  test.each([
    '{ record: { Text: a, Guest: b }, document: { text: a, author: { username: b } } }',
    '{ record: { Text: a, Score: "4,5" }, document: { metrics: [{ name: score, value: 4.5 }] } }',
    '{ record: { Text: " " }, skipped: true }',
    '{ record: { Text: a, Score: x, Date: y }, invalid: [metrics.score, published] }',
    '{ record: { Date: 3 days ago }, document: { published: "2024-06-07T00:00:00.000Z" } }',
    '{ record: { Date: 3 days ago }, asOf: 2020-01-04, document: { published: "2020-01-01T00:00:00.000Z" } }',
    '{ record: { Guest: a column that skip asks about and the record does not name is unknown }, document: { metrics: [] } }',
  ])('%s', (one) => {
    expect(differences(one)).toEqual([]);
  });
});

test('a test of a mapping knows which values count as empty, also an unquoted NULL', () => {
  const mapping = parseMapping(
    `${MAPPING.replace('document:', 'input: { nulls: [NULL, N/A, \\N] }\ndocument:')}
  - { record: { Text: a, Guest: "NULL" }, document: { text: a } }
  - { record: { Text: N/A }, skipped: true }
  - { record: { Text: "\\\\N" }, skipped: true }`,
    'm.yaml',
  );
  expect(runMappingTests(mapping).map(({ differences }) => differences)).toEqual([[], [], []]);
});

describe('a test of a mapping fails', () => {
  test.each([
    ['{ record: { Text: a }, document: { text: b } }', ['text is "a", expected "b"']],
    [
      '{ record: { Text: a }, document: { author: { username: b } } }',
      ['author.username is absent, expected "b"'],
    ],
    [
      '{ record: { Text: a }, document: { metrics: [{ name: score, value: 1 }] } }',
      ['metrics is [], expected [{"name":"score","value":1}]'],
    ],
    ['{ record: { Text: a }, skipped: true }', ['the record is not skipped']],
    ['{ record: { Text: "" }, document: { text: a } }', ['the record is skipped']],
    [
      '{ record: { Text: a, Score: x }, document: { text: a } }',
      ['metrics.score: column "Score": found "x", expected a number with the decimal mark ","'],
    ],
    [
      '{ record: { Text: a, Score: x }, invalid: [published] }',
      [
        'published is readable or blank, expected it to be unreadable',
        'metrics.score: column "Score": found "x", expected a number with the decimal mark ","',
      ],
    ],
  ])('%s', (one, expected) => {
    expect(differences(one)).toEqual(expected);
  });
});

test('a mapping that can not be compiled fails its tests instead of throwing', () => {
  const text = `${MAPPING.replace('asOf: 2024-06-10', '')}\n  - { record: {}, skipped: true }`;
  const [result] = runMappingTests(parseMapping(text, 'm'));
  expect(result?.differences[0]).toMatch(/relative dates/u);
});
