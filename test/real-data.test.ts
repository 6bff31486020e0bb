import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import {
  type ImportedDocument,
  importDocuments,
  type PreviewOptions,
  previewDocuments,
} from '../src/index.js';
import { ROOT } from './helpers/markdown.js';
import { HAS, REAL_DATA } from './helpers/needs.js';
import { eachSample } from './helpers/runs.js';
import { shownDocuments } from './helpers/sandbox-documents.js';
import { startWithMonitoring } from './helpers/start-sandbox.js';

type Counts = Readonly<Partial<Record<'read' | 'skipped' | 'duplicate' | 'invalid', number>>>;

/** Every invalid record was looked at, and a sample of the skipped ones. */
const EXPORTS: readonly [file: string, mapping: string, counts: Counts, asOf?: string][] = [
  ['trustpilot-apify-multilang-bom.csv', 'trustpilot-apify', { read: 860 }],
  // A score without a word.
  ['booking-extranet-export.csv', 'booking-extranet', { read: 58, skipped: 32 }],
  // Neither title nor text; the file's exact duplicates are all among these.
  ['tripadvisor-fr-semicolon.csv', 'tripadvisor-scrape-fr', { read: 260, skipped: 33 }],
  // Stars without a text; a page of reviews that stands twice in the table, and one sentence.
  [
    'google-de-hospitals-cp1252.csv',
    'google-reviews-de',
    { read: 1326, skipped: 304, duplicate: 148 },
    '2024-06-15',
  ],
  // Answers of the airline, and notices of the site.
  ['tripadvisor-es-airline.csv', 'tripadvisor-airlines-es', { read: 638, skipped: 63 }],
  // Without a text, button labels and summaries by a machine; in record 1173 the columns slipped.
  [
    'mercadolivre-pt-trimmed.csv',
    'mercadolivre',
    { read: 2500, skipped: 628, duplicate: 1, invalid: 1 },
  ],
  ['googleplay-en-zoom.tsv', 'googleplay', { read: 1960, duplicate: 1 }],
  ['amazon-en-fine-food-epoch-html.csv', 'amazon-fine-food', { read: 1000 }],
  ['yelp-en-academic.jsonl', 'yelp-academic', { read: 2481 }],
  ['google-places-es.json', 'google-places', { read: 5 }],
];

describe.skipIf(!HAS.realData)('real review exports', () => {
  eachSample(1)(EXPORTS)(
    '%s imports into the sandbox, which gives back exactly what was accepted, field by field',
    async (file, mappingName, counted, asOf) => {
      const sandbox = await startWithMonitoring();
      const mapping = path.join(ROOT, 'mappings', `${mappingName}.yaml`);
      const what = { input: path.join(REAL_DATA, file), mapping, ...(asOf && { asOf }) };
      const stated = /^ {2}downloaded:/m.test(readFileSync(mapping, 'utf8'));
      const report = await importDocuments({
        stateDir: false,
        ...what,
        monitoring: 1,
        connection: sandbox,
      });
      const shown = await shownDocuments(sandbox);

      const expectedCounts = { skipped: 0, duplicate: 0, invalid: 0, ...counted };
      const { read = 0, skipped, duplicate, invalid } = expectedCounts;
      const accepted = read - skipped - duplicate - invalid;
      const none = { rejected: 0, unknown: 0, unsent: 0 };
      expect(report.counts).toEqual({ ...expectedCounts, accepted, ...none });

      const expected = await goodDocuments(what);
      expect(shown).toHaveLength(accepted);
      expect(expected.size).toBe(accepted);
      for (const document of shown) {
        const { downloaded, ...sent } = expected.get(document.sourceId) as ImportedDocument;
        expect(document).toMatchObject(stated ? { ...sent, downloaded } : sent);
      }
      // Without a column of its own it is the run's start, the same for all.
      if (!stated) expect(new Set(shown.map((document) => document['downloaded'])).size).toBe(1);
    },
  );
});

/** The documents that an input becomes, by sourceId, the first of each. */
async function goodDocuments(what: PreviewOptions): Promise<Map<string, ImportedDocument>> {
  const documents = new Map<string, ImportedDocument>();
  for await (const { document, problems } of previewDocuments(what)) {
    if (document === null || problems.length > 0) continue;
    const id = document.sourceId ?? '';
    if (!documents.has(id)) documents.set(id, document);
  }
  return documents;
}
