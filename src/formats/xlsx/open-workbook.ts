import { abortable } from '../../input/pieces.js';
import { SourceError } from '../../model/errors.js';
import {
  endsInRejectColumns,
  namesWithApostrophes,
  REJECT_COLUMNS,
  withoutApostrophe,
} from '../../model/reject-columns.js';
import type { TableReading } from '../../model/source.js';
import { cutLines } from '../boundaries/cut-records.js';
import { csvLine } from '../csv/record-as-read.js';
import type { BinaryFile, Opened, SheetRows, TextRow } from '../format.js';
import type { SourceOptions } from '../options.js';
import { chooseSheets, sheetNames, wantsAll } from './choose-sheet.js';
import { findSheetTable, type SheetTable } from './find-sheet-table.js';
import { Parts } from './parts.js';
import { EmptiedCells } from './sheet-rows.js';
import { readXlsx, type Sheet, type Workbook } from './workbook.js';

type Rows = readonly TextRow[];

/** Further sheets aren't read. */
const MAX_SHEETS = 50;
/** Rows to find a table in. */
const MAX_LOOKED_AT = 300;

/**
 * Selects the sheets to read and detects their columns.
 * @throws SourceError, BrokenInput
 */
export async function openWorkbook(
  file: BinaryFile,
  options: SourceOptions,
): Promise<readonly Opened[]> {
  const parts = new Parts(file.members);
  const workbook = await readXlsx(parts);
  const { sheets, notices } = await choose(workbook, file.name, options);
  const unread = new Set(sheets);
  return sheets.map((chosen, index) => {
    const { sheet, start } = chosen;
    const { columns, header } = start;
    let emptied = new EmptiedCells(start.row);
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
      reading: start.reading,
      head: Buffer.from(start.head.map((cells) => csvLine(namesWithApostrophes(cells))).join('')),
      byteOrderMark: true,
      remarks: () => emptied.remarks(title),
      cutChunks: ({ source, limits, onBytes, signal }) => {
        emptied = new EmptiedCells(start.row);
        // Shared strings are read before the first row: progress counts them with the rows.
        const scale = parts.sizeFor(sheet.part);
        const rows = workbook.rows(sheet, emptied, (bytes) => onBytes(bytes * scale));
        const lines = sheetLines(abortable(rows, done, signal), start);
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
  const wanted = (options.skipLines ?? 0) + MAX_LOOKED_AT;
  const rows = await workbook.firstRows(sheets, wanted);
  const chosen: ChosenSheet[] = [];
  const empty: Sheet[] = [];
  for (const [index, sheet] of sheets.entries()) {
    const first = rows[index] ?? [];
    const whole = first.length < wanted;
    const start = sheetStart(findSheetTable(titleOf(name, sheet), first, options, whole));
    if (start === undefined) empty.push(sheet);
    else chosen.push({ sheet, start });
  }
  const [first] = empty;
  const mayLeaveOutEmptySheets = wantsAll(workbook.sheets, options.sheet) && chosen.length > 0;
  if (first !== undefined && !mayLeaveOutEmptySheets) throw emptySheet(name, first, workbook);
  const left = empty.map((sheet) => `${titleOf(name, sheet)} is empty and ignored.`);
  return { sheets: chosen, notices: [...notices, ...left] };
}

function emptySheet(name: string, sheet: Sheet, { sheets }: Workbook): SourceError {
  const others = sheets.filter((other) => other !== sheet);
  const remedy =
    others.length === 0
      ? ' Export or download it again.'
      : ` Set another sheet: ${sheetNames(others)}.`;
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
  /** Number of the first row behind the table. */
  readonly end: number;
  /** Rows before the first record. */
  readonly head: readonly (readonly string[])[];
  readonly notices: readonly string[];
  readonly reading: TableReading;
}

/** Describes how to read the table of a sheet; `undefined` if there is none. */
function sheetStart(found: SheetTable | undefined): SheetStart | undefined {
  if (found === undefined) return undefined;
  const { title, above, rows, columns, header, from, to, reading } = found;
  const isOfRejects = header !== undefined && endsInRejectColumns(title, columns);
  const before = rows.slice(0, header ?? from).map(({ cells }) => cells.slice(0, columns.length));
  return {
    columns: isOfRejects
      ? columns.slice(0, -REJECT_COLUMNS.length).map(withoutApostrophe)
      : columns,
    ...(header === undefined ? { header: 'none' } : isOfRejects ? { header: 'rejects' } : {}),
    width: columns.length,
    row: from === 0 ? above.length + 1 : (rows[from - 1]?.number ?? 0) + 1,
    end: to === undefined ? Number.POSITIVE_INFINITY : (rows[to]?.number ?? 1),
    head: [...above, ...before, ...(header === undefined ? [] : [columns])],
    notices: from < rows.length ? [] : [`${title} has only a header and no records.`],
    reading,
  };
}

/** Converts each row to a line: empty, or a JSON list of the cells' texts. */
async function* sheetLines(
  batches: AsyncIterable<Rows>,
  { width, header, row, end }: SheetStart,
): AsyncGenerator<Buffer, void, undefined> {
  let next = row;
  for await (const rows of batches) {
    let lines = '';
    for (const { number, cells } of rows) {
      // Skip the header, and the rows before it and behind the table.
      if (number < next || number >= end) continue;
      const read = Array.from({ length: width }, (_, column) => cells[column] ?? '');
      const texts = header === 'rejects' ? read.map(withoutApostrophe) : read;
      const isEmpty = texts.every((text) => text === '');
      lines += `${'\n'.repeat(number - next)}${isEmpty ? '' : JSON.stringify(texts)}\n`;
      next = number + 1;
    }
    yield Buffer.from(lines);
  }
}
