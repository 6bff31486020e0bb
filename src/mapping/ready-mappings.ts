import { MappingError } from '../errors.js';
import { didYouMean } from './nearest-name.js';
import { READY_MAPPINGS, type ReadyMapping } from './ready-layouts.js';

export { READY_MAPPINGS, type ReadyMapping };

/**
 * The ready-made mapping for a layout: of a table, whose header must be exactly the mapping's; of
 * objects, which must have all keys that the mapping's layout always has.
 * @param columns the header; of objects, keys or paths such as `user.name`
 * @param records `table` (CSV) by default
 */
export function findReadyMapping(
  columns: readonly string[],
  records: 'table' | 'objects' = 'table',
): ReadyMapping | undefined {
  if (records === 'table') {
    return READY_MAPPINGS.find(
      (ready) => ready.format === 'csv' && isSameHeader(ready.columns, columns),
    );
  }
  const keys = new Set(columns.map((column) => column.replace(/[.[].*$/su, '')));
  const [largest] = READY_MAPPINGS.filter(
    (ready) => ready.format !== 'csv' && ready.columns.every((key) => keys.has(key)),
  ).toSorted((a, b) => b.columns.length - a.columns.length);
  return largest;
}

/**
 * A ready-made mapping by its name.
 * @throws MappingError that names the nearest one
 */
export function readyMapping(name: string): ReadyMapping {
  const ready = READY_MAPPINGS.find((one) => one.name === name);
  if (ready !== undefined) return ready;
  const names = READY_MAPPINGS.map((one) => one.name);
  throw new MappingError(
    `there is no ready-made mapping ${JSON.stringify(name)}${didYouMean(name, names)}; docferry mapping list names them all`,
  );
}

function isSameHeader(expected: readonly string[], found: readonly string[]): boolean {
  return expected.length === found.length && expected.every((name, at) => name === found[at]);
}
