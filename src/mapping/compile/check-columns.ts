/** Whether a source has the columns that a mapping names. */
import { MappingError } from '../../model/errors.js';
import { didYouMean } from '../../model/names.js';
import { pathText } from '../../validation/explain-errors.js';
import { placeOf } from '../load/written-places.js';
import type { Mapping } from '../mapping.js';
import { columnUses } from '../rules/walk-rules.js';

/** @throws MappingError that names every column that is missing or stands twice. */
export function checkColumns(mapping: Mapping, columns: readonly string[] | null): void {
  if (columns === null) return;
  const mistakes: string[] = [];
  for (const [column, paths] of columnUses(mapping)) {
    const mistake = columnMistake(column, columns);
    if (mistake !== undefined) {
      const rules = paths.map(pathText).join(', ');
      mistakes.push(`${placeOf(mapping, paths[0] ?? [])}: ${rules}: ${mistake}`);
    }
  }
  if (mistakes.length === 0) return;
  const known = columns.map((column) => JSON.stringify(column)).join(', ');
  throw new MappingError([...mistakes, `The source has the columns ${known}.`].join('\n'));
}

function columnMistake(column: string, columns: readonly string[]): string | undefined {
  const name = JSON.stringify(column);
  const first = columns.indexOf(column);
  if (first < 0) return `there is no column ${name}${didYouMean(column, columns)}`;
  if (columns.includes(column, first + 1)) {
    return `the header has two columns ${name}; give each its own name with input.header`;
  }
  return undefined;
}
