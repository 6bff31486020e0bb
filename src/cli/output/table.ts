import { cut, displayWidth, paint, type Terminal, type Tone } from '../../model/terminal.js';
import { printable } from '../../model/text.js';

export interface TableColumn<R> {
  readonly title: string;
  cell(record: R): string | number | null | undefined;
  tone?(record: R): Tone | undefined;
  readonly align?: 'right';
  /**
   * Maximum width in terminal columns. A column with one may be made narrower; the last column of
   * the table takes the remaining width.
   */
  readonly maxWidth?: number;
  /** Left out of terminals that are too narrow for all, the highest first. */
  readonly optional?: number;
}

const GAP = '  ';
/** Minimum width of columns that are cut, and of the last one, which has the texts. */
const MIN_WIDTH = 8;
const MIN_LAST_WIDTH = 20;

/** Formats a table; without records, an empty text. */
export function tableText<R>(
  records: readonly R[],
  columns: readonly TableColumn<R>[],
  terminal: Terminal,
): string {
  if (records.length === 0) return '';
  const placed = placeColumns(columns, records, terminal.width);
  return headerOf(placed, terminal) + tableLines(placed, records, terminal);
}

interface PlacedColumn<R> {
  readonly column: TableColumn<R>;
  /** In terminal columns; `Infinity` for a last column of text without a limit. */
  readonly width: number;
}

/** Chooses columns and their widths so that lines fit the terminal. */
function placeColumns<R>(
  columns: readonly TableColumn<R>[],
  records: readonly R[],
  terminal: number,
): readonly PlacedColumn<R>[] {
  let placed = columns.map((column) => ({
    column,
    width: naturalWidth(column, records, terminal),
  }));
  while (leastWidth(placed) > terminal) {
    const rank = Math.max(...placed.map(({ column }) => column.optional ?? 0));
    if (rank === 0) break;
    placed = placed.filter(({ column }) => column.optional !== rank);
  }
  const last = placed.at(-1);
  if (last === undefined || last.column.align === 'right') return placed;
  const least = Math.min(last.width, MIN_LAST_WIDTH);
  const others = narrowed(placed.slice(0, -1), terminal - least - GAP.length);
  return [...others, { ...last, width: Math.max(1, terminal - totalWidth(others) - GAP.length) }];
}

function naturalWidth<R>(column: TableColumn<R>, records: readonly R[], terminal: number): number {
  const cells = records.map((record) => cellText(column, record, column.maxWidth ?? terminal));
  return Math.max(...[column.title, ...cells].map(displayWidth));
}

function totalWidth(placed: readonly { readonly width: number }[]): number {
  return placed.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);
}

function leastWidth<R>(placed: readonly PlacedColumn<R>[]): number {
  return totalWidth(
    placed.map(({ column, width }, at) => {
      if (column.align === 'right') return { width };
      if (at === placed.length - 1) return { width: Math.min(width, MIN_LAST_WIDTH) };
      return { width: column.maxWidth === undefined ? width : Math.min(width, MIN_WIDTH) };
    }),
  );
}

/** Takes width from the widest column that may be cut until all fit. */
function narrowed<R>(placed: readonly PlacedColumn<R>[], room: number): readonly PlacedColumn<R>[] {
  let current = placed;
  while (totalWidth(current) > room) {
    const widest = current
      .filter(({ column, width }) => column.maxWidth !== undefined && width > MIN_WIDTH)
      .reduce<PlacedColumn<R> | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined);
    if (widest === undefined) break;
    current = current.map((one) => (one === widest ? { ...one, width: one.width - 1 } : one));
  }
  return current;
}

function headerOf<R>(placed: readonly PlacedColumn<R>[], terminal: Terminal): string {
  const cells = placed.map(({ column, width }) => pad(cut(column.title, width), width, column));
  return `${paint(cells.join(GAP).trimEnd(), 'dim', terminal)}\n`;
}

function tableLines<R>(
  placed: readonly PlacedColumn<R>[],
  records: readonly R[],
  terminal: Terminal,
): string {
  return records.map((record) => `${tableLine(placed, record, terminal)}\n`).join('');
}

function tableLine<R>(placed: readonly PlacedColumn<R>[], record: R, terminal: Terminal): string {
  const cells = placed.map(({ column, width }, at) => {
    const isLast = at === placed.length - 1 && column.align !== 'right';
    const text = cellText(column, record, width);
    const padded = isLast ? text : pad(text, width, column);
    const tone = column.tone?.(record);
    return tone === undefined ? padded : paint(padded, tone, terminal);
  });
  return cells.join(GAP).trimEnd();
}

function cellText<R>({ cell }: TableColumn<R>, record: R, width: number): string {
  return cut(oneLine(String(cell(record) ?? '')), width);
}

/** Formats a text on one line, with white space collapsed and control characters escaped. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}

function pad(line: string, columns: number, { align }: Pick<TableColumn<never>, 'align'>): string {
  const width = displayWidth(line);
  if (!Number.isFinite(columns) || width >= columns) return line;
  const space = ' '.repeat(columns - width);
  return align === 'right' ? space + line : line + space;
}
