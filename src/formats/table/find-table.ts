/**
 * Finds a table in the first rows of a file or a sheet: the lines before it, its header, what its
 * columns are called, and where it ends.
 */
import { lastAreOfRejects } from '../../model/reject-columns.js';
import type { TableReading } from '../../model/source.js';
import {
  cellType,
  columnType,
  filled,
  filledCells,
  isName,
  isOtherHeader,
  likeness,
  type Stated,
  type TableRow,
  usualWidth,
} from './compare-rows.js';
import { describingRows, firstRecord, type Named, nameColumns } from './name-columns.js';

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

type Unit = 'line' | 'row';

interface TableContext {
  /** For messages. */
  readonly name: string;
  readonly unit: Unit;
  /** Whether the rows are all of the source. */
  readonly whole: boolean;
}

/** @param rows at least one */
export function findTable(
  rows: readonly TableRow[],
  stated: Stated,
  { name, unit, whole }: TableContext,
): FoundTable {
  const start = findTableStart(rows, stated, unit);
  const header = start.hasHeader ? start.at : undefined;
  // All rows of a rejects file, and those below a stated header, are records.
  const isOpen = stated.header === undefined && !lastAreOfRejects(rows[start.at]?.cells ?? []);
  const labels = header === undefined || !isOpen ? [] : describingRows(rows, header);
  const from = start.at + Number(start.hasHeader) + labels.length;
  const headerRow = header === undefined ? undefined : rows[header];
  const named = nameColumns(
    { above: rows[start.at - 1], header: headerRow },
    rows.slice(from),
    stated,
  );
  const width = named.pads ? usualWidth(rows.slice(from)) : named.columns.length;
  const to =
    whole && isOpen && stated.ragged === undefined ? tableEnd(rows, from, width) : undefined;
  const uneven = unevenRows(rows.slice(from, to), width, stated, whole);
  const isBare = !start.hasHeader && stated.header === undefined;
  const notices = [
    ...(start.at === 0 ? [] : [skippedNotice(rows.slice(0, start.at), 'before the table', unit)]),
    ...(isBare ? [noHeader(named.columns.length, unit)] : []),
    ...(labels.length === 0 ? [] : [skippedNotice(labels, DESCRIBING, unit)]),
    ...named.notices,
    ...uneven.notices,
    ...repeatNotices(rows, header, named.columns, unit),
    ...(to === undefined ? [] : [skippedNotice(rows.slice(to), 'after the table', unit)]),
  ];
  const noticeOf = (notice: string): string => `${name}: ${notice}.`;
  return {
    header,
    from,
    to,
    columns: named.columns,
    pads: named.pads,
    reading: {
      options: tableOptions(rows, { ...start, from }, named, stated),
      lacking: uneven.lacking && {
        ...uneven.lacking,
        notice: noticeOf(uneven.lacking.notice),
      },
      labels: labels.map(({ cells }) => cells),
      notices: notices.map(noticeOf),
      questions: [...start.questions, ...named.questions],
    },
  };
}

/** The options to state so that the table is read this way; what is detected again anyway is left out. */
function tableOptions(
  rows: readonly TableRow[],
  { at, hasHeader, from }: Start & { readonly from: number },
  { columns, pads }: Named,
  stated: Stated,
): TableReading['options'] {
  const line = (rows[at]?.number ?? 1) - 1;
  const cells = rows[at]?.cells ?? [];
  const padding = pads ? ({ ragged: 'pad' } as const) : {};
  const isRenamed = columns.some((name, column) => name !== '' && name !== cells[column]?.trim());
  if (hasHeader && stated.header === undefined && isRenamed) {
    // Rows that describe the columns aren't found below a stated header.
    const skipLines = (rows[from]?.number ?? line + 2) - 1;
    return { header: columns, skipLines, ...padding };
  }
  return {
    ...(hasHeader || stated.header !== undefined ? {} : { header: false }),
    ...(at === 0 ? {} : { skipLines: line }),
    ...padding,
  };
}

interface Start {
  readonly at: number;
  readonly hasHeader: boolean;
  readonly questions: readonly string[];
}

