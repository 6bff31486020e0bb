import stringWidth from 'string-width';
import { graphemesOf, printable } from '../../model/text.js';
import type { Batches } from './print-records.js';

export interface TableColumn<R> {
  readonly title: string;
  cell(record: R): string | number | null | undefined;
  indent?(record: R): number;
  readonly align?: 'right';
  /** Maximum width in terminal columns; the last column of the table takes the remaining width. */
  readonly maxWidth?: number;
}

const GAP = '  ';
/** Minimum width of the last column, even if lines exceed the terminal. */
const MIN_LAST_WIDTH = 15;

/**
 * Formats a table. The first batch determines the widths, so that later ones can be streamed.
 * Without records, there is no output at all.
 */
export async function* table<R>(
  batches: Batches<R>,
  columns: readonly TableColumn<R>[],
  terminal: number,
): AsyncGenerator<string> {
  let widths: readonly number[] | undefined;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    const rows = batch.map((record) => columns.map((column) => cellText(column, record, terminal)));
    const lines = widths === undefined ? [columns.map(({ title }) => title), ...rows] : rows;
    const fixed = widths ?? columnWidths(columns, lines, terminal);
    widths = fixed;
    yield lines.map((cells) => lineOf(columns, cells, fixed)).join('');
  }
}

function cellText<R>(column: TableColumn<R>, record: R, terminal: number): string {
  const { cell, indent, maxWidth = terminal } = column;
  const line = oneLine(String(cell(record) ?? ''));
  return ' '.repeat(indent?.(record) ?? 0) + shorten(line, maxWidth);
}

/**
 * Computes widths. A last column of text takes the rest of the terminal, because later texts may be
 * longer.
 */
function columnWidths<R>(
  columns: readonly TableColumn<R>[],
  lines: readonly (readonly string[])[],
  terminal: number,
): readonly number[] {
  const widest = columns.map((_, at) =>
    Math.max(...lines.map((cells) => widthOf(cells[at] ?? ''))),
  );
  const others = widest.slice(0, -1);
  const used = others.reduce((sum, width) => sum + width + GAP.length, 0);
  const rest = Math.max(MIN_LAST_WIDTH, terminal - used);
  return [...others, columns.at(-1)?.align === 'right' ? (widest.at(-1) ?? 0) : rest];
}

function lineOf<R>(
  columns: readonly TableColumn<R>[],
  cells: readonly string[],
  widths: readonly number[],
): string {
  const padded = columns.map(({ align }, at) => {
    const width = widths[at] ?? 0;
    const text = cells[at] ?? '';
    return pad(at === columns.length - 1 ? shorten(text, width) : text, width, align);
  });
  return `${padded.join(GAP).trimEnd()}\n`;
}

/**
 * Maximum UTF-16 code units of a grapheme; a family emoji takes eleven, few graphemes take more.
 */
const MAX_GRAPHEME_UNITS = 12;

/** Formats a text on one line, with white space collapsed and control characters escaped. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}

/** Returns the width of a line in terminal columns; wide characters take two. */
function widthOf(line: string): number {
  return stringWidth(line);
}

/** Shortens a line to a number of columns, ending in `…`. */
function shorten(line: string, columns: number): string {
  // Measuring a long text to its end would be slow, and its end isn't shown.
  const start = line.slice(0, columns * MAX_GRAPHEME_UNITS);
  if (start === line && widthOf(line) <= columns) return line;
  let result = '';
  let used = 0;
  for (const { segment } of graphemesOf(start)) {
    const width = widthOf(segment);
    if (used + width > columns - 1) break;
    result += segment;
    used += width;
  }
  return `${result.trimEnd()}…`;
}

function pad(line: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(line)));
  return align === 'right' ? space + line : line + space;
}
