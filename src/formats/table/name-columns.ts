/** Names the columns of a table, and finds the rows that describe them. */
import { count } from '../../model/figures.js';
import {
  type CellType,
  cellType,
  columnType,
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
export function nameColumns(
  { above, header }: Partial<Record<'above' | 'header', TableRow | undefined>>,
  records: readonly TableRow[],
  { header: stated, ragged }: Stated,
): Named {
  const usual = usualWidth(records);
  const named = (columns: readonly string[], more: Partial<Named> = {}): Named => {
    return { columns, pads: false, notices: [], questions: [], ...more };
  };
  if (Array.isArray(stated)) return named(stated);
  if (header === undefined) return named(Array.from({ length: usual }, (_, at) => String(at + 1)));
  const names = namesIn(header, above);
  const alike = records.filter(({ cells }) => cells.length === usual);
  const isRule = alike.length > 0 && alike.length >= TYPED_SHARE * records.length;
  if (names.length === usual || !isRule || ragged !== undefined) return named(names);
  if (wholeNames(names).length === usual) return namedWhole(header, names, alike);
  const surplus = usual - names.length;
  if (surplus < 0 && alike.length > 1) {
    return named(names, { pads: true, notices: [lackedNotice(names.slice(usual))] });
  }
  if (
    surplus > 0 &&
    alike.every(({ cells }) => cells.slice(-surplus).every((cell) => cell.trim() === ''))
  ) {
    const notice = `its rows end in ${count(surplus, 'empty column')} that the header lacks`;
    return named([...names, ...Array<string>(surplus).fill('')], { notices: [notice] });
  }
  return surplus === 1 &&
    alike.length === records.length &&
    areRowNames(records) &&
    fitShifted(names, records)
    ? named(['', ...names], { questions: [FIRST_UNNAMED] })
    : named(names);
}

/**
 * Returns whether the first cells name the rows, as R writes them: they count, or are different and
 * come before single words and numbers. Anything less may be a text or a number with a delimiter in
 * it, which would move all columns by one.
 */
function areRowNames(records: readonly TableRow[]): boolean {
  const [first = '', ...others] = records.map(({ cells }) => cells[0] ?? '');
  const rest = records.map(({ cells }) => cells.slice(1));
  if (records.length < MIN_NAMED) return false;
  if (haveDecimals(rest)) return false;
  if (areCounted([first, ...others])) {
    const isLoose = (cells: readonly string[]): boolean => cells.some((cell) => /^ /.test(cell));
    return !rest.some(isLoose);
  }
  const areDifferent = new Set([first, ...others]).size === records.length;
  return areDifferent && rest.every((cells) => cells.every((cell) => !/\s/u.test(cell.trim())));
}

/** Returns whether cells count up by one. */
function areCounted([first = '', ...others]: readonly string[]): boolean {
  return first !== '' && others.every((cell, at) => cell === String(Number(first) + at + 1));
}

/** Returns whether names fit behind an unnamed counter. A first column named like an id is the counter itself. */
function fitShifted(names: readonly string[], records: readonly TableRow[]): boolean {
  const [unshifted, shifted] = [fitOf(names, records), fitOf(['', ...names], records)];
  return (
    shifted.contrary === 0 &&
    (expectedOf(names[0] ?? '') !== 'id' || fitScore(shifted) > fitScore(unshifted))
  );
}

function fitScore({ fitting, contrary }: NameFit): number {
  return fitting - contrary;
}

/**
 * Returns whether two neighbouring cells are whole numbers in all rows: perhaps one with a decimal
 * comma. Those with decimal points have none.
 */
function haveDecimals(rows: readonly (readonly string[])[]): boolean {
  const isWhole = (column: number): boolean =>
    rows.every((cells) => /^\d+$/.test(cells[column] ?? ''));
  const hasPoint = rows.some((cells) => cells.some((cell) => /^-?\d+\.\d+$/.test(cell)));
  return !hasPoint && (rows[0] ?? []).some((_, column) => isWhole(column) && isWhole(column + 1));
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

/** R and pandas write the names of rows in such a column. */
const FIRST_UNNAMED =
  'the header has one column fewer than the records; the first column is assumed to be the one without a name: check this, and give it a name under header';

/**
 * Names the columns of a header with an empty name, or a quote where a delimiter is missing. An
 * empty name may also be that of a column, if the rows lack the last ones.
 */
function namedWhole(
  { number }: TableRow,
  names: readonly string[],
  records: readonly TableRow[],
): Named {
  const whole = wholeNames(names);
  const shift = whole.findIndex((name, at) => name !== names[at]);
  const dropped = { columns: whole, pads: false, questions: [] };
  if (shift < 0) return { ...dropped, notices: [] };
  const misplaced = { ...dropped, notices: [MISPLACED] };
  const isSame = records.every(({ cells }) =>
    cells.slice(shift).every((cell) => cell.trim() === ''),
  );
  if (names.length < whole.length || isSame) return misplaced;
  const difference = fitScore(fitOf(names, records)) - fitScore(fitOf(whole, records));
  const isIndex = names[0] === '' && areCounted(records.map(({ cells }) => cells[0] ?? ''));
  const pads = difference > 0 || (difference === 0 && isIndex);
  const [{ cells } = { cells: [] }] = records;
  const [as, other] = [firstRecord(whole, cells, shift), firstRecord(names, cells, shift)];
  const taken = pads ? 'the second' : 'the first';
  const question = `its header has one delimiter too many, which leaves an empty name, or its rows lack their last fields. Without the empty name, the first record is ${as}; with it, ${other}: ${taken} is assumed. If the first is right, set skipLines: ${number} and header: [${whole.join(', ')}], else ragged: pad`;
  if (!pads) return { ...dropped, notices: [], questions: [question] };
  const lacking = names.slice(whole.length);
  return { columns: names, pads, notices: [lackedNotice(lacking)], questions: [question] };
}

const MISPLACED =
  'its header has one delimiter too many or too few; without empty names, and divided at quotes, it has as many names as the records have fields';

/**
 * Divides names at quotes and leaves out empty ones. A delimiter too many leaves an empty name; one
 * that is missing next to a quote leaves that quote inside a name: `id""text`. A quote that means
 * inches has a blank behind it: `TV 55" new`.
 */
function wholeNames(names: readonly string[]): readonly string[] {
  const parts = names.flatMap((name) =>
    /[^\s"]"+[^\s"]/u.test(name) ? name.split(/"+/u) : [name],
  );
  return parts.filter((name) => name !== '');
}

const MAX_SHOWN = 4;

/** Shows a record as it reads with these names, for a question. */
export function firstRecord(
  names: readonly string[],
  values: readonly string[],
  from: number = 0,
): string {
  return names
    .map(
      (name, column) => `${name.trim() || '(no name)'} = ${JSON.stringify(values[column] ?? '')}`,
    )
    .slice(from, from + MAX_SHOWN)
    .join(', ');
}

function lackedNotice(names: readonly string[]): string {
  const columns = names.length === 1 ? 'column' : `${names.length} columns`;
  return `its rows lack the last ${columns} of the header (${names.join(', ')}), read as empty`;
}

/** Rows examined below one that may describe the columns, and those that must be typed. */
const MAX_BELOW = 200;
const MIN_BELOW = 2;
const MIN_TYPED = 2;
/** Cells that make a row a description of the columns: with a word of the column's name, or labels of answers. */
const MIN_DESCRIBED = 2;

/** Rows below a header that describe its columns, as survey tools write them. */
export function describingRows(rows: readonly TableRow[], header: number): readonly TableRow[] {
  const names = rows[header];
  const from = header + 1;
  let count = 1 + rows.slice(from, from + MAX_DESCRIBING).findLastIndex(isImportIds);
  while (names && count < MAX_DESCRIBING && isDescribing(rows, from + count, names)) count += 1;
  return rows.slice(from, from + count);
}

/** Returns whether a row has Qualtrics' ids of the questions, which come last among descriptions. */
function isImportIds({ cells }: TableRow): boolean {
  return cells.length > 0 && cells.every((cell) => cell.trim().startsWith('{"ImportId"'));
}

/** Returns whether a row describes the columns: in words of their names, above numbers and dates. */
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

/** Returns whether a cell has a word of its column's name. */
function describes(cell: string, name: string): boolean {
  const names = new Set(wordsInName(name));
  return wordsInName(cell).some((word) => names.has(word));
}

/** Words of a text or of a name like `StartDate`. */
function wordsInName(text: string): readonly string[] {
  const spaced = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return spaced.match(/\p{L}{3,}/gu) ?? [];
}

/** As SurveyMonkey writes below its questions. */
function isAnswerLabel(cell: string): boolean {
  return /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu.test(
    cell,
  );
}

type Expected = 'date' | 'number' | 'link' | 'id' | 'words';

/** Words in names, in the languages of most exports; likelier ones first. */
const EXPECTED: readonly (readonly [Expected, RegExp])[] = [
  ['date', /^(?:date|datetime|datum|fecha)$/u],
  [
    'number',
    /^(?:rating|score|stars?|nps|qty|quantity|price|count|sterne|punkte|preis|estrellas|puntuación|nota|étoiles|prix|voto|stelle)$/u,
  ],
  ['link', /^(?:url|link|website|email)$/u],
  ['id', /^(?:id|uuid|nr|no|num|key|index|#)$/u],
  [
    'words',
    /^(?:text|comments?|content|body|title|subject|author|name|reviewer|reply|answer|country|city|titel|kommentar|autor|texto|comentario|titre|auteur|testo|commento|titolo)$/u,
  ],
];

const TYPES: Readonly<Record<Expected, readonly (CellType | undefined)[]>> = {
  date: ['date', 'time'],
  number: ['number', 'rating'],
  link: ['link'],
  id: ['number', 'code', undefined],
  words: ['code', undefined],
};

interface NameFit {
  /** Columns with the only type that their names suggest. */
  readonly fitting: number;
  /** Columns with a type that their names exclude. */
  readonly contrary: number;
}

/** Counts the names that fit the values below them, and those that don't. */
export function fitOf(names: readonly string[], records: readonly TableRow[]): NameFit {
  let [fitting, contrary] = [0, 0];
  for (const [column, name] of names.entries()) {
    const expected = expectedOf(name);
    const texts = filledCells(records, column);
    if (expected === undefined || texts.length === 0) continue;
    const types = TYPES[expected];
    if (!types.includes(columnType(texts)) || (expected === 'id' && hasBlanks(texts))) {
      contrary += 1;
    } else if (!types.includes(undefined)) fitting += 1;
  }
  return { fitting, contrary };
}

function expectedOf(name: string): Expected | undefined {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}#]+/u);
  return EXPECTED.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
}

function hasBlanks(texts: readonly string[]): boolean {
  return texts.filter((text) => /\s/u.test(text)).length > texts.length / 2;
}