function findTableStart(rows: readonly TableRow[], stated: Stated, unit: Unit): Start {
  const { header, skipLines } = stated;
  if (header !== undefined) return { at: 0, hasHeader: header === true, questions: [] };
  const ofRejects = rows.slice(0, MAX_BEFORE + 1).findIndex(({ cells }) => lastAreOfRejects(cells));
  if (ofRejects >= 0) return { at: ofRejects, hasHeader: true, questions: [] };
  const at = skipLines === undefined ? firstTableRow(rows) : 0;
  const { alike, unlike } = likeness(rows, at);
  const hasHeader = isNumbering(rows[at]) || alike < MIN_ALIKE || unlike > alike * MAX_UNLIKE;
  const isDoubtful = hasHeader ? alike >= 1 && alike > unlike : alike < CERTAINLY_ALIKE;
  return {
    at,
    hasHeader,
    questions: isDoubtful ? [bothReadings(rows.slice(at), hasHeader, unit)] : [],
  };
}

/** Returns whether cells count from 0 or 1, as pandas names columns without names. */
function isNumbering(row: TableRow | undefined): boolean {
  const cells = (row?.cells ?? []).map((cell) => cell.trim());
  const names = cells[0] === '' ? cells.slice(1) : cells;
  const first = Number(names[0]);
  const isNext = (name: string, at: number): boolean => name === String(first + at);
  return names.length > 1 && (first === 0 || first === 1) && names.every(isNext);
}

/** Evidence for a record: two cells that only values have, or one and a long text. */
const MIN_ALIKE = 1.5;
const CERTAINLY_ALIKE = 2.5;
/** Largest ratio of evidence against a record to evidence for it. */
const MAX_UNLIKE = 0.15;
/** Lines before a header. */
const MAX_BEFORE = 25;
/** Share of the usual number of filled cells that a row of the table has. */
const MIN_FILLED = 0.6;

/**
 * Index of the table's first row: the first that is as wide and about as full as most, or the one
 * before if that is a header of another length.
 */
function firstTableRow(rows: readonly TableRow[]): number {
  const usual = usualWidth(rows);
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
  const damaged = headerOfDamaged(rows.slice(0, at + 1), usual);
  if (damaged >= 0) return damaged;
  const isAsWide = before.cells.length === usual;
  const isWideEnough = filled(before) >= (isAsWide ? usual - 1 : (usual + 1) / 2);
  const namesColumns = isWideEnough && !rows[at]?.afterBlank && before.cells.every(isName);
  const { alike, unlike } = likeness(rows, at);
  return namesColumns && unlike <= alike ? at - 1 : at;
}

/**
 * Index of the header above records as wide as itself, where most records have another width, for
 * example because their texts aren't quoted; -1 if there is none.
 * @param rows up to the first of the usual width
 */
function headerOfDamaged(rows: readonly TableRow[], usual: number): number {
  const hasValue = ({ cells }: TableRow): boolean => !cells.every(isName);
  return rows.slice(0, -2).findIndex((row, at) => {
    const isHeader =
      row.cells.length > usual / 2 && row.cells.every((cell) => cell && isName(cell));
    const below = rows.slice(at + 1);
    const areAsWide = below.slice(0, -1).every(({ cells }) => cells.length === row.cells.length);
    return isHeader && areAsWide && below.every(hasValue);
  });
}

function noHeader(columns: number, unit: Unit): string {
  return `its first ${unit} looks like a record, so its columns are called 1 to ${columns}; if it names the columns, set header: true`;
}

/** Asks whether a row is the header, with the first record in both readings. */
function bothReadings(
  [first, second]: readonly TableRow[],
  hasHeader: boolean,
  unit: Unit,
): string {
  const [cells = [], below = []] = [first?.cells, second?.cells];
  const numbers = cells.map((_, column) => String(column + 1));
  const [as, other] = hasHeader ? ['the header', 'a record'] : ['a record', 'the header'];
  return `${unit} ${first?.number} is taken for ${as}, but may be ${other}. As the header, the first record is ${firstRecord(cells, below)}; as a record, it is ${firstRecord(numbers, cells)}. Set header: ${String(hasHeader)} if that is right, otherwise header: ${String(!hasHeader)}`;
}

/**
 * Index of the first row behind the table: after the only blank line, or the header of another
 * table.
 */
