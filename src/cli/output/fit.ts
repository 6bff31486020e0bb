import stringWidth from 'string-width';
import { printable } from '../../report/printable.js';

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Code units; a family of four takes eleven, few graphemes take more. */
const LONGEST_GRAPHEME = 12;

/** A text on one line, safe to print: white space is one space, what would act is an escape. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}

/** Columns of a terminal that a line takes: wide characters take two. */
export function widthOf(line: string): number {
  return stringWidth(line);
}

/** Shortens a line to a number of columns; what was cut shows as `…`. */
export function shorten(line: string, columns: number): string {
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
export function pad(line: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(line)));
  return align === 'right' ? space + line : line + space;
}
