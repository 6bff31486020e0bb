/** Finds a second table below the first, behind a header of its own. */
import {
  cellType,
  columnType,
  filled,
  filledCells,
  isName,
  likeness,
  NO_VALUE,
  type TableRow,
  TYPED_SHARE,
} from './compare-rows.js';

export interface SecondTable {
  /** Index of its header. */
  readonly header: number;
  /** Index of the first row behind the first table, which may be a title or blank. */
  readonly after: number;
  /** Index of the first row behind it, which belongs to the first table. */
  readonly end: number;
}

/** Rows of a table that are compared with those of a different one. */
const MAX_COMPARED = 100;
const MIN_ROWS = 2;

/**
 * Finds the first row that names columns where the rows above it have numbers or dates, and the rows
 * below it don't fit those above. A record without any value between records fits.
 * @param from index of the first record
 */
export function findSecondTable(rows: readonly TableRow[], from: number): SecondTable | undefined {
  let last: TableRow | undefined;
  for (const [at, row] of rows.entries()) {
    if (at < from || filled(row) === 0) continue;
    const found = last && mayName(row, last) ? tableAt(rows, from, at) : undefined;
    if (found !== undefined) return found;
    if (filled(row) > 1) last = row;
  }
  return undefined;
}

/** Returns whether a row has different names, one of them where the row above has a value. */
function mayName(row: TableRow, { cells: above }: TableRow): boolean {
  const names = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const isNew = row.cells.some(
    (cell, column) => isWord(cell) && cellType(above[column]?.trim() ?? '') !== undefined,
  );
  return isNew && names.length > 1 && new Set(names).size === names.length && names.every(isName);
}

function isWord(cell: string): boolean {
  return cell.trim() !== '' && isName(cell) && !NO_VALUE.test(cell.trim());
}

function tableAt(rows: readonly TableRow[], from: number, header: number): SecondTable | undefined {
  const own = rows.slice(from, header).filter((row) => filled(row) > 1);
  const below = rows.slice(header + 1).filter((row) => filled(row) > 0);
  const [first] = rows.slice(header);
  if (first === undefined || own.length < MIN_ROWS || below.length < MIN_ROWS) return undefined;
  const after = startBefore(rows, header);
  const isApart = after < header || first.afterBlank;
  const fits = fitTest(own.slice(-MAX_COMPARED), isApart ? 1 : MIN_FITTING);
  const areOther = (others: readonly TableRow[]): boolean =>
    others.length >= MIN_ROWS &&
    others.filter((row) => !fits(row)).length >= others.length * TYPED_SHARE &&
    likeness([first, ...others], 0).unlike > 0;
  if (fits(first)) return undefined;
  if (areOther(below.slice(0, MAX_COMPARED))) return { header, after, end: rows.length };
  const next = rows.findIndex((row, at) => at > header && filled(row) > 0 && fits(row));
  const between = rows.slice(header + 1, next).filter((row) => filled(row) > 0);
  return areOther(between) ? { header, after, end: next } : undefined;
}

/** Share of fitting values of a row of the first table, where nothing sets the second one apart. */
const MIN_FITTING = 0.5;

/** Makes a test of whether a row's values have the types that they have in nearly all rows of a table. */
function fitTest(own: readonly TableRow[], least: number): (row: TableRow) => boolean {
  const width = Math.max(...own.map(({ cells }) => cells.length));
  const types = Array.from({ length: width }, (_, column) => {
    const texts = filledCells(own, column);
    return texts.length < MIN_ROWS ? undefined : columnType(texts);
  });
  return ({ cells }) => {
    const values = types.flatMap((type, column) => {
      const text = cells[column]?.trim() ?? '';
      return type === undefined || NO_VALUE.test(text) ? [] : [cellType(text) === type];
    });
    return values.length > 0 && values.filter((isSame) => isSame).length >= values.length * least;
  };
}

/** Index of the first of the blank rows and titles above a header. */
function startBefore(rows: readonly TableRow[], header: number): number {
  let at = header;
  for (let row = rows[at - 1]; row && filled(row) <= 1; row = rows[at - 1]) {
    if (!row.cells.every(isName)) break;
    at -= 1;
  }
  return at;
}
