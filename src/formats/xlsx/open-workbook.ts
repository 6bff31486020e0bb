import { abortable } from '../../input/abortable.js';
import type { Member } from '../../input/archive/members.js';
import type { Decompressed } from '../../input/decompress/decompressed.js';
import type { Expansion } from '../../input/decompress/expansion.js';
import { limitsOf } from '../../input/limits.js';
import type { RawInput } from '../../input/raw-input.js';
import type { SeekableInput } from '../../input/seekable.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { LineCutter, withRest } from '../boundaries/cut-lines.js';
import { csvLine } from '../csv/csv-line.js';
import type { FileContext } from '../open-text.js';
import { CellErrors } from './cell-errors.js';
import { readCellFormats } from './cell-formats.js';
import { chooseSheet } from './choose-sheet.js';
import { lookAtSheet, type SheetStart } from './look-at-sheet.js';
import { type Outline, Parts, readOutline, type Sheet } from './parts.js';
import { readSharedTexts } from './shared-texts.js';
import { type Cell, type Reading, sheetRows } from './sheet-rows.js';

/** A workbook whose parts are listed. */
export interface WorkbookInput {
  readonly raw: RawInput;
  readonly decompressed: Decompressed;
  readonly seekable: SeekableInput;
  readonly parts: readonly Member[];
  readonly expansion: Expansion;
}

/** A sheet that is to be read, and all that it takes. */
interface ChosenSheet {
  readonly outline: Outline;
  readonly sheet: Sheet;
  readonly reading: Reading;
  readonly start: SheetStart;
  readonly notices: readonly string[];
}

/**
 * Finds the sheet that is to be read and its columns, and gives it as a source.
 * @throws SourceError, BrokenInput
 */
export async function openWorkbook(workbook: WorkbookInput, context: FileContext): Promise<Source> {
  const { raw, decompressed, seekable } = workbook;
  const { input, notices } = context;
  refuseOtherFormat(raw.name, context);
  const chosen = await withParts(workbook, (parts) => choose(raw.name, parts, context));
  const { head, columns } = chosen.start;
  const layout: Layout & { format: 'xlsx' } = { format: 'xlsx', columns };
  const errors = new CellErrors();
  let bytesRead = 0;
  return {
    name: raw.name,
    input,
    size: raw.size,
    file: raw.file,
    layout,
    detected: {
      format: 'xlsx',
      encoding: null,
      compression: decompressed.compression,
      sheet: chosen.sheet.name,
      columns,
    },
    notices: [...notices, ...chosen.notices],
    head: Buffer.from(head.map(csvLine).join('')),
    tail: new Uint8Array(),
    bytesRead: () => bytesRead,
    remarks: () => [
      ...workbook.expansion.remarks(),
      ...errors.remarks(titleOf(raw.name, chosen.sheet)),
    ],
    chunks: (signal) => {
      bytesRead = 0;
      const counted = (bytes: number): void => {
        bytesRead += bytes;
      };
      const rows = allRows(workbook, chosen, errors, counted);
      const source = { source: raw.name, input, layout };
      const cutter = new LineCutter(source, limitsOf(context.options), chosen.start.row);
      const read = abortable(rows, () => seekable.done(), signal);
      return withRest(cutRows(read, cutter, columns.length), cutter);
    },
  };
}

function refuseOtherFormat(name: string, { options: { format } }: FileContext): void {
  if (format === undefined || format === 'xlsx') return;
  throw new SourceError(
    `${name} is an XLSX workbook, but its format is given as ${format}: leave the format out, or set it to xlsx.`,
  );
}

/** Has a workbook open while its parts are looked at. */
export async function withParts<T>(
  { seekable, parts, expansion }: WorkbookInput,
  act: (parts: Parts) => Promise<T>,
): Promise<T> {
  const bytes = await seekable.open();
  try {
    return await act(new Parts(parts, bytes, expansion));
  } finally {
    bytes.close();
  }
}

async function choose(name: string, parts: Parts, { options }: FileContext): Promise<ChosenSheet> {
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

/** A row whose cells are all texts. */
export interface TextRow {
  readonly number: number;
  readonly cells: readonly string[];
}

async function* allRows(
  workbook: WorkbookInput,
  { outline, sheet, reading, start }: ChosenSheet,
  errors: CellErrors,
  counted: (bytes: number) => void,
): AsyncGenerator<TextRow, void, undefined> {
  const bytes = await workbook.seekable.open();
  errors.start();
  try {
    const parts = new Parts(workbook.parts, bytes, workbook.expansion);
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
