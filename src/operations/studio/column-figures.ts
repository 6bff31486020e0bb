/** Figures of a sample's columns, to choose from. */
import { type Column, columnsOf } from '../../guess/columns.js';
import {
  type ColumnProfile,
  isDateColumn,
  profileColumn,
  shortened,
} from '../../guess/profile-column.js';
import { frequencies } from '../../guess/ranking.js';
import type { SampledRecord } from '../../guess/sample.js';
import { rawColumn } from '../../mapping/compile/column.js';
import type { MappedSample } from './map-sample.js';
import type { ParsedSample } from './sample-source.js';

export interface ColumnFigures {
  /** Name of the column as a rule uses it, or a path like `user.name`. */
  readonly name: string;
  readonly type: ColumnType;
  /** Share of the sampled records with a value, from 0 to 1. */
  readonly filled: number;
  /** Number of different values. */
  readonly distinct: number;
  /** The most frequent values, shortened. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
  /** Number of values in each of up to twelve equal ranges of numbers, days or lengths of texts. */
  readonly histogram: readonly number[] | null;
  /** The first value, shortened; empty if there is none. */
  readonly example: string;
}

export type ColumnType =
  | 'text'
  | 'date'
  | 'rating'
  | 'number'
  | 'boolean'
  | 'id'
  | 'list'
  | 'blank';

const MAX_TOP = 5;

/** Lists the columns of a table, or the paths to values in objects. */
export function columnFigures(sample: ParsedSample): readonly ColumnFigures[] {
  const records = readRecords(sample);
  const numbers = records.map(({ number }) => number);
  return columnsIn(sample, records).map((column) => {
    const profile = profileColumn(column, numbers);
    const type = typeOf(profile);
    return {
      name: profile.name,
      type,
      filled: profile.filledShare,
      distinct: profile.distinct,
      top: frequencies(profile.filled)
        .slice(0, MAX_TOP)
        .map(([value, count]) => ({ value: shortened(value), count })),
      histogram: histogramOf(profile, type),
      example: shortened(profile.filled[0] ?? ''),
    };
  });
}

/** Number of objects whose paths are listed. */
const MAX_RECORDS = 100;

/** Lists the names of columns that a rule can use. */
export function columnNames(sample: ParsedSample): readonly string[] {
  const { columns } = sample.source.layout;
  const records = readRecords(sample).slice(0, MAX_RECORDS);
  return columns ?? columnsIn(sample, records).map(({ name }) => name);
}

function readRecords({ parsed }: ParsedSample): readonly SampledRecord[] {
  return parsed.flatMap(({ value, place }) =>
    value === undefined ? [] : [{ number: place.record, value }],
  );
}

function columnsIn(
  { source: { layout, reading } }: ParsedSample,
  records: readonly SampledRecord[],
): readonly Column[] {
  return columnsOf({ layout, records, labels: reading?.labels ?? [] }, layout.header !== 'none');
}

/** Minimum share of values of a column's type. */
const MIN_SHARE = 0.9;

function typeOf(profile: ColumnProfile): ColumnType {
  const { filled, column, rating, numbers, booleans, codes, distinctShare } = profile;
  if (filled.length === 0) return 'blank';
  if (column.list) return 'list';
  if (isDateColumn(profile)) return 'date';
  if (booleans >= MIN_SHARE) return 'boolean';
  const highest = Math.max(0, ...(rating?.groups ?? []).map(({ most }) => most));
  if ((rating?.share ?? 0) >= MIN_SHARE && highest <= 10) return 'rating';
  if (codes >= MIN_SHARE && distinctShare >= MIN_SHARE) return 'id';
  return numbers >= MIN_SHARE ? 'number' : 'text';
}

const MAX_BINS = 12;

function histogramOf({ filled }: ColumnProfile, type: ColumnType): readonly number[] | null {
  if (type === 'blank' || type === 'boolean' || type === 'id' || type === 'list') return null;
  const figures = filled.map((text) => figureOf(text, type)).filter(Number.isFinite);
  const least = Math.min(...figures);
  const width = Math.max(...figures) - least;
  if (figures.length === 0 || width === 0) return null;
  const bins = new Array<number>(Math.min(MAX_BINS, new Set(figures).size)).fill(0);
  for (const figure of figures) {
    const bin = Math.min(bins.length - 1, Math.floor(((figure - least) / width) * bins.length));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}

function figureOf(text: string, type: ColumnType): number {
  if (type === 'text') return text.length;
  if (type === 'date') return Date.parse(text);
  return Number(/\d+(?:[.,]\d+)?/u.exec(text)?.[0].replace(',', '.'));
}

/** A value of a column; empty for records without one. */
export interface ColumnValue {
  readonly value: string;
  /** Number of records with it that the mapping doesn't leave out. */
  readonly records: number;
}

const MAX_VALUES = 500;

/** Lists the values that a condition on a column can leave out, the most frequent first. */
export function columnValues(mapped: MappedSample, column: string): readonly ColumnValue[] {
  const read = rawColumn(column, null);
  const values = mapped.records.flatMap((one) => {
    const { outcome, record } = mapped.shown(one);
    const found = outcome === 'skipped' || record === null ? [] : [read(record) ?? ''].flat();
    const texts = found.filter((value) => typeof value !== 'object').map(String);
    return [...new Set(texts.map((text) => text.trim()))];
  });
  return frequencies(values)
    .slice(0, MAX_VALUES)
    .map(([value, records]) => ({ value, records }));
}
