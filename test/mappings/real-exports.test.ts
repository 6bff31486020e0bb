import path from 'node:path';
import { describe, expect } from 'vitest';
import { validateDocuments } from '../../src/operations/import-documents.js';
import type { RunEvent } from '../../src/report/report.js';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { eachSample } from '../helpers/runs.js';
import { mappingPath } from './mappings.js';
import { nameOf } from './outcomes.js';

interface RealExport {
  readonly mapping: string;
  readonly file: string;
  readonly asOf?: string;
  readonly read: number;
  readonly skipped: number;
  readonly duplicate: number;
  readonly invalid: number;
  /** The problems of the invalid records: record number and field or kind. */
  readonly problems: readonly string[];
}

const NONE = { skipped: 0, duplicate: 0, invalid: 0, problems: [] };

/** Every invalid record was looked at, and a sample of the skipped ones. */
const REAL_EXPORTS: readonly RealExport[] = [
  { ...NONE, mapping: 'trustpilot-apify', file: 'trustpilot-apify-multilang-bom.csv', read: 860 },
  {
    ...NONE,
    mapping: 'tripadvisor-scrape-fr',
    file: 'tripadvisor-fr-semicolon.csv',
    read: 260,
    skipped: 33, // neither title nor text; the file's exact duplicates are all among these
  },
  {
    mapping: 'google-reviews-de',
    file: 'google-de-hospitals-cp1252.csv',
    asOf: '2024-06-15',
    read: 1326,
    skipped: 304, // stars without a text
    // A page of reviews that stands twice in the table, with the same likes, and the same sentence
    // about the same hospital with the same star, once with 12 likes and once with 5.
    duplicate: 148,
    invalid: 0,
    problems: [],
  },
  {
    ...NONE,
    mapping: 'booking-extranet',
    file: 'booking-extranet-export.csv',
    read: 58,
    skipped: 32, // a score without a word
  },
  {
    ...NONE,
    mapping: 'tripadvisor-airlines-es',
    file: 'tripadvisor-es-airline.csv',
    read: 638,
    skipped: 63, // 59 answers of the airline (57 English, 2 Spanish), 4 notices of the site
  },
  {
    mapping: 'mercadolivre',
    file: 'mercadolivre-pt-trimmed.csv',
    read: 2500,
    skipped: 628, // 142 without a text, 38 button labels, 448 summaries by the shop's machine
    duplicate: 1, // same product, day, stars and text; the four other repeats have no text
    invalid: 1,
    // The columns slipped: the rating is "útil" and the date "5".
    problems: ['1173 sentiment', '1173 published', '1173 metrics.score'],
  },
  {
    ...NONE,
    mapping: 'googleplay',
    file: 'googleplay-en-zoom.tsv',
    read: 1960,
    duplicate: 1, // same name, day, stars and text
  },
  {
    ...NONE,
    mapping: 'amazon-fine-food',
    file: 'amazon-en-fine-food-epoch-html.csv',
    read: 1000, // a text under several products is several documents
  },
  { ...NONE, mapping: 'yelp-academic', file: 'yelp-en-academic.jsonl', read: 2481 },
  { ...NONE, mapping: 'google-places', file: 'google-places-es.json', read: 5 },
];

describe.skipIf(!HAS.realData)('real exports', () => {
  eachSample(1)(REAL_EXPORTS)('$file: every record is accounted for', async (real) => {
    const run = validateDocuments({
      input: path.join(REAL_DATA, real.file),
      mapping: mappingPath(real.mapping),
      ...(real.asOf === undefined ? {} : { asOf: real.asOf }),
    });
    const problems = await invalidRecords(run);
    const { counts } = await run;
    const { read, skipped, duplicate, invalid } = real;
    const unsent = read - skipped - duplicate - invalid;
    const sent = { accepted: 0, rejected: 0, unknown: 0 };
    expect(counts).toEqual({ read, skipped, duplicate, invalid, unsent, ...sent });
    expect(problems).toEqual(real.problems);
  });
});

/** Record number and name of each problem. */
async function invalidRecords(run: AsyncIterable<RunEvent>): Promise<readonly string[]> {
  const problems: string[] = [];
  for await (const event of run) {
    if (event.type !== 'outcome' || event.outcome !== 'invalid') continue;
    for (const { place, problems: found } of event.records) {
      problems.push(...found.map((problem) => `${place.record} ${nameOf(problem)}`));
    }
  }
  return problems;
}
