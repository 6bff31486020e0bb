/** Which ready-made mappings there are, and which of them is for a file's columns. */
import { MappingError } from '../model/errors.js';
import { didYouMean } from '../model/nearest-name.js';
import { ANSWERS } from './ready-answers.js';
import { CONFIRMED } from './ready-confirmed.js';
import type { ReadyMapping } from './ready-mapping.js';
import { TABLES } from './ready-tables.js';

export type { ReadyMapping };

/** In the order of their names. */
export const READY_MAPPINGS: readonly ReadyMapping[] = [
  ...CONFIRMED,
  ...TABLES,
  ...ANSWERS,
].toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * The ready-made mapping for a layout: of a table, whose header must be the mapping's; of objects,
 * which must have all that the mapping's layout is told by.
 * @param columns the header; of objects, keys or paths such as `user.name`
 * @param records `table` (CSV) by default
 */
export function findReadyMapping(
  columns: readonly string[],
  records: 'table' | 'objects' = 'table',
): ReadyMapping | undefined {
  const [largest] = READY_MAPPINGS.filter((ready) => fitsLayout(ready, columns, records)).toSorted(
    (a, b) => b.columns.length - a.columns.length,
  );
  return largest;
}

/** Whether a file with these columns has a mapping's layout; see {@link findReadyMapping}. */
export function fitsLayout(
  ready: ReadyMapping,
  columns: readonly string[],
  records: 'table' | 'objects',
): boolean {
  if ((ready.format === 'csv') !== (records === 'table')) return false;
  if (records === 'objects') return ready.columns.every((wanted) => hasPath(columns, wanted));
  if (ready.more) return isWithin(ready.columns, columns);
  return (
    ready.columns.length === columns.length &&
    ready.columns.every((name, at) => name === columns[at])
  );
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

/** The text of a ready-made mapping for another folder, from where its schema lies elsewhere. */
export function forAnyFolder(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n#?\n?/u, '');
}

/** Whether a path is there, or one that starts with it: `user` is where `user.name` is. */
function hasPath(paths: readonly string[], wanted: string): boolean {
  return paths.some(
    (path) =>
      path === wanted || (path.startsWith(wanted) && /^[.[]/u.test(path.slice(wanted.length))),
  );
}

/** Whether all names stand in the header, in their order, whatever stands between. */
function isWithin(names: readonly string[], header: readonly string[]): boolean {
  let at = -1;
  return names.every((name) => {
    at = header.indexOf(name, at + 1);
    return at >= 0;
  });
}
