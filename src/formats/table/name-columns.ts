/** Names the columns of a table, and finds the rows that describe them. */
import { cellType } from './cell-types.js';
import {
  filledCells,
  isName,
  MAX_DESCRIBING,
  NO_VALUE,
  type Stated,
  type TableRow,
  TYPED_SHARE,
  usualWidth,
} from './compare-rows.js';

export interface Named {
  readonly columns: readonly string[];
  readonly pads: boolean;
  readonly notices: readonly string[];
  readonly questions: readonly string[];
}

/** Names the columns of records, also where the header has fewer or more. */
export function columnsFor(
  { above, header }: Partial<Record<'above' | 'header', TableRow | undefined>>,
  records: readonly TableRow[],
  { header: stated, ragged }: Stated,
): Named {
  const usual = usualWidth(records);
  const named = (columns: readonly string[], more: Partial<Named> = {}): Named => ({
    ...{ columns, pads: false, notices: [], questions: [] },
    ...more,
  });
  if (Array.isArray(stated)) return named(stated);
  if (header === undefined) return named(Array.from({ length: usual }, (_, at) => String(at + 1)));
  const names = namesIn(header, above);
  const alike = records.filter(({ cells }) => cells.length === usual);
  const isRule = alike.length > 0 && alike.length >= TYPED_SHARE * records.length;
  if (names.length === usual || !isRule || ragged !== undefined) return named(names);
  const whole = wholeNames(names);
  if (whole.length === usual) {
    const isCut = names.slice(0, usual).every((name, at) => name === whole[at]);
    return named(whole, isCut ? {} : { notices: [MISPLACED] });
  }
  const surplus = usual - names.length;
  if (surplus < 0 && alike.length > 1) {
    const empty = names.slice(usual).join(', ');
    const notice = `its rows lack the last ${columnCount(-surplus)} of the header (${empty}), read as empty`;
    return named(names, { pads: true, notices: [notice] });
  }
  if (
    surplus > 0 &&
    alike.every(({ cells }) => cells.slice(-surplus).every((cell) => cell.trim() === ''))
  ) {
    const notice = `its rows end in ${columnCount(surplus)} that the header lacks and that are empty`;
    return named([...names, ...Array<string>(surplus).fill('')], { notices: [notice] });
  }
  return surplus === 1 && alike.length === records.length && areRowNames(records)
    ? named(['', ...names], { questions: [FIRST_UNNAMED] })
    : named(names);
}

/**
 * Whether the first cells name the rows, as R writes them: they count, or are different and come
 * before single words and numbers. Anything less may be a text or a number with a delimiter in it,
 * which would move all columns by one.
 */
function areRowNames(records: readonly TableRow[]): boolean {
  const [first = '', ...others] = records.map(({ cells }) => cells[0] ?? '');
  const rest = records.map(({ cells }) => cells.slice(1));
  if (records.length < MIN_NAMED) return false;
  if (others.every((cell, at) => cell === String(Number(first) + at + 1))) {
    const isLoose = (cells: readonly string[]): boolean => cells.some((cell) => /^ /.test(cell));
    return !rest.some(isLoose) && !haveDecimals(rest);
  }
  const areDifferent = new Set([first, ...others]).size === records.length;
  return areDifferent && rest.every((cells) => cells.every((cell) => !/\s/u.test(cell.trim())));
}

/** Whether two neighbouring cells are whole numbers in all rows: perhaps one with a decimal comma. */
function haveDecimals(rows: readonly (readonly string[])[]): boolean {
  const isWhole = (column: number): boolean =>
    rows.every((cells) => /^\d+$/.test(cells[column] ?? ''));
  return (rows[0] ?? []).some((_, column) => isWhole(column) && isWhole(column + 1));
}

const MIN_NAMED = 5;

/** Names of the columns; repeated ones with the name of their group in the line above. */
function namesIn(header: TableRow, above: TableRow | undefined): readonly string[] {
  const names = header.cells.map((name) => name.trim());
  const isRepeated = new Set(names).size < names.length;
  const hasGroups = above?.cells.length === names.length && above.number === header.number - 1;
  if (!isRepeated || !hasGroups || above === undefined || !above.cells.every(isName)) return names;
  let group = '';
  return names.map((name, at) => {
    group = above.cells[at]?.trim() || group;
    return `${group} ${name}`.trim();
  });
}

/** As R and pandas write the names of rows. */
const FIRST_UNNAMED =
  'the header has one column fewer than the records; the first column is assumed to be the one without a name: check this, and give it a name under header';

const MISPLACED =
  'its header has a delimiter too many or too few; without empty names, and divided at quotes, it has as many names as the records have fields';

/**
 * A delimiter too many leaves an empty name, and one that lacks next to a quote a quote inside a
 * name. Behind a quote that means inches, there is a blank.
 */
function wholeNames(names: readonly string[]): readonly string[] {
  const parts = names.flatMap((name) =>
    /[^\s"]"+[^\s"]/u.test(name) ? name.split(/"+/u) : [name],
  );
  return parts.filter((name) => name !== '');
}

function columnCount(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}

/** Rows examined below one that may describe the columns, and those that must be typed. */
const MAX_BELOW = 200;
const MIN_BELOW = 2;
const MIN_TYPED = 2;
/** Cells with a word of their column's name, or labels of answers. */
const MIN_DESCRIBED = 2;

/** Rows below a header that describe its columns, as survey tools write them. */
export function describingRows(rows: readonly TableRow[], header: number): readonly TableRow[] {
  const names = rows[header];
  const from = header + 1;
  let count = 0;
  while (names && count < MAX_DESCRIBING && isDescribing(rows, from + count, names)) count += 1;
  return rows.slice(from, from + count);
}

/** Whether a row describes the columns: in words of their names, above numbers and dates. */
function isDescribing(rows: readonly TableRow[], at: number, header: TableRow): boolean {
  const cells = (rows[at]?.cells ?? []).map((cell) => cell.trim());
  if (cells.some((cell) => cellType(cell) !== undefined)) return false;
  const below = rows.slice(at + 1, at + MAX_BELOW);
  const typed = cells.filter((_, column) => {
    const texts = filledCells(below, column).slice(MAX_DESCRIBING);
    return texts.length >= MIN_BELOW && texts.every((text) => cellType(text) !== undefined);
  });
  // A record without a rating and a date isn't a description.
  const isTyped = typed.filter((cell) => !NO_VALUE.test(cell)).length >= MIN_TYPED;
  const named = cells.filter((cell, column) => describes(cell, header.cells[column] ?? ''));
  if (isTyped && named.length >= MIN_DESCRIBED) return true;
  return typed.length > 0 && cells.filter(isAnswerLabel).length >= MIN_DESCRIBED;
}

/** Whether a cell has a word of its column's name, or is Qualtrics' id of a question. */
function describes(cell: string, name: string): boolean {
  if (cell.startsWith('{"ImportId"')) return true;
  const names = new Set(wordsOf(name));
  return wordsOf(cell).some((word) => names.has(word));
}

/** Words of a text or of a name like `StartDate`. */
function wordsOf(text: string): readonly string[] {
  const spaced = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return spaced.match(/\p{L}{3,}/gu) ?? [];
}

/** As SurveyMonkey writes below its questions. */
function isAnswerLabel(cell: string): boolean {
  return /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu.test(
    cell,
  );
}
