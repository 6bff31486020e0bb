import type { Dialect, Layout } from './chunk.js';
import { SourceError } from './errors.js';
import type { Origin } from './record.js';

/**
 * The columns that docferry appends to records of tables it gives back, in this order. A table that
 * ends in them is recognised when it is imported: no mapping sees them, and they tell which records
 * are fixed.
 */
export const REJECT_COLUMNS: readonly string[] = [
  'docferry_outcome',
  'docferry_problems',
  'docferry_origin',
];

/**
 * Whether a header ends in the columns of rejects.
 * @throws SourceError if it has all of them, but not there
 */
export function endsInRejectColumns(name: string, header: readonly string[]): boolean {
  const hasAll = REJECT_COLUMNS.every((column) => header.includes(column));
  if (!hasAll || header.length === REJECT_COLUMNS.length) return false;
  const last = header.slice(-REJECT_COLUMNS.length);
  if (last.every((column, at) => column === REJECT_COLUMNS[at])) return true;
  throw new SourceError(
    `${name} has the columns ${REJECT_COLUMNS.join(', ')} of rejects, but not as its last: move them there, in this order, or remove all three.`,
  );
}

/** How many fields a record has to have. */
export function fieldCount({ columns = [], header }: Layout): number {
  return columns.length + (header === 'rejects' ? REJECT_COLUMNS.length : 0);
}

/** `20260131-093000-ab12cd:1:12`: the run, its first input, that input's record 12. */
export function originText({ run, input, record }: Origin): string {
  return `${run}:${input + 1}:${record}`;
}

const ORIGIN = /^([\w-]+):([1-9]\d{0,8}):([1-9]\d{0,14})$/;

/** What a field of origins names: one for each run that gave the record back; others are left out. */
export function originsIn(text: string): readonly Origin[] {
  return text.split(' ').flatMap((part) => {
    const [, run, input, record] = ORIGIN.exec(part) ?? [];
    return run === undefined ? [] : [{ run, input: Number(input) - 1, record: Number(record) }];
  });
}

/** What a spreadsheet takes for a formula, behind any apostrophes that keep it from doing so. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Whether a field begins as a formula does, or would without its apostrophes. */
export function couldBeFormula(field: string): boolean {
  return FORMULA.test(field);
}

/** Whether formulas get an apostrophe: not where an apostrophe means something else. */
export function escapesFormulas({ delimiter, quote, escape: mark, comment }: Dialect): boolean {
  return ![delimiter, quote, mark, comment].some((sign) => sign?.includes("'"));
}

/** A field with an apostrophe before it, if a spreadsheet could take it for a formula. */
export function withApostrophe(field: string): string {
  return couldBeFormula(field) ? `'${field}` : field;
}

/** A field of rejects without the apostrophe that it got there. */
export function withoutApostrophe(field: string): string {
  return field.startsWith("'") && couldBeFormula(field) ? field.slice(1) : field;
}
