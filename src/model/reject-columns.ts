import type { Dialect, Layout } from './chunk.js';
import { SourceError } from './errors.js';
import type { RejectRef } from './record.js';

/**
 * Columns that docferry appends to rejects of tables, in this order. They are recognised when the
 * file is imported again: mappings don't see them, and they identify the fixed records.
 */
export const REJECT_COLUMNS: readonly string[] = [
  'docferry_outcome',
  'docferry_problems',
  'docferry_origin',
];

/**
 * Returns whether a header ends in these columns.
 * @throws SourceError if it has all of them, but not at its end
 */
export function endsInRejectColumns(name: string, header: readonly string[]): boolean {
  const hasAll = REJECT_COLUMNS.every((column) => header.includes(column));
  if (!hasAll || header.length === REJECT_COLUMNS.length) return false;
  if (lastAreOfRejects(header)) return true;
  throw new SourceError(
    `${name} has the columns ${REJECT_COLUMNS.join(', ')} of rejects, but not at the end. Move them there, in this order, or remove all three.`,
  );
}

/** These columns in a header, with the delimiter between the first two. */
const IN_HEADER = /docferry_outcome(["']?)(.{1,4}?)\1docferry_problems\1\2\1docferry_origin/;

/** Finds the delimiter between these columns in the start of a text, in any encoding. */
export function rejectsDelimiter(start: Uint8Array): string | undefined {
  const text = Buffer.from(start).toString('latin1').replaceAll('\0', '');
  return IN_HEADER.exec(text)?.[2];
}

/** Returns whether a row's last cells are the names of these columns. */
export function lastAreOfRejects(cells: readonly string[]): boolean {
  const last = cells.slice(-REJECT_COLUMNS.length);
  return REJECT_COLUMNS.every((column, at) => column === last[at]?.trim());
}

export function fieldCount({ columns = [], header }: Layout): number {
  return columns.length + (header === 'rejects' ? REJECT_COLUMNS.length : 0);
}

/** Formats a reference: `20260131-093000-ab12cd:1:12` is record 12 of the run's first input. */
export function rejectRefText({ run, input, record }: RejectRef): string {
  return `${run}:${input + 1}:${record}`;
}

const ORIGIN = /^([\w-]+):([1-9]\d{0,8}):([1-9]\d{0,14})$/;

/**
 * Parses a field of references, one for each run that rejected the record; malformed ones are ignored.
 */
export function rejectRefsIn(text: string): readonly RejectRef[] {
  return text.split(' ').flatMap((part) => {
    const [, run, input, record] = ORIGIN.exec(part) ?? [];
    return run === undefined ? [] : [{ run, input: Number(input) - 1, record: Number(record) }];
  });
}

/**
 * Matches what a spreadsheet reads as a formula, in full width, too, after any apostrophes that
 * prevent that.
 */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** Returns whether a field begins like a formula, leading apostrophes ignored. */
export function couldBeFormula(field: string): boolean {
  return FORMULA.test(field);
}

/**
 * Returns whether formulas get an apostrophe; not in a dialect that gives apostrophes another
 * meaning.
 */
export function escapesFormulas({ delimiter, quote, escape: mark, comment }: Dialect): boolean {
  return ![delimiter, quote, mark, comment].some((sign) => sign?.includes("'"));
}

/** Prefixes a field with an apostrophe if a spreadsheet could read it as a formula. */
export function withApostrophe(field: string): string {
  return couldBeFormula(field) ? `'${field}` : field;
}

/** Formats the header's cells for rejects; those of earlier rejects have their apostrophes. */
export function namesWithApostrophes(cells: readonly string[]): readonly string[] {
  const isOfRejects = lastAreOfRejects(cells);
  return cells.map((cell) => (isOfRejects && cell.startsWith("'") ? cell : withApostrophe(cell)));
}

export function withoutApostrophe(field: string): string {
  return field.startsWith("'") && couldBeFormula(field) ? field.slice(1) : field;
}
