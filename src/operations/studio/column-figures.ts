/** Figures of a sample's columns, to choose from. */
import { columnsOf } from '../../guess/columns.js';
import { shortened } from '../../guess/profile-column.js';
import { frequencies } from '../../guess/ranking.js';
import { rawColumn } from '../../mapping/compile/column.js';
import type { MappedSample } from './map-sample.js';
import type { ParsedSample } from './sample-source.js';

export interface ColumnFigures {
  /** Name of the column as a rule uses it, or a path like `user.name`. */
  readonly name: string;
  /** Share of the sampled records with a value, from 0 to 1. */
  readonly filled: number;
  /** Number of different values. */
  readonly distinct: number;
  /** The most frequent values, shortened. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
  /** The first value, shortened; empty if there is none. */
  readonly example: string;
}

const MAX_TOP = 5;

/** Lists the columns of a table, or the paths to values in objects. */
export function columnFigures({ parsed, source }: ParsedSample): readonly ColumnFigures[] {
  const { layout } = source;
  const records = parsed.flatMap(({ value, place }) =>
    value === undefined ? [] : [{ number: place.record, value }],
  );
  return columnsOf({ layout, records }, layout.header !== 'none').map(({ name, texts }) => {
    const filled = texts.filter((text) => text !== undefined);
    const values = frequencies(filled);
    return {
      name,
      filled: texts.length === 0 ? 0 : filled.length / texts.length,
      distinct: values.length,
      top: values.slice(0, MAX_TOP).map(([value, count]) => ({ value: shortened(value), count })),
      example: shortened(filled[0] ?? ''),
    };
  });
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
