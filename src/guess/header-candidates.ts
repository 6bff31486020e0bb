/** Which rows of a sheet may be its header: titles, notes and blank rows often stand above it. */
import { findDate } from './notations/dates.js';

/** Rows above a header, at most. */
const MAX_TITLE_ROWS = 25;

/**
 * Indexes of rows that may name the columns: the first row, the first one that is about as full as
 * the table, and those that hold several words and neither numbers nor dates.
 */
export function headerCandidates(rows: readonly (readonly string[])[]): readonly number[] {
  const filled = rows.map((cells) => cells.filter((cell) => cell.trim() !== ''));
  const widest = Math.max(0, ...filled.map(({ length }) => length));
  const full = filled.findIndex(({ length }) => length >= widest * 0.6);
  return filled
    .slice(0, MAX_TITLE_ROWS + 1)
    .flatMap((cells, at) => (at === 0 || at === full || namesColumns(cells) ? [at] : []));
}

function namesColumns(cells: readonly string[]): boolean {
  return cells.length >= 2 && !cells.some(isValue);
}

function isValue(cell: string): boolean {
  const text = cell.trim();
  return /^[-+]?\d+(?:[.,]\d+)*%?$/u.test(text) || findDate(text) !== undefined;
}
