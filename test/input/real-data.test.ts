import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { inPieces, readAll, values } from './read-all.js';

/** Records, columns and delimiter of each export, counted with other tools. */
const TABLES = [
  ['trustpilot-apify-multilang-bom.csv', 860, 19, ',', 'utf-8'],
  ['tripadvisor-fr-semicolon.csv', 260, 6, ';', 'utf-8'],
  ['google-de-hospitals-cp1252.csv', 1326, 5, ';', 'windows-1252'],
  ['booking-extranet-export.csv', 58, 14, ',', 'utf-8'],
  ['tripadvisor-es-airline.csv', 638, 8, ',', 'utf-8'],
  ['mercadolivre-pt-trimmed.csv', 2500, 4, ',', 'utf-8'],
  ['googleplay-en-zoom.tsv', 1960, 5, '\t', 'utf-8'],
  ['amazon-en-fine-food-epoch-html.csv', 1000, 7, ',', 'utf-8'],
] as const;

describe.skipIf(!HAS.realData)('real exports', () => {
  it.each(TABLES)(
    '%s has %i whole records',
    async (file, records, columns, delimiter, encoding) => {
      const read = await readAll(path.join(REAL_DATA, file), { chunkBytes: 10_000 });
      expect(read.source.detected).toMatchObject({ format: 'csv', delimiter, encoding });
      expect(read.source.detected.columns).toHaveLength(columns);
      expect(read.records.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(read.records).toHaveLength(records);
      expect(JSON.stringify(values(read))).not.toContain('\ufffd');
    },
  );

  it('frees the first header of its byte order mark', async () => {
    const { source } = await readAll(path.join(REAL_DATA, 'trustpilot-apify-multilang-bom.csv'));
    expect(source.detected.columns?.slice(0, 2)).toEqual(['companyPageUrl', 'reviewId']);
  });

  it('decodes what only windows-1252 has, and says that it took it for that', async () => {
    const read = await readAll(path.join(REAL_DATA, 'google-de-hospitals-cp1252.csv'));
    expect(JSON.stringify(values(read))).toMatch(/€.*„|„.*€/s);
    expect(read.source.notices.join()).toContain('windows-1252');
  });

  it('reads JSON Lines with CRLF', async () => {
    const read = await readAll(path.join(REAL_DATA, 'yelp-en-academic.jsonl'));
    expect(read.source.detected.format).toBe('jsonl');
    expect(values(read)).toHaveLength(2481);
  });

  it('reads a list two levels down in a document, and says where it is if not told', async () => {
    const file = path.join(REAL_DATA, 'google-places-es.json');
    const read = await readAll(file, { records: 'result.reviews' });
    const whole = JSON.parse(readFileSync(file, 'utf8')) as { result: { reviews: unknown[] } };
    expect(values(read)).toEqual(whole.result.reviews);
    await expect(readAll(file)).rejects.toThrow(
      /below the top level: set records to result\.reviews/,
    );
  });
});

const SPECTRUM = path.join(REAL_DATA, 'csv-spectrum');
const cases = HAS.realData ? readdirSync(path.join(SPECTRUM, 'csvs')) : [];

/** Its table and its expected row contradict each other: see the test for it. */
const AT_ODDS = 'location_coordinates.csv';

describe.skipIf(!HAS.realData)('csv-spectrum', () => {
  it('has its twelve cases', () => expect(cases).toHaveLength(12));

  it.each(cases.filter((file) => file !== AT_ODDS))('%s', async (file) => {
    expect(await readRows(tableBytes(file))).toEqual(expectedRows(file));
  });

  it('location_coordinates.csv, with the telephone number that is in it', async () => {
    const bytes = tableBytes(AT_ODDS);
    const expected = expectedRows(AT_ODDS) as object;
    const phone = bytes.toString('utf8').match(/^\d{10}/m)?.[0];
    expect(await readRows(bytes)).toEqual([{ ...expected, 'Contact Phone Number': phone }]);
  });
});

/** The suite's CRLF tables lost their CR on the way here: they get it back. */
function tableBytes(file: string): Buffer {
  const bytes = readFileSync(path.join(SPECTRUM, 'csvs', file));
  if (!file.includes('_crlf')) return bytes;
  return Buffer.from(bytes.toString('utf8').replaceAll(/\r?\n/g, '\r\n'));
}

async function readRows(bytes: Uint8Array): Promise<unknown[]> {
  const read = await readAll(inPieces(bytes, 5), { format: 'csv', chunkBytes: 64 });
  const columns = read.source.detected.columns ?? [];
  return values(read).map((value) =>
    Object.fromEntries(columns.map((name, at) => [name, (value as string[])[at]])),
  );
}

function expectedRows(file: string): unknown {
  const json = path.join(SPECTRUM, 'json', file.replace(/csv$/, 'json'));
  return JSON.parse(readFileSync(json, 'utf8'));
}
