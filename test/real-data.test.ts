import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importDocuments, previewDocuments } from '../src/index.js';
import { startSandbox } from '../src/sandbox/index.js';
import { put, temporaryFolders } from './helpers/files.js';
import { ROOT } from './helpers/markdown.js';
import { shownDocuments } from './helpers/sandbox-documents.js';

const DATA = path.resolve(ROOT, '../shared/data');
const newFolder = temporaryFolders();

const EXPORTS: readonly [file: string, mapping: string, records: number][] = [
  ['trustpilot-apify-multilang-bom.csv', 'trustpilot-apify', 860],
  ['tripadvisor-fr-semicolon.csv', 'tripadvisor-scrape-fr', 260],
  ['google-de-hospitals-cp1252.csv', 'google-reviews-de', 1326],
  ['booking-extranet-export.csv', 'booking-extranet', 58],
  ['tripadvisor-es-airline.csv', 'tripadvisor-airlines-es', 638],
  ['mercadolivre-pt-trimmed.csv', 'mercadolivre', 2500],
  ['googleplay-en-zoom.tsv', 'googleplay', 1960],
  ['amazon-en-fine-food-epoch-html.csv', 'amazon-fine-food', 1000],
  ['yelp-en-academic.jsonl', 'yelp-academic', 2481],
  ['google-places-es.json', 'google-places', 5],
];

describe.skipIf(!existsSync(DATA))('real review exports', () => {
  it.each(EXPORTS)(
    '%s imports into the sandbox, which gives back exactly what was accepted, field by field',
    async (file, mappingName, records) => {
      const sandbox = await startSandbox();
      sandbox.ensureMonitoring(1);
      const mapping = path.join(ROOT, 'mappings', `${mappingName}.yaml`);
      const what = { input: path.join(DATA, file), mapping };
      const report = await importDocuments({ ...what, monitoring: 1, connection: sandbox });
      const shown = await shownDocuments(sandbox);
      await sandbox.close();

      const { read, skipped, invalid, duplicate, accepted, ...others } = report.counts;
      expect(read).toBe(records);
      expect(skipped + invalid + duplicate + accepted).toBe(records);
      expect(others).toEqual({ rejected: 0, unknown: 0, unsent: 0 });

      const expected = new Map<string, object>();
      for await (const { document, problems } of previewDocuments(what)) {
        if (document === null || problems.length > 0) continue;
        const id = document.sourceId ?? '';
        if (!expected.has(id)) expected.set(id, document);
      }
      expect(shown).toHaveLength(accepted);
      expect(expected.size).toBe(accepted);
      for (const document of shown) {
        const { downloaded, ...sent } = expected.get(document.sourceId) as { downloaded: string };
        expect(document).toMatchObject(sent);
        // Without a column of its own it is the run's start, and these are two runs.
        expect(typeof document['downloaded']).toBe(typeof downloaded);
      }
    },
  );
});

describe.skipIf(!existsSync(DATA))('the naughty strings', () => {
  const strings: string[] = existsSync(DATA)
    ? JSON.parse(readFileSync(path.join(DATA, 'naughty-strings/blns.json'), 'utf8'))
    : [];
  const mapping = {
    name: 'Naughty strings',
    profile: 'minimal',
    document: { sourceId: '{id}', text: { from: 'text', trim: false } },
  };
  const csvField = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it.each([
    [
      'CSV',
      'x.csv',
      (rows: string[]) =>
        `id,text\n${rows.map((text, at) => `${at},${csvField(text)}\n`).join('')}`,
    ],
    [
      'JSONL',
      'x.jsonl',
      (rows: string[]) => rows.map((text, at) => `${JSON.stringify({ id: at, text })}\n`).join(''),
    ],
  ])('go from %s into the sandbox and come back unchanged, every one', async (_, name, fileOf) => {
    const sandbox = await startSandbox();
    sandbox.ensureMonitoring(1);
    // A document needs a text that is not blank; between two letters, every string is one.
    const wrapped = strings.map((text) => `a${text}z`);
    const input = put(newFolder(), name, fileOf(wrapped));
    const report = await importDocuments({ input, mapping, monitoring: 1, connection: sandbox });
    const shown = await shownDocuments(sandbox);
    await sandbox.close();
    expect(report.counts).toMatchObject({ read: strings.length, accepted: strings.length });
    const texts = new Map(shown.map(({ sourceId, text }) => [sourceId, text]));
    expect(strings.map((__, at) => texts.get(String(at)))).toEqual(wrapped);
  });

  it('go unwrapped, too, but for those that are blank and so no text', async () => {
    const sandbox = await startSandbox();
    sandbox.ensureMonitoring(1);
    const input = strings.map((text, id) => ({ id, text }));
    const report = await importDocuments({ input, mapping, monitoring: 1, connection: sandbox });
    const shown = await shownDocuments(sandbox);
    await sandbox.close();
    // Four of them are blank: nothing, a byte order mark, and all kinds of spaces.
    expect(report.counts).toMatchObject({ accepted: strings.length - 4, invalid: 4 });
    for (const { sourceId, text } of shown) expect(text).toBe(strings[Number(sourceId)]);
  });
});
