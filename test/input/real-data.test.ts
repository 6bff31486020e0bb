import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { inPieces, readAll, values } from './read-all.js';

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
