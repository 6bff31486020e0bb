/** The files that mistakes are put into: each small, and good for a mapping. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { SourceOptions } from '../../src/index.js';
import { ROOT } from '../helpers/markdown.js';
import { minimalMapping } from '../helpers/reviews.js';
import { textRows, workbookOf } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';

/** A file before it is broken. */
export interface Original {
  readonly bytes: Buffer;
  /** One of `mappings/`, or its content. */
  readonly mapping: string | object;
  readonly source?: SourceOptions;
  /** Whether it is packed: then bytes that come in tiny pieces cost far more. */
  readonly packed?: boolean;
  /** What the broken bytes are put into before they are read. */
  readonly wrap?: (bytes: Uint8Array) => Promise<Uint8Array>;
}

const TWO_COLUMNS = minimalMapping();

const hotels = startOf('samples/hotel-reviews.csv');
const apps = startOf('samples/app-reviews.jsonl');
const list = Buffer.from(`{"data":[${apps.toString().trim().split('\n').join(',\n')}]}`);
const rows = Array.from({ length: 40 }, (_, row) => [`${row}`, `Review number ${row}`]);

const HOTELS = { mapping: 'hotel-reviews' };
const APPS = { mapping: 'app-reviews' };

export const ORIGINALS: readonly Original[] = [
  { bytes: hotels, ...HOTELS },
  { bytes: Buffer.from(`\ufeff${hotels}`, 'utf16le'), ...HOTELS },
  { bytes: gzipSync(hotels), ...HOTELS, packed: true },
  { bytes: Buffer.concat([gzipSync(hotels), gzipSync(hotels)]), ...HOTELS, packed: true },
  { bytes: apps, ...APPS },
  { bytes: gzipSync(apps), ...APPS, packed: true },
  { bytes: list, ...APPS, source: { format: 'json', records: 'data' } },
];

/** Files with a table of contents at their end, which are copied to a disk: slower to read. */
export const ARCHIVES: readonly Original[] = [
  { bytes: await zipOf({ 'a.csv': hotels, 'b.csv': hotels }), ...HOTELS, packed: true },
  { bytes: await zipOf({ 'a.jsonl': apps }, { store: true }), ...APPS, packed: true },
  {
    bytes: await workbookOf({
      sheets: [sheetOf(Buffer.from(textRows([['id', 'text'], ...rows])))],
    }),
    mapping: TWO_COLUMNS,
    packed: true,
  },
  {
    bytes: Buffer.from(textRows([['id', 'text'], ...rows])),
    mapping: TWO_COLUMNS,
    packed: true,
    wrap: async (bytes) => await workbookOf({ sheets: [sheetOf(bytes)] }),
  },
];

/** The start of a file, up to the end of a line. */
function startOf(name: string): Buffer {
  const bytes = readFileSync(path.resolve(ROOT, name));
  const end = bytes.indexOf('\n', 4_000);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

function sheetOf(bytes: Uint8Array): { readonly name: string; readonly rows: string } {
  return { name: 'Reviews', rows: Buffer.from(bytes).toString('utf8') };
}
