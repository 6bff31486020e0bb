import { abortable } from '../../input/pieces.js';
import { SourceError } from '../../model/errors.js';
import {
  endsInRejectColumns,
  REJECT_COLUMNS,
  withoutApostrophe,
} from '../../model/reject-columns.js';
import { cutLines } from '../boundaries/cut-records.js';
import { csvLine } from '../csv/record-as-read.js';
import type { BinaryFile, Opened, SheetRows, TextRow } from '../format.js';
import type { SourceOptions } from '../options.js';
import { EmptiedCells } from './cells.js';
import { chooseSheets, namesOf, wantsAll } from './choose-sheet.js';
import { Parts } from './parts.js';
import { readXlsx, type Sheet, type Workbook } from './workbook.js';

type Rows = readonly TextRow[];

/** Further sheets aren't read. */
const MAX_SHEETS = 50;
/** Rows sampled to determine the width of a sheet without a header. */
const MAX_LOOKED_AT = 200;

/**
 * Selects the sheets to read and detects their columns.
 * @throws SourceError, BrokenInput
 */
export async function openWorkbook(
  file: BinaryFile,
  options: SourceOptions,
): Promise<readonly Opened[]> {
  const workbook = await readXlsx(new Parts(file.members));
  const { sheets, notices } = await choose(workbook, file.name, options);
  const unread = new Set(sheets);
  return sheets.map((chosen, index) => {
    const { sheet, start } = chosen;
    const { columns, header } = start;
    const emptied = new EmptiedCells();
    const title = titleOf(file.name, sheet);
    const done = (): void => {
      unread.delete(chosen);
      if (unread.size === 0) file.seekable.release();
    };
    return {
      ...(sheets.length > 1 ? { name: `${file.name}, sheet "${sheet.name}"` } : {}),
      layout: { format: 'xlsx', columns, ...(header === undefined ? {} : { header }) },
      detected: { sheet: sheet.name },
      notices: [...(index === 0 ? notices : []), ...start.notices],
      head: Buffer.from(start.head.map(csvLine).join('')),
      mark: true,
      remarks: () => emptied.remarks(title),
      chunks: ({ source, limits, onBytes, signal }) => {
        const rows = emptied.counted(workbook.rows(sheet, emptied, onBytes));
        const lines = linesOf(abortable(rows, done, signal), start);
        return cutLines(lines, { source, limits }, start.row);
      },
      close: done,
    };
  });
}

export async function firstRows(file: BinaryFile, max: number): Promise<readonly SheetRows[]> {
  const workbook = await readXlsx(new Parts(file.members));
  const sheets = workbook.sheets.slice(0, MAX_SHEETS);
  const rows = await workbook.firstRows(sheets, max);
  return sheets.map(({ name, hidden }, at) => ({
    format: 'xlsx',
    name,
    hidden,
    rows: rows[at] ?? [],
  }));
}

interface ChosenSheet {
  readonly sheet: Sheet;
  readonly start: SheetStart;
}

async function choose(
  workbook: Workbook,
  name: string,
  options: SourceOptions,
): Promise<{ readonly sheets: readonly ChosenSheet[]; readonly notices: readonly string[] }> {
  const { sheets, notices } = chooseSheets(name, workbook.sheets, options.sheet);
  const { header = true, skipLines = 0 } = options;
  const wanted = skipLines + (header === true ? 2 : MAX_LOOKED_AT);
  const rows = await workbook.firstRows(sheets, wanted);
  const chosen: ChosenSheet[] = [];
  const empty: Sheet[] = [];
  for (const [index, sheet] of sheets.entries()) {
    const start = startOf(titleOf(name, sheet), rows[index] ?? [], options);
    if (start === undefined) empty.push(sheet);
    else chosen.push({ sheet, start });
  }
  const [first] = empty;
  const leavesOut = wantsAll(workbook.sheets, options.sheet) && chosen.length > 0;
  if (first !== undefined && !leavesOut) throw emptySheet(name, first, workbook);
  const left = empty.map((sheet) => `${titleOf(name, sheet)} is empty and ignored.`);
  return { sheets: chosen, notices: [...notices, ...left] };
}

function emptySheet(name: string, sheet: Sheet, { sheets }: Workbook): SourceError {
  const others = sheets.filter((other) => other !== sheet);
  const remedy = others.length === 0 ? '' : ` State another sheet: ${namesOf(others)}.`;
  return new SourceError(`${titleOf(name, sheet)} is empty: it has no header.${remedy}`);
}

function titleOf(name: string, { name: sheet }: Sheet): string {
  return `${name}, sheet "${sheet}",`;
}

interface SheetStart {
  readonly columns: readonly string[];
  /** As in a layout; absent for a plain header. */
  readonly header?: 'none' | 'rejects';
  /** Number of cells to read per row. */
  readonly width: number;
  /** Number of the first row that may be a record, from 1. */
  readonly row: number;
  /** Rows before it: skipped ones and the header. */
  readonly head: readonly (readonly string[])[];
  readonly notices: readonly string[];
}

/**
 * Detects a sheet's columns and first record; the header is the first row with cells. `undefined`
 * if there is none.
 */
function startOf(
  title: string,
  rows: Rows,
  { header = true, skipLines = 0 }: SourceOptions,
): SheetStart | undefined {
  const skipped = new Map(rows.map(({ number, cells }) => [number, cells]));
  const before = Array.from({ length: skipLines }, (_, index) => skipped.get(index + 1) ?? []);
  const [top, ...others] = rows.filter(({ number }) => number > skipLines);
  if (top === undefined) return undefined;
  if (header !== true) {
    const width = Math.max(top.cells.length, ...others.map(({ cells }) => cells.length));
    const columns = header === false ? numbered(width) : header;
    const start = { columns, width: columns.length, row: skipLines + 1, head: before };
    return { ...start, header: 'none', notices: [] };
  }
  const named = top.cells.map((column) => column.trim());
  const isOfRejects = endsInRejectColumns(title, named);
  return {
    columns: isOfRejects ? named.slice(0, -REJECT_COLUMNS.length) : named,
    ...(isOfRejects ? { header: 'rejects' } : {}),
    width: named.length,
    row: top.number + 1,
    head: [...before, top.cells],
    notices: others.length > 0 ? [] : [`${title} has only a header and no records.`],
  };
}

function numbered(length: number): readonly string[] {
  return Array.from({ length }, (_, index) => String(index + 1));
}

/** Converts each row to a line: empty, or a JSON list of the cells' texts. */
async function* linesOf(
  batches: AsyncIterable<Rows>,
  { width, header, row }: SheetStart,
): AsyncGenerator<Buffer, void, undefined> {
  let next = row;
  for await (const rows of batches) {
    let lines = '';
    for (const { number, cells } of rows) {
      // Skip the header and the rows before it.
      if (number < next) continue;
      const read = Array.from({ length: width }, (_, column) => cells[column] ?? '');
      const texts = header === 'rejects' ? read.map(withoutApostrophe) : read;
      const isEmpty = texts.every((text) => text === '');
      lines += `${'\n'.repeat(number - next)}${isEmpty ? '' : JSON.stringify(texts)}\n`;
      next = number + 1;
    }
    yield Buffer.from(lines);
  }
}
