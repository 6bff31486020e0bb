/**
 * Finds a table in the first rows of a file or a sheet: the lines before it, its header, what its
 * columns are called, and where it ends.
 */
import { REJECT_COLUMNS } from '../../model/reject-columns.js';
import type { TableReading } from '../../model/source.js';
import type { SourceOptions } from '../options.js';
import { type CellType, cellType } from './cell-types.js';

export interface TableRow {
  readonly cells: readonly string[];
  /** Line, or row of a sheet, from 1. */
  readonly number: number;
  /** Whether a blank line comes before it. */
  readonly afterBlank: boolean;
  /** Whether its quotes or delimiters aren't those of the others. */
  readonly isBroken?: boolean;
}

export interface FoundTable {
  /** Index of the header's row; `undefined` if there is none. */
  readonly header: number | undefined;
  /** Index of the first row that may be a record. */
  readonly from: number;
  /** Index of the first row behind the table; `undefined` if it reaches to the end. */
  readonly to: number | undefined;
  readonly columns: readonly string[];
  /** Whether rows lack the last columns of the header. */
  readonly pads: boolean;
  readonly reading: TableReading;
}

export type Stated = Pick<SourceOptions, 'header' | 'skipLines' | 'ragged'>;

interface TableContext {
  /** For messages. */
  readonly name: string;
  readonly unit: 'line' | 'row';
  /** Whether the rows are all of the source. */
  readonly whole: boolean;
}

/** @param rows at least one */
export function findTable(
  rows: readonly TableRow[],
  stated: Stated,
  { name, unit, whole }: TableContext,
): FoundTable {
  const usual = usualWidth(rows);
  const start = startOf(rows, usual, stated);
  const header = start.hasHeader ? start.at : undefined;
  const labels = header === undefined ? [] : describingRows(rows, header + 1);
  const from = start.at + Number(start.hasHeader) + labels.length;
  const headerRow = header === undefined ? undefined : rows[header];
  const named = columnsFor(
    { above: rows[start.at - 1], header: headerRow },
    rows.slice(from),
    stated,
  );
  const width = named.pads ? usualWidth(rows.slice(from)) : named.columns.length;
  const isOpen = stated.ragged === undefined && stated.header === undefined;
  const to = whole && isOpen ? endOf(rows, from, width) : undefined;
  const uneven = unevenRows(rows.slice(from, to), width, stated);
  const isBare = !start.hasHeader && stated.header === undefined;
  const notices = [
    ...(start.at === 0 ? [] : [skippedNotice(rows.slice(0, start.at), 'before the table', unit)]),
    ...(isBare ? [noHeader(named.columns.length)] : []),
    ...(labels.length === 0 ? [] : [skippedNotice(labels, DESCRIBING, unit)]),
    ...named.notices,
    ...uneven.notices,
    ...repeatNotices(rows, header),
    ...(to === undefined ? [] : [skippedNotice(rows.slice(to), 'behind the table', unit)]),
  ];
  return {
    header,
    from,
    to,
    columns: named.columns,
    pads: named.pads,
    reading: {
      options: optionsFor(rows, start, named, stated),
      lacking: uneven.lacking,
      labels: labels.map(({ cells }) => cells),
      notices: notices.map((notice) => `${name}: ${notice}.`),
      questions: [...start.questions, ...named.questions],
    },
  };
}

/** The options that read the table as it was found, as far as they aren't found again anyway. */
function optionsFor(
  rows: readonly TableRow[],
  { at, hasHeader }: Start,
  { columns, pads }: Named,
  stated: Stated,
): TableReading['options'] {
  const line = (rows[at]?.number ?? 1) - 1;
  const cells = rows[at]?.cells ?? [];
  const isRenamed = columns.some((name, column) => name !== '' && name !== cells[column]?.trim());
  if (hasHeader && stated.header === undefined && isRenamed) {
    return { header: columns, skipLines: line + 1 };
  }
  return {
    ...(hasHeader || stated.header !== undefined ? {} : { header: false }),
    ...(at === 0 ? {} : { skipLines: line }),
    ...(pads ? { ragged: 'pad' } : {}),
  };
}

