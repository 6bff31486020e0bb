import stringWidth from 'string-width';
import { printable } from '../../report/printable.js';
import type { Batches } from './print-records.js';

/** A column of a table. */
export interface TableColumn<R> {
  readonly title: string;
  cell(record: R): string | number | null | undefined;
  /** Spaces before the text. */
  indent?(record: R): number;
  readonly align?: 'right';
  /** Whether to leave it out if the first batch has nothing to show in it. */
  readonly optional?: boolean;
  /** Most columns of the terminal; the table's last column always takes what is left. */
  readonly most?: number;
}

/** Between two columns. */
const GAP = '  ';
/** The last column has at least this, even if lines get too long for the terminal. */
const MIN_REST = 15;

/**
 * A table for people. The first batch settles its columns and how wide they are, so that later ones
 * can be written as they come; an empty table is no text at all.
 */
export async function* table<R>(
  batches: Batches<R>,
  columns: readonly TableColumn<R>[],
  terminal: number,
): AsyncGenerator<string> {
  let layout: Layout<R> | undefined;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    const shown = layout?.columns ?? columns.filter((column) => isShown(column, batch));
    const rows = batch.map((record) => shown.map((column) => cellText(column, record, terminal)));
    const lines = layout === undefined ? [shown.map(({ title }) => title), ...rows] : rows;
    layout ??= { columns: shown, widths: settle(shown, lines, terminal) };
    const { widths } = layout;
    yield lines.map((cells) => lineOf(shown, cells, widths)).join('');
  }
}

interface Layout<R> {
  readonly columns: readonly TableColumn<R>[];
  readonly widths: readonly number[];
}

function isShown<R>({ optional, cell }: TableColumn<R>, batch: readonly R[]): boolean {
  return !optional || batch.some((record) => (cell(record) ?? '') !== '');
}

function cellText<R>(column: TableColumn<R>, record: R, terminal: number): string {
  const { cell, indent, most = terminal } = column;
  const line = oneLine(String(cell(record) ?? ''));
  return ' '.repeat(indent?.(record) ?? 0) + shorten(line, most);
}

/** A last column of text is as wide as the terminal allows, for texts that are still to come. */
function settle<R>(
  columns: readonly TableColumn<R>[],
  lines: readonly (readonly string[])[],
  terminal: number,
): readonly number[] {
  const widest = columns.map((_, at) =>
    Math.max(...lines.map((cells) => widthOf(cells[at] ?? ''))),
  );
  const others = widest.slice(0, -1);
  const used = others.reduce((sum, width) => sum + width + GAP.length, 0);
  const rest = Math.max(MIN_REST, terminal - used);
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

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Code units; a family of four takes eleven, few graphemes take more. */
const LONGEST_GRAPHEME = 12;

/** A text on one line, safe to print: white space is one space, what would act is an escape. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}

/** Columns of a terminal that a line takes: wide characters take two. */
function widthOf(line: string): number {
  return stringWidth(line);
}

/** Shortens a line to a number of columns; what was cut shows as `…`. */
function shorten(line: string, columns: number): string {
  // Counting a long text to its end would take long, and its end is not shown.
  const start = line.slice(0, columns * LONGEST_GRAPHEME);
  if (start === line && widthOf(line) <= columns) return line;
  let kept = '';
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(start)) {
    const width = widthOf(segment);
    if (used + width > columns - 1) break;
    kept += segment;
    used += width;
  }
  return `${kept.trimEnd()}…`;
}

/** Fills a line up to a number of columns. */
function pad(line: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(line)));
  return align === 'right' ? space + line : line + space;
}
