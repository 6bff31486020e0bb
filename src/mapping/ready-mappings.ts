/** The mappings that come with docferry, and which of them is for a file's columns. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { didYouMean, MappingError } from '../model/errors.js';
import type { MappingLayout, WrittenMapping } from './mapping.js';

/** A mapping in `mappings/`, and the layout of exports that it was written for. */
export interface ReadyMapping extends Pick<MappingLayout, 'export' | 'columns' | 'more'> {
  /** Of the file in `mappings/`, without its ending. */
  readonly name: string;
  readonly format: 'csv' | 'jsonl' | 'json';
}

const FOLDER = new URL('../../mappings/', import.meta.url);

let mappings: readonly ReadyMapping[] | undefined;

/** All of them, in the order of their names. */
export function readyMappings(): readonly ReadyMapping[] {
  mappings ??= readdirSync(FOLDER)
    .flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? [])
    .toSorted()
    .map(readLayout);
  return mappings;
}

function readLayout(name: string): ReadyMapping {
  const text = readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8');
  // The rules, which come last, would take most of the time.
  const [head = ''] = text.split(/^document:/mu);
  const { input, layout } = parse(head) as WrittenMapping;
  const { export: title, columns, more } = layout as MappingLayout;
  const format = input?.format as ReadyMapping['format'];
  return { name, format, export: title, columns, ...(more === undefined ? {} : { more }) };
}

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
  const fitting = readyMappings().filter((ready) => fitsLayout(ready, columns, records));
  return fitting.toSorted((a, b) => b.columns.length - a.columns.length)[0];
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
 * The text of a ready-made mapping, for any folder: its schema lies elsewhere from there.
 * @throws MappingError that names the nearest one
 */
export async function readReadyMapping(name: string): Promise<string> {
  const names = readyMappings().map((ready) => ready.name);
  if (!names.includes(name)) {
    throw new MappingError(
      `there is no ready-made mapping ${JSON.stringify(name)}${didYouMean(name, names)}; docferry mapping list names them all`,
    );
  }
  const text = await readFile(new URL(`${name}.yaml`, FOLDER), 'utf8');
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
