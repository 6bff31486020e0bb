import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMapping } from '../../src/mapping/compile/compile-mapping.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import type { ImportedDocument } from '../../src/model/document.js';
import { quickCheckFor } from '../../src/transform/transform-record.js';
import { compileValidation } from '../../src/validation/schemas.js';
import { CODE_POINT } from '../helpers/code-point.js';
import { runs } from '../helpers/runs.js';

/** A rule for each field, which lets through what a column holds. */
const RULES = `
document:
  source: "{source}"
  sourceId: { from: id, trim: false }
  parentSourceId: { from: parent, trim: false }
  text: { from: text, trim: false }
  language: { from: language, trim: false }
  sentiment: { from: sentiment, trim: false }
  published: { from: published, date: iso }
  downloaded: { from: downloaded, trim: false }
  url: { from: url, trim: false }
  detectedLocations: [{ from: places, trim: false }]
  metrics: { score: { from: score }, " ": { from: likes } }
  tags: [{ from: tags, trim: false }]
  author:
    source: { from: network, trim: false }
    sourceId: { from: guest, trim: false }
    username: { from: name, trim: false }
    annotations: { city: { from: city, trim: false } }
`;

const map = compileMapping(parseMapping(RULES, 'all fields'), {
  columns: null,
  downloaded: '2024-06-03T00:00:00.000Z',
});

const GOOD = {
  source: 'RVW',
  id: 'r-1',
  text: 'Clean',
  language: 'es',
  sentiment: 'B',
  published: '2024-06-03T16:30:00.000Z',
  downloaded: '2024-06-03T16:30:00.000Z',
  url: 'https://reviews.example.com/1',
  places: ['city: Madrid'],
  score: 4.5,
  tags: ['imported'],
  network: 'RVW',
  guest: 'g-1',
  name: 'Ana',
  city: 'Lugo',
};

/** What is nearly as it should be. */
const odd = fc.constantFrom(
  ...[
    '',
    ' ',
    '\u00a0',
    '\u200b',
    '\u200d',
    '\u3000',
    '\ufeff',
    '\u1680',
    '\u0085',
    'RVW ',
    ' RVW',
  ],
  ...['EN', 'pt-BR', 'eng', 'es\n', 'B\n', 'b', 'X', '2024-02-29T00:00:00.000Z'],
  ...['2023-02-29T00:00:00.000Z', '2024-06-31T00:00:00.000Z', '2024-06-03T24:00:00.000Z'],
  ...['2024-06-03T16:60:00.000Z', '2024-06-03T23:59:60.000Z', '2024-06-03T16:30:00.00ZZ'],
  ...['0000-06-03T16:30:00.000Z', '0099-06-03T16:30:00.000Z', '2024-6-03T16:30:00.0000Z'],
  ...['https://', 'https:///x', 'https://?', 'https://a b', 'ftp://a', 'HTTP://A', 'https://é.es'],
  ...[
    'https://a\u00a0b',
    'city:Madrid',
    'city: ',
    'city:  x',
    'town: x',
    'city: \u3000',
    'city: \u200b',
  ],
);
const any = fc.oneof(odd, fc.string({ unit: CODE_POINT }), fc.double(), fc.boolean());
const value = fc.oneof({ weight: 4, arbitrary: any }, fc.array(any, { maxLength: 3 }));

/** Records of which one field or the other is not as it should be, or not there. */
const record = fc
  .record(
    Object.fromEntries([...Object.keys(GOOD), 'parent', 'likes'].map((key) => [key, value])),
    {
      requiredKeys: [],
    },
  )
  .chain((changes) =>
    fc.subarray(Object.keys(changes), { maxLength: 3 }).map((keys) => ({
      ...GOOD,
      ...Object.fromEntries(keys.map((key) => [key, changes[key]])),
    })),
  );

function documentOf(from: object): ImportedDocument {
  const mapped = map(from as Readonly<Record<string, unknown>>);
  if (mapped.skipped) throw new Error('nothing is skipped');
  return mapped.document;
}

describe.each(['complete', 'minimal'] as const)('the quick check for the profile %s', (profile) => {
  const isSurelyValid = quickCheckFor({ validation: { profile } });
  const validate = compileValidation({ profile });

  it('calls no document good that the schema refuses', () => {
    fc.assert(
      fc.property(record, (from) => {
        const document = documentOf(from);
        if (isSurelyValid(document)) expect(validate(document)).toEqual([]);
      }),
      { numRuns: runs(4_000) },
    );
  });

  it('suffices for usual documents', () => {
    expect(isSurelyValid(documentOf(GOOD))).toBe(true);
    expect(isSurelyValid(documentOf({ ...GOOD, text: '語', name: '🙂' }))).toBe(true);
    const lacking = documentOf({ id: 'r-1', text: 'Clean', source: 'RVW' });
    expect(isSurelyValid(lacking)).toBe(profile === 'minimal');
  });
});