function tableEnd(rows: readonly TableRow[], from: number, width: number): number | undefined {
  if (width < 2) return undefined;
  const first = columnType(filledCells(rows.slice(from), 0));
  const beginsAlike = ({ cells: [cell = ''] }: TableRow): boolean =>
    first === undefined || cellType(cell.trim()) === first;
  const isFull = (row: TableRow): boolean => filled(row) >= MIN_FILLED * width;
  const isRecord = (row: TableRow): boolean =>
    filled(row) > 1 &&
    ((row.cells.length >= width && isFull(row)) ||
      (row.cells.length === width && beginsAlike(row)));
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
    return row.cells.length < width && isOtherHeader(rest.slice(at));
  });
  return end < 0 ? undefined : last + 1 + end;
}

function repeatNotices(
  rows: readonly TableRow[],
  header: number | undefined,
  names: readonly string[],
  unit: Unit,
): readonly string[] {
  if (header === undefined || names.length < 2) return [];
  const isRepeated = ({ cells }: TableRow): boolean =>
    cells.length === names.length && cells.every((cell, at) => cell.trim() === names[at]);
  const [first, ...others] = rows.slice(header + 1).filter(isRepeated);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${others.length} times more in its start`;
  return [
    `its header is repeated on ${unit} ${first.number}${more}, as exports joined into one do; such ${unit}s are skipped`,
  ];
}

/** Share of uneven rows (invalid records) from which their common cause is named. */
const MIN_UNEVEN_SHARE = 0.05;

interface Uneven {
  readonly lacking?: TableReading['lacking'];
  readonly notices: readonly string[];
}

/** @param whole whether the rows are all of the source */
function unevenRows(
  all: readonly TableRow[],
  width: number,
  { ragged }: Stated,
  whole: boolean,
): Uneven {
  const records = all.filter(({ isBroken }) => !isBroken);
  const short = records.filter(({ cells }) => cells.length < width);
  const long = records.filter(({ cells }) => cells.length > width);
  const uneven = short.length + long.length;
  if (uneven === 0 || width < 2 || ragged !== undefined) return { notices: [] };
  const least = width - Math.max(1, Math.floor(width / 4));
  const number = `${uneven} of ${whole ? '' : 'the first '}${records.length} records`;
  if (long.length === 0 && short.every(({ cells }) => cells.length >= least)) {
    const found = `${number} lack their last fields`;
    const notice = `${found} and are invalid; if those are empty, set \`ragged: pad\` under input`;
    return { lacking: { found, notice }, notices: [notice] };
  }
  const isEmpty = (cell: string): boolean => cell.trim() === '';
  if (short.length === 0 && long.every(({ cells }) => cells.slice(width).every(isEmpty))) {
    const surplus = `${number} have empty fields after the last column and are invalid`;
    return { notices: [`${surplus}; set \`ragged: pad\` under input to ignore them`] };
  }
  if (uneven < Math.max(2, MIN_UNEVEN_SHARE * records.length)) return { notices: [] };
  const again = 'export it again with quotes around texts';
  if (records.every(({ cells }) => cells.length === long[0]?.cells.length)) {
    const names = `${number} have ${usualWidth(long)} fields where the header has ${width} names, and are invalid`;
    const cause = "it lacks a name, or a field contains the delimiter and isn't quoted";
    return { notices: [`${names}: ${cause}; name all columns under header, or ${again}`] };
  }
  const cause =
    long.length > short.length
      ? "have too many fields and are invalid, as their texts contain the delimiter and aren't quoted"
      : "don't have as many fields as the header and are invalid";
  return { notices: [`${number} ${cause}; ${again}`] };
}

const DESCRIBING = 'with descriptions of the columns';

function skippedNotice(rows: readonly TableRow[], where: string, unit: Unit): string {
  const [first] = rows;
  const shown = rows.find((row) => filled(row) > 0);
  const texts = (shown?.cells ?? []).filter((cell) => cell.trim() !== '').join(', ');
  const lines =
    rows.length === 1
      ? `${unit} ${first?.number}`
      : `${rows.length} ${unit}s from ${unit} ${first?.number} on`;
  const table = isOtherHeader(rows) ? '; a second table needs a file of its own' : '';
  return `skipped ${lines} ${where} (${JSON.stringify(texts.slice(0, 60))})${table}`;
}
