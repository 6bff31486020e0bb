import type { BinaryFile, SheetRows } from '../format.js';
import { readingOf, withParts } from './open-workbook.js';
import { type Parts, readOutline, type Sheet } from './parts.js';
import { readSharedTexts } from './shared-texts.js';
import { type Cell, type Reading, type Row, sheetRows } from './sheet-rows.js';

/** Further sheets are passed over. */
const MAX_SHEETS = 50;

/**
 * The first rows of each sheet of a workbook.
 * @param max rows of each
 */
export async function firstRows(file: BinaryFile, max: number): Promise<readonly SheetRows[]> {
  return await withParts(file, (parts) => sheetsOf(parts, max));
}

async function sheetsOf(parts: Parts, most: number): Promise<readonly SheetRows[]> {
  const outline = await readOutline(parts);
  const reading = await readingOf(outline, parts);
  const sheets: { readonly sheet: Sheet; readonly rows: readonly Row[] }[] = [];
  for (const sheet of outline.sheets.slice(0, MAX_SHEETS)) {
    sheets.push({ sheet, rows: await startOf(sheet, parts, reading, most) });
  }
  const shared = await readSharedTexts(outline.sharedTexts, parts, 1 + largestNumber(sheets));
  const textOf = (cell: Cell): string => (typeof cell === 'number' ? (shared[cell] ?? '') : cell);
  return sheets.map(({ sheet: { name, hidden }, rows }) => ({
    format: 'xlsx',
    name,
    hidden,
    rows: rows.map(({ number, cells }) => ({ number, cells: cells.map(textOf) })),
  }));
}

async function startOf(
  { part }: Sheet,
  parts: Parts,
  reading: Reading,
  most: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of sheetRows(part, parts.pieces(part), reading)) {
    rows.push(row);
    if (rows.length === most) break;
  }
  return rows;
}

/** Of the shared texts that the cells name. */
function largestNumber(sheets: readonly { readonly rows: readonly Row[] }[]): number {
  let largest = -1;
  for (const { rows } of sheets) {
    for (const { cells } of rows) {
      for (const cell of cells) if (typeof cell === 'number' && cell > largest) largest = cell;
    }
  }
  return largest;
}
