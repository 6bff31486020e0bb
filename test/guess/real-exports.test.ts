import path from 'node:path';
import { describe, expect } from 'vitest';
import { guessMapping } from '../../src/operations/guess-mapping.js';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { longTest } from '../helpers/runs.js';

/** Lines that a guess alone has to hold: which column each field comes from. */
const EXPORTS: readonly [file: string, lines: readonly RegExp[]][] = [
  [
    'trustpilot-apify-multilang-bom.csv',
    [
      /sourceId: "\{reviewId\}"/,
      /published: \{ from: reviewDate, /,
      /score: \{ from: reviewRatingScore, .*from: \[1, 5\]/,
      /username: "\{reviewer\}"/,
      /language: \{ from: reviewLanguage/,
    ],
  ],
  ['tripadvisor-fr-semicolon.csv', [/"\{Title\}", "\{Content\}"/, /from: Rating, number/]],
  [
    'google-de-hospitals-cp1252.csv',
    [/windows-1252/, /date: relative/, /text: "\{Bewertung\}"/, /score: \{ from: Sternebewertung/],
  ],
  [
    'booking-extranet-export.csv',
    [/\{Positive review\}", "\{Negative review\}/, /from: Review score, .*from: \[1, 10\]/],
  ],
  [
    'tripadvisor-es-airline.csv',
    [/sourceId: \{ hash/, /text: "\{review_text\}"/, /TODO: no column/],
  ],
  [
    'mercadolivre-pt-trimmed.csv',
    [
      /sourceId: \{ hash/,
      /published: \{ from: data, date: dd? MMM\.? yyyy|published: \{ from: data/,
    ],
  ],
  [
    'googleplay-en-zoom.tsv',
    [/username: \{ from: name, match: "[^"]*A Google user/, /score: \{ from: rate/, /language: en/],
  ],
  ['amazon-en-fine-food-epoch-html.csv', [/date: epoch-seconds/, /from: Text, strip: html/]],
  ['yelp-en-academic.jsonl', [/sourceId: "\{review_id\}"/, /score: \{ from: stars/]],
  ['google-places-es.json', [/records: "result\.reviews"/, /from: time, date: epoch-seconds/]],
];

describe.skipIf(!HAS.realData)('a guess alone, of a real export', () => {
  longTest.each(EXPORTS)(
    '%s takes the right columns, and all but slips are valid',
    async (file, lines) => {
      const { mapping, records } = await guessMapping({
        input: path.join(REAL_DATA, file),
        ready: false,
      });
      for (const line of lines) expect(mapping).toMatch(line);
      expect(records.invalid / records.read, mapping).toBeLessThan(0.01);
    },
  );
});
