/** What keeps a mapping from being used for one source, or one run. */
import { didYouMean } from '../../model/names.js';
import { pathText } from '../../validation/explain-errors.js';
import type { Mapping } from '../mapping.js';
import { relativeDates } from '../rules/relative-dates.js';
import { type ColumnPlace, columnPlaces } from '../rules/walk-rules.js';
import type { Mistake } from './mistake.js';

/** A column that a source lacks or has twice, with every place where the mapping names it. */
export interface ColumnMistake {
  readonly message: string;
  readonly places: readonly ColumnPlace[];
}

/** What is wrong with the columns that a mapping names, one after another as it names them. */
export function columnMistakes(
  mapping: Pick<Mapping, 'document' | 'skip'>,
  columns: readonly string[],
): readonly ColumnMistake[] {
  const byColumn = new Map<string, ColumnPlace[]>();
  for (const place of columnPlaces(mapping)) {
    const places = byColumn.get(place.column);
    if (places === undefined) byColumn.set(place.column, [place]);
    else places.push(place);
  }
  return [...byColumn].flatMap(([column, places]) => {
    const mistake = columnMistake(column, columns);
    if (mistake === undefined) return [];
    const rules = [...new Set(places.map(({ rule }) => pathText(rule)))].join(', ');
    return [{ message: `${rules}: ${mistake}`, places }];
  });
}

function columnMistake(column: string, columns: readonly string[]): string | undefined {
  const name = JSON.stringify(column);
  const first = columns.indexOf(column);
  if (first < 0) return `there is no column ${name}${didYouMean(column, columns)}`;
  if (columns.includes(column, first + 1)) {
    return `the header has two columns ${name}; under input, write header: and a list with a name of its own for each of the ${columns.length} columns, and skipLines: 1 to pass over the file's header (one more than now, if it is stated)`;
  }
  return undefined;
}

/** The rules that read relative dates, which count back from nothing. */
export function undatedMistakes(mapping: Mapping, asOf: string | undefined): readonly Mistake[] {
  if (asOf !== undefined || mapping.asOf !== undefined) return [];
  return relativeDates(mapping).map(({ path, place }) => ({
    path,
    message:
      `${place} reads relative dates, and nothing says what they count back from; ` +
      'write asOf: and the day of the export at the top of the mapping, or give --as-of',
  }));
}
