import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { didYouMean, MappingError } from '../model/errors.js';
import type { MappingLayout, WrittenMapping } from './mapping.js';

/** A mapping in `mappings/` and the export layout it is for. */
export interface ReadyMapping extends Pick<MappingLayout, 'export' | 'kind' | 'columns' | 'more'> {
  /** File name in `mappings/` without its extension. */
  readonly name: string;
  readonly format: 'csv' | 'jsonl' | 'json' | 'xml';
}

const FOLDER = new URL('../../mappings/', import.meta.url);

let mappings: readonly ReadyMapping[] | undefined;

export function readyMappings(): readonly ReadyMapping[] {
  mappings ??= readdirSync(FOLDER)
    .flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? [])
    .toSorted()
    .map(readLayout);
  return mappings;
}

function readLayout(name: string): ReadyMapping {
  const text = readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8');
  // Skip the rules, which come last and take most of the time to parse.
  const [head = ''] = text.split(/^document:/mu);
  const { input, layout } = parse(head) as WrittenMapping;
  const { export: title, kind, columns, more } = layout as MappingLayout;
  const format = input?.format as ReadyMapping['format'];
  return { name, format, export: title, kind, columns, ...(more === undefined ? {} : { more }) };
}

/**
 * Finds the ready-made mapping for a layout: the header of a table must be the mapping's; objects
 * must have all of its columns. The mapping with the most columns wins.
 * @param columns the header; for objects, keys or paths like `user.name`
 * @param records `table` (CSV) by default
 */
export function findReadyMapping(
  columns: readonly string[],
  records: 'table' | 'objects' = 'table',
): ReadyMapping | undefined {
  const fitting = readyMappings().filter((ready) => fitsLayout(ready, columns, records));
  return fitting.toSorted((a, b) => b.columns.length - a.columns.length)[0];
}

/** Returns whether a file with these columns has a mapping's layout; see {@link findReadyMapping}. */
export function fitsLayout(
  ready: ReadyMapping,
  columns: readonly string[],
  records: 'table' | 'objects',
): boolean {
  if ((ready.format === 'csv') !== (records === 'table')) return false;
  if (records === 'objects') return ready.columns.every((wanted) => hasPath(columns, wanted));
  if (ready.more) return isSubsequence(ready.columns, columns);
  return (
    ready.columns.length === columns.length &&
    ready.columns.every((name, at) => name === columns[at])
  );
}

/**
 * Reads the text of a ready-made mapping, without the reference to its schema, which holds only in
 * its own folder.
 * @throws MappingError that suggests the nearest name
 */
export async function readReadyMapping(name: string): Promise<string> {
  const names = readyMappings().map((ready) => ready.name);
  if (!names.includes(name)) {
    throw new MappingError(
      `There is no ready-made mapping ${JSON.stringify(name)}${didYouMean(name, names) || '.'} To list them all: \`docferry mapping list\``,
    );
  }
  const text = await readFile(new URL(`${name}.yaml`, FOLDER), 'utf8');
  return text.replace(/^# yaml-language-server:.*\n#?\n?/u, '');
}

/** Returns whether the paths have this one or a child of it: `user.name` implies `user`. */
function hasPath(paths: readonly string[], wanted: string): boolean {
  return paths.some(
    (path) =>
      path === wanted || (path.startsWith(wanted) && /^[.[]/u.test(path.slice(wanted.length))),
  );
}

/** Returns whether the header has all names in their order, perhaps with others in between. */
function isSubsequence(names: readonly string[], header: readonly string[]): boolean {
  let at = -1;
  return names.every((name) => {
    at = header.indexOf(name, at + 1);
    return at >= 0;
  });
}
