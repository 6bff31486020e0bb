import type { Expectations } from '../mapping/mapping.js';
import type { FillsSummary } from './column-fill.js';
import { figuresOf, refersTo } from './coverage.js';
import type { SurveySummary } from './survey.js';

export interface SampleProfile {
  /** Records in the sample, and how many of them are invalid or skipped. */
  readonly records: number;
  readonly invalid: number;
  readonly skipped: number;
  /** Header of a table; `null` for objects. */
  readonly header: readonly string[] | null;
  readonly summary: SurveySummary;
}

const DAY_LETTERS = 10;

/**
 * Describes a good file, for the expectations in its mapping.
 * @param usedColumns the columns that the mapping names
 */
export function profileOf(sample: SampleProfile, usedColumns: readonly string[]): Expectations {
  const { records, invalid, skipped, header, summary } = sample;
  const length = figuresOf(summary.textLength);
  const { first, last } = summary.published;
  return {
    records,
    ...(header === null ? {} : { columns: header }),
    blank: Object.fromEntries(
      usedColumns.map((column) => [column, rounded(blankShare(column, summary.columns))]),
    ),
    invalid: rounded(share(invalid, records)),
    skipped: rounded(share(skipped, records)),
    metrics: Object.fromEntries(
      summary.metrics.map(([name, { least, most }]) => [name, [least, most] as const]),
    ),
    ...(first === ''
      ? {}
      : { published: [first.slice(0, DAY_LETTERS), last.slice(0, DAY_LETTERS)] as const }),
    languages: Object.fromEntries(
      [...languageShares(summary)].map(([language, part]) => [language, rounded(part)]),
    ),
    ...(length === null ? {} : { textLength: Math.round(length.quantiles.p50) }),
  };
}

/** Share of records without a value in a column; 1 if no record has the column. */
export function blankShare(column: string, { records, filled }: FillsSummary): number {
  const exact = filled.find(([name]) => name === column);
  const matching =
    exact === undefined ? filled.filter(([name]) => refersTo(column, name)) : [exact];
  const most = Math.max(0, ...matching.map(([, count]) => count));
  return records === 0 ? 0 : 1 - most / records;
}

/** Share of each language among documents with a language, the most frequent first. */
export function languageShares({ languages }: SurveySummary): ReadonlyMap<string, number> {
  const known = languages.counts.reduce((sum, [, count]) => sum + count, languages.other);
  const sorted = languages.counts.toSorted(([, a], [, b]) => b - a);
  return new Map(sorted.map(([language, count]) => [language, share(count, known)]));
}

/** Returns 0 if `whole` is 0. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function rounded(part: number): number {
  return Math.round(part * 1000) / 1000;
}
