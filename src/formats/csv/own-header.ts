/** A first line that isn't divided as the rows below it: a header, or a title above the table. */
import type { Dialect } from '../../model/chunk.js';
import type { SourceOptions } from '../options.js';
import { isName, likeness, usualWidth } from '../table/compare-rows.js';
import { firstRecord } from '../table/name-columns.js';
import { fitOf } from '../table/name-types.js';
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
  if (first.cells.length > 1 || width < 2 || (header !== undefined && header !== true))
    return whole;
  const own = delimiterFor(text, dialect, width);
  if (own === undefined) return whole;
  const divided = { cells: own.columns, questions: [] };
  if (header === true) return divided;
  const [second] = others;
  const isRecord = second?.cells.length === width && likeness(others, 0).unlike === 0;
  if (second === undefined || !isRecord || second.afterBlank) return whole;
  const byBlanks = own.delimiter === ' ';
  const hasValues = !second.cells.every(isName);
  if (byBlanks && !hasValues) return whole;
  const { fitting, contrary } = fitOf(own.columns, others);
  const namesColumns = fitting - contrary >= Number(byBlanks);
  const isSure = skipLines !== undefined || (hasValues && !byBlanks && namesColumns);
  const questions = isSure ? [] : [titleOrNames(first, second, own.columns, namesColumns)];
  return { cells: namesColumns ? own.columns : first.cells, questions };
}

/** Asks whether the first line is the header, with the first record in both readings. */
function titleOrNames(
  { number }: CsvRow,
  { cells }: CsvRow,
  names: readonly string[],
  namesColumns: boolean,
): string {
  const numbers = cells.map((_, column) => String(column + 1));
  const [as, other] = namesColumns ? ['the header', 'a title'] : ['a title', 'the header'];
  return `line ${number} is taken for ${as}, but may be ${other}. As the header, the first record is ${firstRecord(names, cells)}; as a title, it is ${firstRecord(numbers, cells)}. State skipLines: ${number} and header: false if it is a title, else skipLines: ${number} and header: [${names.join(', ')}]`;
}
