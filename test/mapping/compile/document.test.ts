import { describe, expect, test } from 'vitest';
import { compileMapping } from '../../../src/mapping/compile/compile-mapping.js';
import { acceptMapping } from '../../../src/mapping/load/load-mapping.js';
import { columnFields } from '../../../src/mapping/rules.js';
import { DOWNLOADED, mapper } from '../make-rule.js';

describe('a document', () => {
  test('has the defaults that the mapping leaves open', () => {
    expect(mapper({ document: { text: '{a}' } })({ a: 'x' })).toEqual({
      skipped: false,
      document: {
        source: 'RVW',
        text: 'x',
        downloaded: DOWNLOADED,
        detectedLocations: [],
        metrics: [],
        tags: [],
        author: { source: 'RVW', annotations: [] },
      },
      problems: [],
      hashedId: false,
    });
  });

  test('keeps what the mapping says instead of a default', () => {
    const document = {
      source: '{s}',
      downloaded: { from: 'd', date: 'iso' },
      author: { source: 'X' },
    };
    expect(mapper({ document })({ s: 'WEB', d: '2024-06-03' })).toMatchObject({
      document: { source: 'WEB', downloaded: '2024-06-03T00:00:00.000Z', author: { source: 'X' } },
    });
    expect(mapper({ document })({})).toMatchObject({
      document: { source: 'RVW', downloaded: DOWNLOADED },
    });
  });

  test('lists locations by level, or as the rules of a list give them', () => {
    const byLevel = { detectedLocations: { city: '{c}', country: '{l}', state: '{s}' } };
    expect(mapper({ document: byLevel })({ l: 'España', c: 'Vigo' })).toMatchObject({
      document: { detectedLocations: ['city: Vigo', 'country: España'] },
    });
    const listed = { detectedLocations: ['country: {l}', { from: 'c' }] };
    expect(
      mapper({ document: listed })({ l: 'España', c: ['city: Vigo', 'city: Lugo'] }),
    ).toMatchObject({
      document: { detectedLocations: ['country: España', 'city: Vigo', 'city: Lugo'] },
    });
  });

  test('lists metrics as numbers, and leaves out those that are blank', () => {
    const document = { metrics: { score: '{s}', likes: { from: 'l' }, shares: '{x}' } };
    expect(mapper({ document })({ s: '4.5', l: 0, x: '' })).toMatchObject({
      document: {
        metrics: [
          { name: 'score', value: 4.5 },
          { name: 'likes', value: 0 },
        ],
      },
    });
  });

  test('has flat tags without blanks and repeats', () => {
    const document = { tags: [{ from: 'a', split: ',' }, '{b}', 'imported', { from: 'list' }] };
    const record = { a: 'x, y,,x', b: 'y', list: ['z', null, 'x', 5] };
    expect(mapper({ document })(record)).toMatchObject({
      document: { tags: ['x', 'y', 'imported', 'z', '5'] },
    });
  });
});

describe('skip', () => {
  const skipped = (condition: object, record: Record<string, unknown>): boolean =>
    mapper({ document: { text: 'x' }, skip: [condition] })(record).skipped;

  test.each([
    [{ from: 'a', in: ['deleted', 5] }, 'deleted', true],
    [{ from: 'a', in: ['deleted', 5] }, '5 ', true],
    [{ from: 'a', in: ['deleted'] }, ['ok', 'deleted'], true],
    [{ from: 'a', blank: true }, ' \u00a0', true],
    [{ from: 'a', matches: '^\\[re' }, '[removed]', true],
    [{ from: 'a', matches: '^\\[re' }, 'x [removed]', false],
    [{ from: 'a', below: 1 }, '0.5', true],
    [{ from: 'a', above: 10 }, 11, true],
  ])('%j of %j: %s', (condition, a, expected) => {
    expect(skipped(condition, { a })).toBe(expected);
  });

  test('makes a record invalid whose number can not be read, unless another condition holds', () => {
    const skip = [
      { from: 'a', below: 1 },
      { from: 'b', blank: true },
    ];
    const map = mapper({ document: { text: 'x' }, skip });
    expect(map({ a: 'útil', b: '1' })).toMatchObject({
      problems: [{ kind: 'unreadable-number', field: 'skip' }],
    });
    expect(map({ a: 'útil' }).skipped).toBe(true);
  });
});

describe('the columns of a CSV source', () => {
  const mapping = acceptMapping(
    {
      name: 'hotels',
      document: {
        sourceId: '{Review ID}',
        text: { join: ['{Title}', { from: ['Text', 'Body'] }] },
        published: { from: 'Date', date: 'relative', asOf: { from: 'Scraped', date: 'iso' } },
        language: { detect: '{Text}', else: '{Lang}' },
      },
      skip: [{ from: 'Status', in: ['x'] }],
    },
    'hotels',
  );

  test('are known with the fields that are made of them', () => {
    expect(Object.fromEntries(columnFields(mapping))).toEqual({
      'Review ID': ['sourceId'],
      Title: ['text'],
      Text: ['text', 'language'],
      Body: ['text'],
      Lang: ['language'],
      Date: ['published'],
      Scraped: ['published'],
      Status: [],
    });
  });

  test('are read by their place', () => {
    const columns = ['Status', 'Text', 'Review ID', 'Date', 'Title', 'Body', 'Scraped', 'Lang'];
    const map = compileMapping(mapping, { columns, downloaded: DOWNLOADED });
    expect(map(['ok', 'B', '7', '2 days ago', 'A', '', '2024-06-03', 'es'])).toMatchObject({
      document: {
        sourceId: '7',
        text: 'A B',
        published: '2024-06-01T00:00:00.000Z',
        language: 'es',
      },
    });
    expect(map(['ok', 'B'])).toMatchObject({ document: { text: 'B' }, problems: [] });
  });

  test('that are missing are all named, with their rules and the nearest name', () => {
    const columns = ['Review Id', 'Title', 'Text', 'Body', 'Date', 'Lang', 'Status', 'Status'];
    expect(() => compileMapping(mapping, { columns, downloaded: DOWNLOADED })).toThrow(
      [
        'hotels: document.sourceId: there is no column "Review ID"; did you mean "Review Id"?',
        'hotels: document.published: there is no column "Scraped"',
        'hotels: skip[0]: the header has two columns "Status"; under input, set header: to a list of 8 unique names, and skipLines: 1 to skip the file\'s header (or one more than it is now)',
        'The source has the columns "Review Id", "Title", "Text", "Body", "Date", "Lang", "Status", "Status".',
      ].join('\n'),
    );
  });
});

describe('a column that is named without braces', () => {
  const columns = ['id', 'title', 'de'];
  const compile = (document: object) => () =>
    compileMapping(acceptMapping({ document }, 'm'), { columns, downloaded: DOWNLOADED });

  test('is refused where each document has a value of its own', () => {
    const rules = {
      sourceId: { hash: ['{title}', 'id'] },
      text: 'title',
      author: { username: 'id' },
    };
    expect(compile(rules)).toThrow(
      [
        'm: document.sourceId.hash[1]: "id" is a constant, the same in every document; for the column, write "{id}"',
        'm: document.text: "title" is a constant, the same in every document; for the column, write "{title}"',
        'm: document.author.username: "id" is a constant, the same in every document; for the column, write "{id}"',
      ].join('\n'),
    );
  });

  test('is a constant elsewhere, or as a value', () => {
    const rules = { text: { value: 'title' }, language: 'de', tags: ['title'] };
    expect(compile(rules)()(['1', '2', '3'])).toMatchObject({
      document: { text: 'title', language: 'de', tags: ['title'] },
    });
  });
});
