/** Compares the rows of a table: how wide, how filled and how alike they are. */
import type { SourceOptions } from '../options.js';

export type Stated = Pick<SourceOptions, 'header' | 'skipLines' | 'ragged'>;

export interface TableRow {
  readonly cells: readonly string[];
  /** Line, or row of a sheet, from 1. */
  readonly number: number;
  /** Whether a blank line comes before it. */
  readonly afterBlank: boolean;
  /** Whether its quotes or delimiters aren't those of the others. */
  readonly isBroken?: boolean;
}

/** The most frequent number of cells; in a tie, the first. */
export function usualWidth(rows: readonly Pick<TableRow, 'cells'>[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

/** Returns whether a cell may name a column; names can look like codes. */
export function isName(cell: string): boolean {
  const type = cellType(cell.trim());
  return type === undefined || type === 'code';
}

export function filled({ cells }: TableRow): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/** Rows compared with a possible header, and those passed over, as they may describe the columns. */
const MAX_COMPARED = 100;
export const MAX_DESCRIBING = 2;
export const TYPED_SHARE = 0.9;

/** Texts that stand for a missing value. */
export const NO_VALUE = /^(?:nan|n\/?a|null|none|-*)$/iu;

interface Likeness {
  readonly alike: number;
  readonly unlike: number;
}

/** Compares the cells of a row with those below: a number above numbers, a word above dates. */
export function likeness(rows: readonly TableRow[], at: number): Likeness {
  const row = rows[at];
  if (row === undefined) return { alike: 0, unlike: 0 };
  const after = rows
    .slice(at + 1)
    .filter((other) => other.cells.length === row.cells.length && !isMostlyRepeated(row, other));
  const from = after.length < MAX_DESCRIBING + 3 ? 0 : MAX_DESCRIBING;
  const below = after.slice(from, from + MAX_COMPARED);
  let [alike, unlike, long] = [0, 0, 0];
  for (const [column, cell] of row.cells.map((text) => text.trim()).entries()) {
    const texts = filledCells(below, column);
    if (NO_VALUE.test(cell) || texts.length === 0) continue;
    const weight = likenessOf(cell, texts, filledCells(after, column));
    if (weight < 0) unlike += 1;
    else if (weight === LONG_TEXT) long = LONG_TEXT;
    else alike += weight;
  }
  return { alike: alike + long, unlike };
}

/** Returns whether another row repeats most of a row, as a second header does. */
function isMostlyRepeated(row: TableRow, { cells }: TableRow): boolean {
  const same = row.cells.filter((cell, at) => cell.trim() !== '' && cell === cells[at]);
  return same.length > filled(row) / 2;
}

export function filledCells(rows: readonly TableRow[], column: number): readonly string[] {
  return rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '');
}

/** Evidence of long texts, however many: questions of a survey are long too. */
const LONG_TEXT = 0.5;

/** Records with the same word, for example `Excellent`, that make a row with it a record, too. */
const MIN_AGAIN = 2;
const MIN_LONG = 5;

/**
 * 1 if alike, {@link LONG_TEXT} if both are long, -1 if unlike, 0 if unclear.
 * @param all also those that may describe the columns
 */
function likenessOf(cell: string, texts: readonly string[], all: readonly string[]): number {
  const type = columnType(texts);
  if (type !== undefined) return cellType(cell) === type ? 1 : -1;
  const again = all.filter((text) => text === cell).length;
  // The boxes ticked in a survey all say what their column is called.
  if (again >= MIN_AGAIN && again < all.length) return 1;
  const isLong = (text: string): boolean =>
    text.split(/\s+/u).length > MIN_LONG && !text.endsWith('?');
  return texts.filter(isLong).length > texts.length / 2 && isLong(cell) ? LONG_TEXT : 0;
}

/** The type of nearly all cells. */
export function columnType(texts: readonly string[]): CellType | undefined {
  const types = texts.map(cellType);
  const usual = types.toSorted()[Math.floor(types.length / 2)];
  const share = types.filter((type) => type === usual).length / types.length;
  return share >= TYPED_SHARE ? usual : undefined;
}

/** Returns whether rows are another table, below a header of its own. */
export function isOtherHeader([header, ...below]: readonly TableRow[]): boolean {
  if (header === undefined || below.length < 2) return false;
  const isEven = below.every(({ cells }) => cells.length === header.cells.length);
  const isNamed = header.cells.every((cell) => cell !== '' && isName(cell));
  return isEven && isNamed && header.cells.length > 1 && likeness([header, ...below], 0).unlike > 0;
}

/** Types of cells, recognised by their text alone; column names have none of them. */
export type CellType = 'number' | 'rating' | 'date' | 'time' | 'link' | 'boolean' | 'code';

const PATTERNS: readonly (readonly [CellType, RegExp])[] = [
  ['number', /^[-+]?(?:[$€£¥]\s?)?\d+(?:[.,' \u00a0]\d+)*\s?[%$€£¥]?$/u],
  ['time', /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?$/iu],
  // 2024-01-31T10:00, 31.1.24; March 3rd, 2024; 3 de marzo de 2024; 2024년 3월 5일.
  ['date', /^\d{1,4}([-./])\d{1,2}\1\d{1,4}\.?(?:[T ,].{1,24})?$/u],
  [
    'date',
    /^(?=\D{0,24}\d)[\p{L}\p{M}\d.,:\s-]*(?<![\d\p{L}])(?:19|20)\d\d(?![\dA-Za-z])[\p{L}\p{M}\d.,:\s-]*$/u,
  ],
  // 3 months ago, vor 3 Monaten, il y a 3 mois, hace 3 meses, 3일 전.
  ['date', /^(?:(?:an?|\d+) \p{L}+ ago|(?:vor|il y a|hace|há) \S+ \p{L}+|\d+\p{L}{1,2} 전)$/iu],
  ['link', /^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+\.[^\s@]+)$/iu],
  ['rating', /^[★☆⭐✩✭✰]+$/u],
  ['rating', /^\d+(?:[.,]\d+)? ?(?:\/|(?:out )?of|von|de|sur|su) ?\d+(?: \p{L}+)?$/iu],
  ['rating', /^\d(?:[.,]\d)? (?:stars?|sterne?|étoiles?|estrellas?|stelle|estrelas?)$/iu],
  ['boolean', /^(?:true|false)$/iu],
  ['code', /^(?:(?=\S*\d)(?=\S*[a-z])[\w-]{12,}|[A-Z]{1,4}-?\d{4,})$/iu],
];

/** Longer cells are texts, unless they are addresses. */
const MAX_LENGTH = 40;

/** Type of a trimmed cell; `undefined` for words and blanks. */
export function cellType(text: string): CellType | undefined {
  if (text.length > MAX_LENGTH && !/^https?:/iu.test(text)) return undefined;
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
}
