/** Everything that is wrong with the text of a mapping, as data. */
import type { MappingMistake, PlaceInText } from '../../model/errors.js';
import { columnMistakes, undatedMistakes } from '../check/run-mistakes.js';
import { type ReadMapping, readMapping } from './load-mapping.js';
import type { Locate } from './parse-yaml.js';
import { type Todo, todosIn } from './todos.js';
import { located } from './written-places.js';

type Path = MappingMistake['path'];

/** What is known of the run that a mapping is for. */
export interface CheckOptions {
  /** The source's header; `null` or left out: its records are objects, or it isn't known. */
  readonly columns?: readonly string[] | null;
  /** What the run states that relative dates count back from. */
  readonly asOf?: string;
}

/**
 * Finds what is wrong with a mapping's text, and its TODOs, in the order of the text. It never
 * throws; the sentences are those of {@link MappingError}. Columns are looked at once nothing else
 * is wrong.
 */
export function checkMapping(text: string, options: CheckOptions = {}): readonly MappingMistake[] {
  const read = readMapping(text, '');
  const mistakes =
    'mistakes' in read
      ? [...read.mistakes, ...todosIn(text).map((todo) => todoWarning(todo, []))]
      : warningsOf(read, text, options);
  return mistakes.toSorted((a, b) => a.offset - b.offset);
}

/** What can only be found in a mapping that can be read. */
function warningsOf(
  { written, mapping, locate }: ReadMapping,
  text: string,
  { columns, asOf }: CheckOptions,
): readonly MappingMistake[] {
  const missing = columns ? columnMistakes(mapping, columns) : [];
  const todos = todosIn(text);
  const keys =
    todos.length === 0 ? [] : keysIn(written, [], locate).toSorted((a, b) => a.offset - b.offset);
  return [
    ...missing.flatMap(({ message, places }) =>
      places.map(({ path }) => located({ path, message }, locate)),
    ),
    ...undatedMistakes(mapping, asOf).map(
      (mistake): MappingMistake => ({ ...located(mistake, locate), severity: 'warning' }),
    ),
    ...todos.map((todo) => todoWarning(todo, keys)),
  ];
}

/** A TODO stands behind what it is about, on the same line, or above it. */
function todoWarning({ text, ...place }: Todo, keys: readonly Key[]): MappingMistake {
  const about = keys.find(({ line, offset }) => line === place.line || offset > place.offset);
  return { message: `TODO: ${text}`, severity: 'warning', ...place, path: about?.path ?? [] };
}

/** A key or an entry of a list. */
interface Key extends PlaceInText {
  readonly path: Path;
}

/** All keys and entries of lists of what a mapping says, in the order of its text. */
function keysIn(value: unknown, path: Path, locate: Locate): readonly Key[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, isList ? Number(key) : key];
    const place = isList ? locate(at) : locate(path, key);
    return [{ ...place, path: at }, ...keysIn(inner, at, locate)];
  });
}
