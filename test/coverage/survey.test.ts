import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../src/coverage/coverage.js';
import { type SeenValues, Survey, type SurveySummary } from '../../src/coverage/survey.js';
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
  requests: { count: 0, bytes: 0, largest: 0 },
};

interface Row {
  readonly value: RecordValue;
  readonly document: ImportedDocument;
}

function surveyed(
  rows: readonly Row[],
  columns: readonly string[] | null = COLUMNS,
  seen: SeenValues = new Map(),
): SurveySummary {
  const survey = new Survey(columns, STARTED, seen);
  for (const { value, document } of rows) {
    survey.record(value);
    survey.document(document);
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
    const of2 = { records: 2, sampled: 2, top: [] };
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
    const of1 = { records: 1, sampled: 1, top: [] };
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

  it('counts dates that lie ahead, and years in their order', () => {
    const dates = ['2027-01-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'];
    const survey = surveyed(
      dates.map((published) => ({ value: ['', '', ''], document: { published } })),
    );
    expect(coverageOf(survey, FACTS).published).toEqual({
      first: '2024-05-01T00:00:00.000Z',
      last: '2027-01-01T00:00:00.000Z',
      inFuture: 1,
      years: [
        { value: '2024', count: 1 },
        { value: '2027', count: 1 },
      ],
    });
  });

  it('lists the most frequent values of a column of categories, unless authors are made of it', () => {
    const all = Array.from({ length: 300 }, (_, at) => {
      return { value: [`${at}`, at % 3 === 0 ? 'a' : `b${at % 23}`, 'x'.repeat(90)], document: {} };
    });
    const usedColumns = new Map([['text', ['tags']]]);
    const [ids, texts, notes] = coverageOf(surveyed(all), { ...FACTS, usedColumns }).columns;
    expect(ids).toMatchObject({ sampled: 300, top: [] });
    expect(texts?.top).toHaveLength(10);
    expect(texts?.top?.slice(0, 2)).toEqual([
      { value: 'a', count: 100 },
      { value: 'b0', count: 9 },
    ]);
    expect(notes?.top).toEqual([{ value: 'x'.repeat(80), count: 300 }]);
    const ofAuthors = { ...FACTS, usedColumns: new Map([['text', ['author.username']]]) };
    expect(coverageOf(surveyed(all), ofAuthors).columns[1]?.top).toEqual([]);
  });

  it('counts values only of the records that are sampled, and none that is blank', () => {
    const survey = new Survey(COLUMNS, STARTED);
    for (let at = 0; at < 40; at += 1) survey.record(['a', ' ', `${at % 2}`], at % 10 === 0);
    expect(coverageOf(survey.summary(), FACTS).columns).toMatchObject([
      { records: 40, filled: 40, sampled: 4, top: [{ value: 'a', count: 4 }] },
      { filled: 0, top: [] },
      { top: [{ value: '0', count: 4 }] },
    ]);
  });

  it('finds the same whether or not chunks know of earlier ones', () => {
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const seen: SeenValues = new Map();
        const parts = [one, other].map((part) => surveyed(part, COLUMNS, seen));
        const alone = [one, other].map((part) => surveyed(part));
        expect(coverageOf(merged(...parts), FACTS)).toEqual(coverageOf(merged(...alone), FACTS));
      }),
      { numRuns: runs(100) },
    );
  });

  const spans: readonly [string, readonly string[], object][] = [
    ['days', ['2024-05-01', '2024-06-01'], { from: '2024-05-01', unit: 'day' }],
    ['weeks', ['2024-05-01', '2025-01-01'], { from: '2024-04-29', unit: 'week' }],
    ['months', ['2024-05-09', '2027-01-01'], { from: '2024-05-01', unit: 'month' }],
    ['years', ['1990-05-01', '2027-01-01'], { from: '1990-01-01', unit: 'year' }],
  ];
  it.each(spans)('counts documents and their mean score by %s', (_, dates, first) => {
    const survey = surveyed(
      dates.flatMap((date) =>
        [1, 4, undefined].map((score) => ({
          value: ['', '', ''],
          document: {
            published: `${date}T12:00:00.000Z`,
            ...(score === undefined ? {} : { metrics: [{ name: 'score', value: score }] }),
          },
        })),
      ),
    );
    const { overTime } = coverageOf(survey, FACTS);
    expect(overTime).toHaveLength(2);
    expect(overTime?.[0]).toEqual({ ...first, documents: 3, meanScore: 2.5 });
  });

  it('chooses the unit by where nearly all dates are, for many days as well', () => {
    const dayOf = (at: number) => new Date(Date.UTC(2024, 0, at)).toISOString();
    const dates = [...Array.from({ length: 1000 }, (_, at) => dayOf(at % 50)), dayOf(-20_000)];
    const survey = surveyed(
      dates.map((published) => ({ value: ['', '', ''], document: { published } })),
    );
    const { overTime = [] } = coverageOf(survey, FACTS);
    expect(overTime).toHaveLength(51);
    expect(overTime[0]).toEqual({ from: '1969-03-29', unit: 'day', documents: 1, meanScore: null });
  });

  it('counts by year if there are more days than in any five years', () => {
    const days = Array.from({ length: 3000 }, (_, at) => new Date(Date.UTC(2015, 0, 1 + at)));
    const survey = surveyed(
      days.map((day) => ({ value: ['', '', ''], document: { published: day.toISOString() } })),
    );
    const { overTime = [], published } = coverageOf(survey, FACTS);
    expect(overTime[0]).toEqual({
      from: '2015-01-01',
      unit: 'year',
      documents: 365,
      meanScore: null,
    });
    expect(published?.years).toHaveLength(9);
  });

  it("takes no date that a user's own schema allows for one", () => {
    const survey = surveyed([{ value: ['', '', ''], document: { published: 'yesterday' } }]);
    expect(coverageOf(survey, FACTS).overTime).toEqual([]);
  });

  it('counts no more than 200 different values one by one', () => {
    const codes = Array.from({ length: 1000 }, (_, index) => `l${index}`);
    const survey = surveyed(
      codes.map((language) => ({ value: ['', '', ''], document: { language } })),
    );
    const { languages } = coverageOf(survey, FACTS);
    expect(languages).toHaveLength(201);
    expect(languages.at(-1)).toEqual({ value: 'other values', count: 800 });
  });
});
