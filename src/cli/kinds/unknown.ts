import type { Row } from '../output/batches.js';
import { flatten, isObject } from '../output/flatten.js';
import type { Kind } from '../output/kind.js';

/**
 * The rows of an answer whose shape the reference does not show: the answer itself if it is a list
 * of objects, or the one such list in it.
 */
export function rowsOf(answer: unknown): readonly Row[] | undefined {
  if (isRows(answer)) return answer;
  if (!isObject(answer)) return undefined;
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 && isRows(lists[0]) ? lists[0] : undefined;
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Columns for all fields that any of the rows has. */
export function kindOf(rows: readonly Row[]): Kind<Row> {
  const paths = [...new Set(rows.flatMap((row) => [...flatten(row).keys()]))];
  return {
    csv: paths,
    table: paths.map((path) => ({
      title: path,
      cell: (row) => flatten(row).get(path),
      ...(isFigure(rows.map((row) => row[path])) ? { align: 'right' as const } : {}),
    })),
  };
}

function isFigure(values: readonly unknown[]): boolean {
  const given = values.filter((value) => value !== undefined && value !== null);
  return given.length > 0 && given.every((value) => typeof value === 'number');
}