/** The most frequent number of cells; in a tie, the first. */
export function usualWidth(rows: readonly Pick<TableRow, 'cells'>[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

interface Start {
  readonly at: number;
  readonly hasHeader: boolean;
  readonly questions: readonly string[];
}

function startOf(rows: readonly TableRow[], usual: number, stated: Stated): Start {
  const { header, skipLines } = stated;
  if (header !== undefined) return { at: 0, hasHeader: header === true, questions: [] };
  const ofRejects = rows.slice(0, MAX_BEFORE + 1).findIndex(({ cells }) => isOfRejects(cells));
  if (ofRejects >= 0) return { at: ofRejects, hasHeader: true, questions: [] };
  const at = skipLines === undefined ? firstOf(rows, usual) : 0;
  const { alike, unlike } = likeness(rows, at);
  const hasHeader = alike < MIN_ALIKE || unlike > alike * MAX_UNLIKE;
  const isDoubtful = hasHeader ? alike >= 1 && alike > unlike : alike < CERTAINLY_ALIKE;
  return { at, hasHeader, questions: isDoubtful ? [bothReadings(rows, at, hasHeader)] : [] };
}

function isOfRejects(cells: readonly string[]): boolean {
  const last = cells.slice(-REJECT_COLUMNS.length);
  return REJECT_COLUMNS.every((column, at) => column === last[at]?.trim());
}

/** Lines before a header. */
const MAX_BEFORE = 25;
/** Share of the usual number of filled cells that a row of the table has. */
const MIN_FILLED = 0.6;

/**
 * Index of the table's first row: the first that is as wide and about as full as most, or the one
 * before if that is a header of another length.
 */
function firstOf(rows: readonly TableRow[], usual: number): number {
  const sizes = rows
    .map(filled)
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  const full = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const isFull = (row: TableRow): boolean =>
    row.cells.length === usual && filled(row) >= MIN_FILLED * full;
  const at = rows.slice(0, MAX_BEFORE + 1).findIndex(isFull);
  const before = rows[at - 1];
  if (before === undefined) return 0;
  const namesColumns =
    filled(before) > usual / 2 && before.cells.length !== usual && before.cells.every(isName);
  const { alike, unlike } = likeness(rows, at);
  return namesColumns && unlike <= alike ? at - 1 : at;
}

/** Whether a cell may name a column; names can look like codes. */
function isName(cell: string): boolean {
  const type = cellType(cell.trim());
  return type === undefined || type === 'code';
}

function filled({ cells }: TableRow): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/** Rows compared with a possible header, and those passed over, as they may describe the columns. */
const MAX_COMPARED = 100;
const MAX_DESCRIBING = 2;
/** Evidence for a record: two cells that only values have, or one and a long text. */
const MIN_ALIKE = 1.5;
const CERTAINLY_ALIKE = 2.5;
/** Ratio of evidence against it that is tolerated. */
const MAX_UNLIKE = 0.15;
const TYPED_SHARE = 0.9;

const NO_VALUE = /^(?:nan|n\/?a|null|none|-*)$/iu;

interface Likeness {
  readonly alike: number;
  readonly unlike: number;
}

/** Compares the cells of a row with those below: a number above numbers, a word above dates. */
function likeness(rows: readonly TableRow[], at: number): Likeness {
  const row = rows[at];
  if (row === undefined) return { alike: 0, unlike: 0 };
  const after = rows
    .slice(at + 1)
    .filter((other) => other.cells.length === row.cells.length && !isRepeated(row, other));
  const from = after.length < MAX_DESCRIBING + 3 ? 0 : MAX_DESCRIBING;
  const below = after.slice(from, from + MAX_COMPARED);
  let [alike, unlike, long] = [0, 0, 0];
  for (const [column, cell] of row.cells.map((text) => text.trim()).entries()) {
    const texts = filledCells(below, column);
    if (NO_VALUE.test(cell) || texts.length === 0) continue;
    const weight = likenessOf(cell, texts);
    if (weight < 0) unlike += 1;
    else if (weight === LONG_TEXT) long = LONG_TEXT;
    else alike += weight;
  }
  return { alike: alike + long, unlike };
}

/** Whether another row repeats most of a row, as a second header does. */
function isRepeated(row: TableRow, { cells }: TableRow): boolean {
  const same = row.cells.filter((cell, at) => cell.trim() !== '' && cell === cells[at]);
  return same.length > filled(row) / 2;
}

function filledCells(rows: readonly TableRow[], column: number): readonly string[] {
  return rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '');
}

/** Evidence of long texts, however many: questions of a survey are long too. */
const LONG_TEXT = 0.5;

/** 1 if alike, {@link LONG_TEXT} if both are long, -1 if unlike, 0 if unclear. */
function likenessOf(cell: string, texts: readonly string[]): number {
  const type = columnType(texts);
  if (type !== undefined) return cellType(cell) === type ? 1 : -1;
  const distinct = new Set(texts);
  if (texts.length >= 6 && distinct.size <= texts.length / 2 && distinct.has(cell)) return 1;
  const isLong = (text: string): boolean => text.split(/\s+/u).length > 6 && !text.endsWith('?');
  return texts.filter(isLong).length > texts.length / 2 && isLong(cell) ? LONG_TEXT : 0;
}

/** The type of nearly all cells. */
function columnType(texts: readonly string[]): CellType | undefined {
  const types = texts.map(cellType);
  const usual = types.toSorted()[Math.floor(types.length / 2)];
  const share = types.filter((type) => type === usual).length / types.length;
  return share >= TYPED_SHARE ? usual : undefined;
}

/** Rows examined below one that may describe the columns, and those that must be typed. */
const MAX_BELOW = 200;
const MIN_BELOW = 2;
const MIN_TYPED = 2;

/** Rows below a header that describe its columns, as survey tools write them. */
function describingRows(rows: readonly TableRow[], from: number): readonly TableRow[] {
  let count = 0;
  while (count < MAX_DESCRIBING && isDescribing(rows, from + count)) count += 1;
  return rows.slice(from, from + count);
}

/** Whether a row has words, and no number or date, where those below have numbers or dates. */
function isDescribing(rows: readonly TableRow[], at: number): boolean {
  const cells = (rows[at]?.cells ?? []).map((cell) => cell.trim());
  if (cells.some((cell) => cellType(cell) !== undefined)) return false;
  const below = rows.slice(at + 1, at + MAX_BELOW);
  const typed = cells.filter((_, column) => {
    const texts = filledCells(below, column).slice(MAX_DESCRIBING);
    return texts.length >= MIN_BELOW && texts.every((text) => cellType(text) !== undefined);
  });
  const words = cells.filter((cell) => cell !== '');
  if (typed.length < MIN_TYPED || words.length === 0) return false;
  return typed.filter((cell) => cell !== '').length >= MIN_TYPED || words.every(isAnswerLabel);
}

/** As SurveyMonkey writes below its questions. */
function isAnswerLabel(cell: string): boolean {
  return /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu.test(
    cell,
  );
}

function noHeader(columns: number): string {
  return `its first line looks like a record, so its columns are called 1 to ${columns}; if it names the columns, state header: true`;
}

const MAX_SHOWN = 4;

/** Asks whether a row is the header, with the first record in both readings. */
function bothReadings(rows: readonly TableRow[], at: number, hasHeader: boolean): string {
  const [cells = [], below = []] = [rows[at]?.cells, rows[at + 1]?.cells];
  const shown = (names: readonly string[], values: readonly string[]): string =>
    names
      .slice(0, MAX_SHOWN)
      .map((name, column) => `${name.trim()} = ${JSON.stringify(values[column] ?? '')}`)
      .join(', ');
  const numbers = cells.map((_, column) => String(column + 1));
  const [as, other] = hasHeader ? ['the header', 'a record'] : ['a record', 'the header'];
  return `line ${rows[at]?.number} is taken for ${as}, but may be ${other}. As the header, the first record is ${shown(cells, below)}; as a record, it is ${shown(numbers, cells)}. State header: ${String(hasHeader)} if that is right, else header: ${String(!hasHeader)}`;
}

interface Named {
  readonly columns: readonly string[];
  readonly pads: boolean;
  readonly notices: readonly string[];
  readonly questions: readonly string[];
}

/** Names the columns of records, also where the header has fewer or more. */
function columnsFor(
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
  const filledNames = names.filter((name) => name !== '');
  if (filledNames.length === usual) return named(filledNames);
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
  return surplus !== 1 || alike.length < 2
    ? named(names)
    : named(['', ...names], { questions: [FIRST_UNNAMED] });
}

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

function columnCount(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}

/**
 * Index of the first row behind the table: after the only blank line, or the header of another
 * table.
 */
function endOf(rows: readonly TableRow[], from: number, width: number): number | undefined {
  if (width < 2) return undefined;
  const first = columnType(filledCells(rows.slice(from), 0));
  const beginsAlike = ({ cells: [cell = ''] }: TableRow): boolean =>
    first === undefined || cellType(cell.trim()) === first;
  const isRecord = (row: TableRow): boolean =>
    row.cells.length === width && filled(row) > 1 && beginsAlike(row);
  const last = rows.findLastIndex(isRecord);
  const rest = rows.slice(last + 1);
  if (last < from || rows.slice(from + 1, last + 1).some(({ afterBlank }) => afterBlank)) {
    return undefined;
  }
  const end = rest.findIndex((row, at) => {
    const isBlank = filled(row) === 0;
    const next = isBlank ? rest[at + 1] : row;
    // A damaged record begins like the others.
    if (isBlank || row.afterBlank) return next === undefined || !(first && beginsAlike(next));
    return isOtherHeader(rest.slice(at));
  });
  return end < 0 ? undefined : last + 1 + end;
}

/** Whether rows are another table, below a header of its own. */
function isOtherHeader([header, ...below]: readonly TableRow[]): boolean {
  if (header === undefined || below.length < 2) return false;
  const isEven = below.every(({ cells }) => cells.length === header.cells.length);
  const isNamed = header.cells.every((cell) => cell !== '' && isName(cell));
  return isEven && isNamed && header.cells.length > 1 && likeness([header, ...below], 0).unlike > 0;
}

interface Uneven {
  readonly lacking?: string;
  readonly notices: readonly string[];
}

/** Uneven rows are invalid records; where they are many, their common cause is named. */
const MIN_UNEVEN_SHARE = 0.05;

function unevenRows(all: readonly TableRow[], width: number, { ragged }: Stated): Uneven {
  const records = all.filter(({ isBroken }) => !isBroken);
  const short = records.filter(({ cells }) => cells.length < width);
  const long = records.filter(({ cells }) => cells.length > width);
  const uneven = short.length + long.length;
  if (uneven === 0 || width < 2 || ragged !== undefined) return { notices: [] };
  const least = width - Math.max(1, Math.floor(width / 4));
  const number = `${uneven} of ${records.length} records`;
  if (long.length === 0 && short.every(({ cells }) => cells.length >= least)) {
    const lacking = `${number} lack their last fields`;
    const cure = 'if those are empty, state ragged: pad (--ragged pad)';
    return { lacking, notices: [`${lacking} and are invalid; ${cure}`] };
  }
  if (uneven < Math.max(2, MIN_UNEVEN_SHARE * records.length)) return { notices: [] };
  const split = short.filter(({ cells, number: line }, at) => {
    const next = short[at + 1];
    return next?.number === line + 1 && cells.length + next.cells.length - 1 === width;
  });
  const cause =
    split.length * 2 > uneven - 1
      ? `${split.length} texts with a line break aren't quoted, and their parts are invalid records`
      : long.length > short.length
        ? `${number} have too many fields and are invalid, as their texts contain the delimiter and aren't quoted`
        : `${number} have another number of fields than the header and are invalid`;
  return { notices: [`${cause}; export it again with quotes around texts`] };
}

function repeatNotices(rows: readonly TableRow[], header: number | undefined): readonly string[] {
  const names = header === undefined ? [] : (rows[header]?.cells ?? []);
  if (header === undefined || names.length < 2) return [];
  const isRepeated = ({ cells }: TableRow): boolean =>
    cells.length === names.length && cells.every((cell, at) => cell.trim() === names[at]?.trim());
  const [first, ...others] = rows.slice(header + 1).filter(isRepeated);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${others.length} times more in its start`;
  return [
    `its header is repeated on line ${first.number}${more}, as exports joined into one do; such lines are skipped`,
  ];
}

const DESCRIBING = 'with descriptions of the columns';

function skippedNotice(rows: readonly TableRow[], where: string, unit: string): string {
  const [first] = rows;
  const texts = (first?.cells ?? []).filter((cell) => cell.trim() !== '').join(', ');
  const lines =
    rows.length === 1
      ? `${unit} ${first?.number}`
      : `${rows.length} ${unit}s from ${unit} ${first?.number} on`;
  const table = isOtherHeader(rows)
    ? '; that is a second table, which needs a file of its own'
    : '';
  return `skipped ${lines} ${where} (${JSON.stringify(texts.slice(0, 60))})${table}`;
}
