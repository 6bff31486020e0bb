/** The first rows of each sheet of a workbook: what it takes to see where its records are. */

import type { Input, SourceOptions } from '../../model/source.js';
import { lookIntoFirst } from '../first-file.js';
import { readingOf, type TextRow, withParts } from './open-workbook.js';
import { type Parts, readOutline, type Sheet } from './parts.js';
import { readSharedTexts } from './shared-texts.js';
import { type Cell, type Reading, type Row, sheetRows } from './sheet-rows.js';

/** The start of a sheet. */
export interface SheetRows {
  readonly name: string;
  readonly hidden: boolean;
  /** Rows with cells. */
  readonly rows: readonly TextRow[];
}

/** Further sheets are passed over. */
const MOST_SHEETS = 50;

/**
 * The sheets of the first file of an input, in the workbook's order; nothing if it is no workbook.
 * @param most rows of each sheet
 * @throws SourceError
 */
export async function firstRows(
  input: Input,
  options: SourceOptions,
  most: number,
): Promise<readonly SheetRows[] | undefined> {
  return await lookIntoFirst(input, options, async ({ workbook }) =>
    workbook === undefined
      ? undefined
      : await withParts(workbook, (parts) => sheetsOf(parts, most)),
  );
}

async function sheetsOf(parts: Parts, most: number): Promise<readonly SheetRows[]> {
  const outline = await readOutline(parts);
  const reading = await readingOf(outline, parts);
  const sheets: { readonly sheet: Sheet; readonly rows: readonly Row[] }[] = [];
  for (const sheet of outline.sheets.slice(0, MOST_SHEETS)) {
    sheets.push({ sheet, rows: await startOf(sheet, parts, reading, most) });
  }
  const shared = await readSharedTexts(outline.sharedTexts, parts, 1 + largestNumber(sheets));
  const textOf = (cell: Cell): string => (typeof cell === 'number' ? (shared[cell] ?? '') : cell);
  return sheets.map(({ sheet: { name, hidden }, rows }) => ({
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
