/** Everything that is wrong with the text of a mapping, as data. */
import {
  didYouMean,
  MappingError,
  type MappingMistake,
  type PlaceInText,
} from '../../model/errors.js';
import { pathText } from '../../validation/explain-errors.js';
import type { Mapping } from '../mapping.js';
import { type ColumnPlace, columnPlaces, relativeDates } from '../rules.js';
import type { Mistake } from './find-mistakes.js';
import type { Locate } from './load-mapping.js';
import { inText, located, placeOf, type ReadMapping, readMapping, textOf } from './load-mapping.js';

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

/** A comment of a mapping's text, with the comment lines that continue it. */
export interface Todo extends PlaceInText {
  readonly text: string;
}

/** The comments of a mapping's text that start with TODO, each with the comment lines that go on. */
export function todosIn(mapping: string): readonly Todo[] {
  const todos: Todo[] = [];
  let open = false;
  let offset = 0;
  for (const [index, part] of mapping.split(/(\r\n|\n|\r)/u).entries()) {
    const start = offset;
    offset += part.length;
    // Every other part is the end of a line.
    if (index % 2 === 1) continue;
    const [, before = '', text = ''] = /^(.*?)(?:^|\s)#\s*(.*)$/u.exec(part) ?? [];
    const todo = /^TODO\b:?\s*(.*)$/u.exec(text)?.[1];
    const last = todos.at(-1);
    if (todo !== undefined) {
      const at = part.indexOf('#', before.length);
      todos.push({
        line: index / 2 + 1,
        column: at + 1,
        offset: start + at,
        end: offset,
        text: todo,
      });
      open = true;
    } else if (open && last !== undefined && before.trim() === '' && part.includes('#')) {
      todos[todos.length - 1] = { ...last, text: `${last.text} ${text}`, end: offset };
    } else open = false;
  }
  return todos;
}

/** A sentence for each TODO of a mapping that was read from a text. */
export function todoNotices(mapping: Mapping): readonly string[] {
  const { name, text } = textOf(mapping) ?? { name: '', text: '' };
  return todosIn(text).map(({ line, text: todo }) => `${name}:${line}: TODO: ${todo}`);
}

/** A column that a source lacks or has twice, with every place where the mapping names it. */
export interface ColumnMistake {
  readonly message: string;
  readonly places: readonly ColumnPlace[];
}

/** What is wrong with the columns that a mapping names, one after another as it names them. */
function columnMistakes(
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
  return relativeDates(mapping).map(({ path }) => ({
    path,
    message:
      `${pathText(path)} reads relative dates, and nothing says what they count back from; ` +
      'write asOf: and the day of the export at the top of the mapping, or give --as-of',
  }));
}

/** @throws MappingError that names every column that is missing or stands twice. */
export function checkColumns(mapping: Mapping, columns: readonly string[] | null): void {
  if (columns === null) return;
  const mistakes = columnMistakes(mapping, columns);
  if (mistakes.length === 0) return;
  const lines = mistakes.map(
    ({ message, places }) => `${placeOf(mapping, places[0]?.rule ?? [])}: ${message}`,
  );
  const known = columns.map((column) => JSON.stringify(column)).join(', ');
  const named = mistakes.flatMap(({ message, places }) =>
    places.map(({ path }) => ({ path, message })),
  );
  throw new MappingError(
    [...lines, `The source has the columns ${known}.`].join('\n'),
    inText(mapping, named),
  );
}
