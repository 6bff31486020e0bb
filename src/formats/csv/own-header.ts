/** A first line that isn't divided as the rows below it: a header, or a title above the table. */
import type { Dialect } from '../../model/chunk.js';
import type { SourceOptions } from '../options.js';
import { isName, likeness, usualWidth } from '../table/compare-rows.js';
import { firstRecord, fitOf } from '../table/name-columns.js';
import { type CsvRow, delimiterFor } from './detect-dialect.js';

export interface FirstLine {
  readonly cells: readonly string[];
  readonly questions: readonly string[];
}

/**
 * Divides a first line with a delimiter of its own, unless it is a title with as many words as the
 * table has columns.
 * @param text of the line
 */
export function divideFirstLine(
  text: string,
  [first, ...others]: readonly [CsvRow, ...CsvRow[]],
  dialect: Dialect,
  { header, skipLines }: SourceOptions,
): FirstLine {
  const width = usualWidth(others);
  const whole = { cells: first.cells, questions: [] };
  const isHeader = header === undefined || header === true;
  if (first.cells.length > 1 || width < 2 || !isHeader) return whole;
  const own = delimiterFor(text, dialect, width);
  if (own === undefined) return whole;
  const { columns } = own;
  if (header === true) return { cells: columns, questions: [] };
  const byBlanks = own.delimiter === ' ';
  if (!areBelowHeader(others, width, byBlanks)) return whole;
  const { fitting, contrary } = fitOf(columns, others);
  // Titles of words are frequent, and headers divided by blanks are rare.
  const namesColumns = fitting - contrary >= Number(byBlanks);
  const isSure = namesColumns && !byBlanks && !isHeaderLike(others[0]);
  const isAsked = skipLines === undefined && !isSure;
  const questions = isAsked ? [titleOrNames([first, ...others], columns, namesColumns)] : [];
  return { cells: namesColumns ? columns : first.cells, questions };
}

/** Returns whether the first of the rows is a record, so that the line above may be their header. */
function areBelowHeader(rows: readonly CsvRow[], width: number, byBlanks: boolean): boolean {
  const [row] = rows;
  if (row?.cells.length !== width || row.afterBlank) return false;
  const { alike, unlike } = likeness(rows, 0);
  return byBlanks ? unlike === 0 && !isHeaderLike(row) : unlike === 0 || alike > unlike;
}

function isHeaderLike(row: CsvRow | undefined): boolean {
  return row?.cells.every(isName) === true;
}

/** Asks whether the first line is the header, with the first record in both readings. */
function titleOrNames(
  [{ number }, second, third]: readonly [CsvRow, ...CsvRow[]],
  names: readonly string[],
  namesColumns: boolean,
): string {
  const cells = second?.cells ?? [];
  const hasHeader = isHeaderLike(second) && third !== undefined;
  const below = hasHeader
    ? firstRecord(cells, third.cells)
    : firstRecord(
        cells.map((_, column) => String(column + 1)),
        cells,
      );
  const [as, other] = namesColumns ? ['the header', 'a title'] : ['a title', 'the header'];
  const title = `skipLines: ${number}${hasHeader ? '' : ' and header: false'}`;
  return `line ${number} is taken for ${as}, but may be ${other}. As the header, the first record is ${firstRecord(names, cells)}; as a title, it is ${below}. Set ${title} if it is a title, otherwise skipLines: ${number} and header: [${names.join(', ')}]`;
}
