import { abortable } from '../../input/abortable.js';
import type { Chunk } from '../../model/chunk.js';
import { LineCutter, withRest } from '../boundaries/cut-lines.js';
import { chooseSheet } from '../choose-sheet.js';
import { csvLine } from '../csv/csv-line.js';
import type { BinaryFile, Opened, TextRow } from '../format.js';
import type { SourceOptions } from '../options.js';
import { CellErrors } from './cell-errors.js';
import { readCellFormats } from './cell-formats.js';
import { lookAtSheet, type SheetStart } from './look-at-sheet.js';
import { type Outline, Parts, readOutline, type Sheet } from './parts.js';
import { readSharedTexts } from './shared-texts.js';
import { type Cell, type Reading, sheetRows } from './sheet-rows.js';

/** A sheet that is to be read, and all that it takes. */
interface ChosenSheet {
  readonly outline: Outline;
  readonly sheet: Sheet;
  readonly reading: Reading;
  readonly start: SheetStart;
  readonly notices: readonly string[];
}

/**
 * Finds the sheet that is to be read and its columns.
 * @throws SourceError, BrokenInput
 */
export async function openWorkbook(file: BinaryFile, options: SourceOptions): Promise<Opened> {
  const { name, seekable } = file;
  const chosen = await withParts(file, (parts) => choose(name, parts, options));
  const { head, columns } = chosen.start;
  const errors = new CellErrors();
  return {
    layout: { format: 'xlsx', columns },
    detected: { sheet: chosen.sheet.name },
    notices: chosen.notices,
    head: Buffer.from(head.map(csvLine).join('')),
    remarks: () => errors.remarks(titleOf(name, chosen.sheet)),
    chunks: ({ source, limits, counted, signal }) => {
      const rows = allRows(file, chosen, errors, counted);
      const cutter = new LineCutter(source, limits, chosen.start.row);
      const read = abortable(rows, () => seekable.done(), signal);
      return withRest(cutRows(read, cutter, columns.length), cutter);
    },
  };
}

/** Has a workbook open while its parts are looked at. */
export async function withParts<T>(
  { seekable, members, expansion }: BinaryFile,
  act: (parts: Parts) => Promise<T>,
): Promise<T> {
  const bytes = await seekable.open();
  try {
    return await act(new Parts(members, bytes, expansion));
  } finally {
    bytes.close();
  }
}

async function choose(name: string, parts: Parts, options: SourceOptions): Promise<ChosenSheet> {
  const outline = await readOutline(parts);
  const { sheet, notices } = chooseSheet(name, outline.sheets, options.sheet);
  const reading = await readingOf(outline, parts);
  const others = outline.sheets.filter((other) => other !== sheet);
  const rows = sheetRows(sheet.part, parts.pieces(sheet.part), reading);
  const texts = (wanted: number): Promise<readonly string[]> =>
    readSharedTexts(outline.sharedTexts, parts, wanted);
  const start = await lookAtSheet(titleOf(name, sheet), rows, { texts, options, others });
  return { outline, sheet, reading, start, notices: [...notices, ...start.notices] };
}

/** What to call a sheet at the start of a message. */
function titleOf(name: string, { name: sheet }: Sheet): string {
  return `${name}, sheet "${sheet}",`;
}

/** What it takes to read a workbook's cells. */
export async function readingOf({ styles, from1904 }: Outline, parts: Parts): Promise<Reading> {
  return { kinds: await readCellFormats(styles, parts), from1904 };
}

async function* allRows(
  { seekable, members, expansion }: BinaryFile,
  { outline, sheet, reading, start }: ChosenSheet,
  errors: CellErrors,
  counted: (bytes: number) => void,
): AsyncGenerator<TextRow, void, undefined> {
  const bytes = await seekable.open();
  errors.start();
  try {
    const parts = new Parts(members, bytes, expansion);
    const texts = await readSharedTexts(outline.sharedTexts, parts);
    const textOf = (cell: Cell): string => (typeof cell === 'number' ? (texts[cell] ?? '') : cell);
    const rows = sheetRows(sheet.part, parts.pieces(sheet.part, counted), reading, errors);
    for await (const { number, cells } of rows) {
      if (number >= start.row) yield { number, cells: cells.map(textOf) };
    }
  } finally {
    errors.end();
    bytes.close();
  }
}

async function* cutRows(
  rows: AsyncIterable<TextRow>,
  cutter: LineCutter,
  width: number,
): AsyncGenerator<Chunk, void, undefined> {
  for await (const { number, cells } of rows) {
    const texts = Array.from({ length: width }, (_, column) => cells[column] ?? '');
    cutter.skip(number - cutter.position.line);
    if (texts.every((text) => text === '')) cutter.skip(1);
    else yield* cutter.add(JSON.stringify(texts), () => csvLine(texts));
  }
}
