import fc from 'fast-check';
import type { ImportedDocument } from '../../../src/model/document.js';
import type { CapturedAuthor, CapturedDocument } from '../../../src/sandbox/index.js';
import type { Batch } from './memory.js';

/** Networks with and without rankings of their own, and codes that only documents carry. */
export const NETWORKS = ['TWT', 'FCP', 'ITG', 'YTB', 'NTC', 'GNW', 'RVW', 'TPD', 'WRP'] as const;

const WORDS = [
  ...'hotel HOTEL Hôtel hote\u0301l café CAFE piscina niño NINO Ñandú straße STRASSE'.split(' '),
  ...'über ÜBER žluťoučký kůň één İstanbul ﬁne coração 42 2024 ½ a x AND or NOT'.split(' '),
  ...'ΟΔΟΣ οδος привет МИР 東京 ホテル'.split(' '),
];
const BETWEEN = [
  ...[' ', ' ', ' ', ' ', ', ', '. ', '-', "'", '"', '_', '/', '(', ')', '', '\n', '\t', '\r\n'],
  ...[
    '\0',
    '\u0007',
    '\u001b',
    '\u00a0',
    '\u200b',
    '\u00ad',
    '\ud800',
    '👍',
    '🤩',
    '👨‍👩‍👧',
    '🇪🇸',
    '₿',
  ],
];

/** Texts of words that filters find, with anything at all in between. */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...BETWEEN)), { maxLength: 6 })
      .map((pieces) => pieces.flat().join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
);

const DAYS = ['2024-02-29', '2024-05-30', '2024-05-31', '2024-06-01', '1969-12-31', '1970-01-01'];
const TIMES = [
  ...[
    '',
    'T00:00:00Z',
    'T00:00:00.000Z',
    'T00:00:59.999Z',
    'T00:01:00Z',
    'T12:30:00',
    'T12:30:30.5Z',
  ],
  ...['T23:59:59.999Z', 'T23:59:59.500Z', 'T23:00:00+02:00', 'T01:15:00-11:30', 'T12:30:00Z'],
];

/** A few moments in many notations, so that documents often share one. */
export const moments: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...TIMES))
  .map((parts) => parts.join(''));

const ids = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('1', '2', '3', 'a', 'A', 'ä', '\0', '1 ', '"', '\\') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }) },
);
const amounts = fc.oneof(fc.constantFrom(0, 1, 2, 3, -1, 0.5), fc.integer({ min: 0, max: 1e9 }));
const metrics = fc.array(
  fc.oneof(
    fc.record({
      name: fc.constantFrom('likes', 'comments', 'shares', 'impressions', 'Likes'),
      value: amounts,
    }),
    fc.record({
      name: fc.constant('score'),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    }),
  ),
  { maxLength: 5 },
);

/** Ids of tags; a comma or a quote in one would keep filters from naming it. */
const tagIds = fc.constantFrom('1', '2', '12', 'summer', 'Summer', 'a b', 'ñ', 'AND', '(x)', "'");
const tags = fc.array(tagIds, { maxLength: 3 });
const languages = fc.constantFrom('es', 'en', 'de', 'pt', 'cs', 'it', 'pt-BR');
const sentiments = fc.constantFrom('B', 'N', 'R');
const places = fc.record({
  country: text,
  countryRegion: fc.option(text),
  state: fc.constant(null),
  city: fc.option(text),
});

/** Authors that several documents and networks share. */
const authors: fc.Arbitrary<CapturedAuthor> = fc.record(
  {
    source: fc.constantFrom(...NETWORKS),
    sourceId: ids,
    username: fc.option(text),
    name: text,
    authorUrl: fc.constant('https://example.com/a'),
    imageUrl: fc.constant(''),
    isVerified: fc.boolean(),
    personalUrl: fc.constantFrom('', 'https://example.com/'),
    about: text,
    declaredLocation: fc.option(text),
    authorLocations: fc.array(places, { maxLength: 1 }),
    metrics: fc.array(
      fc.record({ name: fc.constantFrom('followers', 'following'), value: amounts }),
      { maxLength: 2 },
    ),
    tags,
  },
  { requiredKeys: ['sourceId'] },
);

/** JSON has no negative zero. */
function degrees(most: number): fc.Arbitrary<number> {
  return fc.double({ min: -most, max: most, noNaN: true }).map((value) => value + 0);
}

const captured = fc.record(
  {
    source: fc.constantFrom(...NETWORKS),
    sourceId: ids,
    parentSourceId: fc.option(ids),
    title: fc.option(text),
    text,
    imageUrl: fc.option(text),
    url: fc.option(text),
    language: fc.option(languages),
    sentiment: fc.option(sentiments),
    detectedLocations: fc.array(text, { maxLength: 2 }),
    citedLocations: fc.array(places, { maxLength: 2 }),
    lat: fc.option(degrees(90)),
    lon: fc.option(degrees(180)),
    published: moments,
    downloaded: moments,
    metrics,
    tags,
    reviewers: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
    author: authors,
  },
  { requiredKeys: ['source', 'sourceId', 'text', 'published', 'downloaded', 'author'] },
) as fc.Arbitrary<CapturedDocument>;

/** Documents as a program imports them; each says when, in one way or the other. */
const imported: fc.Arbitrary<ImportedDocument> = fc
  .record(
    {
      source: fc.constant('RVW'),
      sourceId: ids,
      parentSourceId: fc.option(ids),
      text,
      language: languages,
      sentiment: sentiments,
      detectedLocations: fc.array(text, { maxLength: 2 }),
      published: moments,
      downloaded: moments,
      url: text,
      metrics,
      tags,
      author: fc.record(
        {
          source: fc.constantFrom(...NETWORKS),
          sourceId: ids,
          username: text,
          annotations: fc.array(fc.record({ name: text, value: text }), { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['source', 'sourceId', 'text'] },
  )
  .map((document) => ({
    ...document,
    ...(document.downloaded === undefined && { published: document.published ?? '2024-05-31' }),
  }));

/** How many monitorings a world has. */
export const MONITORINGS = 3;

/** Batches of documents for a few monitorings. */
export function worlds(most = 6): fc.Arbitrary<Batch[]> {
  const monitoring = fc.integer({ min: 0, max: MONITORINGS - 1 });
  const documents = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(one, { minLength: 1, maxLength: 8 });
  return fc.array(
    fc.oneof(
      fc.record({
        monitoring,
        by: fc.constant('capture' as const),
        documents: documents(captured),
      }),
      fc.record({
        monitoring,
        by: fc.constant('import' as const),
        documents: documents(imported),
      }),
    ),
    { minLength: 1, maxLength: most },
  );
}
