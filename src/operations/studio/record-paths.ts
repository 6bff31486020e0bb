/** Names that a mapping may use for a file: paths in its records, and its lists of records. */
import { findLists } from '../../formats/look-into.js';
import type { SourceOptions } from '../../formats/options.js';
import { EACH, type PathStep, showPath } from '../../model/json-path.js';
import { isObject } from '../../model/record.js';
import { type SourceSample, sampledRows } from './sample-source.js';

const MAX_RECORDS = 100;
const MAX_PATHS = 300;
const MAX_DEPTH = 6;

/** Lists the columns of a table, or the paths to values in the first objects. */
export async function columnNames(sample: SourceSample): Promise<readonly string[]> {
  const { columns } = sample.source.layout;
  if (columns !== undefined) return columns;
  const paths = new Set<string>();
  for (const { record } of await sampledRows(sample, MAX_RECORDS)) {
    for (const [key, value] of Object.entries(record ?? {})) {
      // A key at the top is found by its own spelling.
      if (isObject(value) || Array.isArray(value)) addPaths(value, [key], paths);
      else paths.add(key);
    }
  }
  return [...paths].slice(0, MAX_PATHS);
}

function addPaths(value: unknown, path: readonly PathStep[], paths: Set<string>): void {
  if (path.length > MAX_DEPTH) return;
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) addPaths(inner, [...path, key], paths);
  } else if (Array.isArray(value) && value.some(isObject)) {
    for (const one of value) addPaths(one, [...path, EACH], paths);
  } else paths.add(showPath(path));
}

/** Lists what the option `records` can be set to; none if the file can't be read. */
export async function recordLists(
  file: string,
  { records: _, ...options }: SourceOptions,
): Promise<readonly string[]> {
  return await findLists([file], options).catch(() => []);
}
