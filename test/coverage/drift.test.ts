import { describe, expect, it } from 'vitest';
import { driftOf, profileOf, type SampleProfile } from '../../src/coverage/drift.js';
import { Survey } from '../../src/coverage/survey.js';
import type { ImportedDocument } from '../../src/model/document.js';
import { randomFrom } from '../helpers/random-from.js';

const STARTED = '2026-06-01T00:00:00.000Z';
const HEADER = ['id', 'title', 'score', 'date'];

interface Look {
  readonly records?: number;
  readonly header?: readonly string[];
  readonly invalid?: number;
  readonly fields?: (index: number) => readonly string[];
  readonly document?: (index: number) => ImportedDocument;
}

const usualFields = (index: number): readonly string[] => [
  `${index}`,
  index % 4 === 0 ? '' : 'x',
  '3',
  '2025-01-01',
];
const usualDocument = (index: number): ImportedDocument => ({
  text: 'a'.repeat(80 + (index % 40)),
  language: index % 5 === 0 ? 'en' : 'es',
  published: `2025-0${1 + (index % 9)}-01T00:00:00.000Z`,
  metrics: [{ name: 'score', value: 1 + (index % 5) }],
});

function sampleOf({
  records = 1000,
  header = HEADER,
  invalid = 0,
  fields = usualFields,
  document = usualDocument,
}: Look = {}): SampleProfile {
  const survey = new Survey(header, STARTED);
  for (let index = 0; index < records; index += 1) {
    survey.add(fields(index));
    if (index >= invalid)
      survey.document(
        document(index),
        (at) => ({ source: 'a.csv', record: at + 1, line: at + 2 }),
        index,
      );
  }
  return { records, invalid, skipped: 0, header, summary: survey.summary() };
}

const EXPECTED = profileOf(sampleOf(), ['id', 'title', 'score', 'date']);
const findings = (look: Look) => driftOf(EXPECTED, sampleOf(look));
const drift = (look: Look): readonly string[] => findings(look).map(({ message }) => message);

describe('drift', () => {
  it('is none in the file that was learned from, nor in a part of it', () => {
    expect(drift({})).toEqual([]);
    for (const records of [1, 3, 20, 60, 300]) expect(drift({ records })).toEqual([]);
  });

  it('is none in files that differ by chance', () => {
    const random = randomFrom(7);
    for (let file = 0; file < 200; file += 1) {
      const picked = Array.from({ length: 100 }, () => Math.floor(random() * 1000));
      const look = {
        records: picked.length,
        fields: (index: number) => usualFields(picked[index] as number),
        document: (index: number) => usualDocument(picked[index] as number),
      };
      expect(drift(look), `file ${file} with seed 7`).toEqual([]);
    }
  });

  it('says what was expected and what was found, and no more of it than has changed', () => {
    const beside = (look: Look) =>
      findings(look).map(({ kind, name, expected, found }) => [kind, name, expected, found]);
    expect(beside({ header: ['id', 'title', 'rating', 'date'] })).toEqual(
      expect.arrayContaining([
        ['columns', null, '"score"', 'none of them'],
        ['columns', null, 'none of them', '"rating"'],
      ]),
    );
    expect(beside({ fields: (index) => [`${index}`, '', '3', '2025-01-01'] })).toEqual([
      ['blank', 'title', '25%', '100%'],
    ]);
  });

  it('finds another scale of ratings, larger or smaller', () => {
    const score = (value: number) => ({ metrics: [{ name: 'score', value }] });
    const larger = (index: number) => ({ ...usualDocument(index), ...score(1 + (index % 10)) });
    expect(drift({ document: larger })).toEqual(['score is between 1 and 10, expected 1 to 5']);
    const smaller = (index: number) => ({ ...usualDocument(index), ...score((index % 5) / 4) });
    expect(drift({ document: smaller })).toEqual(['score is between 0 and 1, expected 1 to 5']);
  });

  it('finds dates in the future, and long before those that are known', () => {
    const dated = (published: string) => (index: number) => ({
      ...usualDocument(index),
      ...(index % 10 === 0 ? { published } : {}),
    });
    expect(drift({ document: dated('2026-12-01T00:00:00.000Z') })).toEqual([
      '100 of 1000 dates are in the future: are day and month swapped?',
    ]);
    expect(drift({ document: dated('1970-01-20T00:00:00.000Z') })).toEqual([
      '100 of 1000 dates are before 2024, the earliest expected was 2025-01-01',
    ]);
    expect(drift({ document: dated('2026-05-01T00:00:00.000Z') })).toEqual([]);
  });

  it('finds other languages and texts of another length', () => {
    const dutch = (index: number) => ({ ...usualDocument(index), language: 'nl' });
    expect(drift({ document: dutch })).toContain(
      '100% of texts are in the language nl, expected 0%',
    );
    const short = (index: number) => ({ ...usualDocument(index), text: 'short' });
    expect(drift({ document: short })).toEqual([
      'half of the texts have at most 5 characters, expected 100',
    ]);
  });
});
