import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../src/coverage/coverage.js';
import { Survey, type SurveySummary } from '../../src/coverage/survey.js';
import type { ImportedDocument } from '../../src/model/document.js';
import type { RecordValue } from '../../src/model/record.js';
import { runs } from '../helpers/runs.js';

const COLUMNS = ['id', 'text', 'note'];
const STARTED = '2026-06-01T00:00:00.000Z';
const FACTS = {
  usedColumns: new Map([
    ['id', ['sourceId']],
    ['text', ['text', 'language']],
  ]),
  repeats: { same: 0, other: 0 },
};

interface Row {
  readonly value: RecordValue;
  readonly document: ImportedDocument;
}

const placeAt = (index: number) => ({ source: 'a.csv', record: index + 1, line: index + 2 });

function surveyed(
  rows: readonly Row[],
  columns: readonly string[] | null = COLUMNS,
): SurveySummary {
  const survey = new Survey(columns, STARTED);
  for (const [index, { value, document }] of rows.entries()) {
    survey.add(value);
    survey.document(document, placeAt, index);
  }
  return survey.summary();
}

function merged(...summaries: readonly SurveySummary[]): SurveySummary {
  const survey = new Survey();
  for (const summary of summaries) survey.merge(structuredClone(summary));
  return survey.summary();
}

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    value: fc.tuple(fc.constantFrom('', 'a'), fc.nat(400).map(String), fc.constant('c')),
    document: fc.record(
      {
        text: fc.constantFrom('', 'a', 'abc'),
        language: fc.constantFrom('en', 'de'),
        published: fc
          .integer({ min: 0, max: 30_000 })
          .map((day) => new Date(Date.UTC(1990, 0, day)).toISOString()),
        tags: fc.constantFrom([], ['x'], ['x', 'y']),
        metrics: fc.constantFrom([], [{ name: 'score', value: 4 }]),
        author: fc.record({ annotations: fc.constant([{ name: 'room', value: '7' }]) }),
      },
      { requiredKeys: [] },
    ),
  }),
  { maxLength: 60 },
);

describe('a survey', () => {
  it('finds the same in a whole as in its parts, whichever thread had them', () => {
    fc.assert(
      fc.property(rows, fc.nat(60), (all, at) => {
        const parts = merged(surveyed(all.slice(0, at)), surveyed(all.slice(at)));
        expect(coverageOf(parts, FACTS)).toEqual(coverageOf(merged(surveyed(all)), FACTS));
      }),
      { numRuns: runs(200) },
    );
  });

  it('tells columns that are used, those that are not, and how often each is filled', () => {
    const survey = surveyed([
      { value: ['1', ' ', 'x'], document: {} },
      { value: ['2', 'Good', ''], document: {} },
    ]);
    const of2 = { records: 2 };
    expect(coverageOf(survey, FACTS).columns).toEqual([
      { name: 'id', used: true, fields: ['sourceId'], filled: 2, ...of2 },
      { name: 'text', used: true, fields: ['text', 'language'], filled: 1, ...of2 },
      { name: 'note', used: false, fields: [], filled: 1, ...of2 },
    ]);
  });

  it('looks into objects, and counts a list as one value', () => {
    const value = { user: { name: 'Ana', age: null }, photos: [{ url: 'x' }], tags: [] };
    const facts = {
      ...FACTS,
      usedColumns: new Map([
        ['user.name', ['author.username']],
        ['photos[0].url', ['url']],
      ]),
    };
    const of1 = { records: 1 };
    expect(coverageOf(surveyed([{ value, document: {} }], null), facts).columns).toEqual([
      { name: 'user.name', used: true, fields: ['author.username'], filled: 1, ...of1 },
      { name: 'user.age', used: false, fields: [], filled: 0, ...of1 },
      { name: 'photos', used: true, fields: ['url'], filled: 1, ...of1 },
      { name: 'tags', used: false, fields: [], filled: 0, ...of1 },
    ]);
  });

  it('names fields that are always the same, and not those that stand once', () => {
    const document = { language: 'es', url: 'https://a', text: 'A' };
    const { fields } = coverageOf(
      surveyed([
        { value: ['', '', ''], document },
        { value: ['', '', ''], document: { language: 'es', text: 'B' } },
      ]),
      FACTS,
    );
    const of = (name: string) => fields.find(({ field }) => field === name);
    expect(of('language')).toEqual({ field: 'language', filled: 2, constant: 'es' });
    expect(of('text')).toEqual({ field: 'text', filled: 2, constant: null });
    expect(of('url')).toEqual({ field: 'url', filled: 1, constant: null });
    expect(of('tags')).toEqual({ field: 'tags', filled: 0, constant: null });
  });
});
