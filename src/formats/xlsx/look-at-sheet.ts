import { SourceError } from '../../model/errors.js';
import { namesOf } from '../choose-sheet.js';
import type { SourceOptions } from '../options.js';
import type { Sheet } from './parts.js';
import type { Cell, Row } from './sheet-rows.js';

/** Where a sheet's records begin. */
export interface SheetStart {
  readonly columns: readonly string[];
  /** Number of the first row that may be a record, from 1. */
  readonly row: number;
  /** The texts of the rows before it: those that are skipped, and the header. */
  readonly head: readonly (readonly string[])[];
  readonly notices: readonly string[];
}

/** What looking at a sheet takes. */
interface Looking {
  /** The first so many of the shared texts. */
  readonly texts: (wanted: number) => Promise<readonly string[]>;
  readonly options: Pick<SourceOptions, 'header' | 'skipLines'>;
  /** The workbook's other sheets. */
  readonly others: readonly Pick<Sheet, 'name' | 'hidden'>[];
}

/** Rows that are looked at to see how wide a sheet without a header is. */
const MOST_LOOKED_AT = 200;

/**
 * Finds a sheet's columns, and where its records begin: the header is the first row with cells.
 * @param name the workbook's and the sheet's, for messages
 * @throws SourceError if there is no header
 */
export async function lookAtSheet(
  name: string,
  rows: AsyncIterable<Row>,
  { texts, options: { header = true, skipLines = 0 }, others }: Looking,
): Promise<SheetStart> {
  const skipped: Row[] = [];
  const first: Row[] = [];
  const wanted = header === true ? 2 : MOST_LOOKED_AT;
  for await (const row of rows) {
    if (row.number <= skipLines) skipped.push(row);
    else first.push(row);
    if (first.length === wanted) break;
  }
  const [top] = first;
  if (top === undefined) {
    const remedy = others.length === 0 ? '' : ` State another sheet: ${namesOf(others)}.`;
    throw new SourceError(`${name} is empty: there is not even a header in it.${remedy}`);
  }
  const named = header === true ? [...skipped, top] : skipped;
  const shared = await texts(1 + Math.max(-1, ...named.flatMap(numbersOf)));
  const textsOf = ({ cells }: Row): string[] =>
    cells.map((cell) => (typeof cell === 'number' ? (shared[cell] ?? '') : cell));
  const before = Array.from({ length: skipLines }, (_, index) => {
    const row = skipped.find(({ number }) => number === index + 1);
    return row === undefined ? [] : textsOf(row);
  });
  const width = Math.max(...first.map(({ cells }) => cells.length));
  if (header !== true) {
    return {
      columns: header === false ? numbered(width) : header,
      row: skipLines + 1,
      head: before,
      notices: [],
    };
  }
  const columns = textsOf(top).map((column) => column.trim());
  const notices =
    first.length > 1 ? [] : [`${name} has only a header: there are no records in it.`];
  return { columns, row: top.number + 1, head: [...before, textsOf(top)], notices };
}

function numbersOf({ cells }: Row): number[] {
  return cells.filter((cell: Cell) => typeof cell === 'number');
}

function numbered(width: number): readonly string[] {
  return Array.from({ length: width }, (_, index) => String(index + 1));
}
