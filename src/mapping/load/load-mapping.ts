import { basename } from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { MappingError, type MappingMistake, type PlaceInText } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import { columnMistakes, missingAsOfMistakes } from '../compile/compile-mapping.js';
import type { Mapping, WrittenMapping } from '../mapping.js';
import { type Locate, located, type Mistake, rememberText, type Todo, todosIn } from '../rules.js';
import { findMistakes } from './find-mistakes.js';

/**
 * Reads and checks a mapping file in YAML or JSON.
 *
 * @throws MappingError if it can't be read, or with all its mistakes
 */
export async function loadMapping(file: string): Promise<Mapping> {
  return parseMapping(await readMappingText(file), file);
}

/**
 * Reads the text of a mapping file.
 * @throws MappingError if it can't be read
 */
export function readMappingText(file: string): Promise<string> {
  return readSmallText(file, (reason, missing) => {
    if (!missing) return new MappingError(`the mapping file ${file} ${reason}`);
    return new MappingError(
      `there is no mapping file ${file}: check the path; docferry guess proposes a mapping for a file`,
    );
  });
}

/**
 * Parses and checks the text of a mapping; `name` is the file's name in messages.
 *
 * @throws MappingError with a line for each mistake: `name:line:column: …`
 */
export function parseMapping(text: string, name: string): Mapping {
  const read = readMapping(text, name);
  if (!('mistakes' in read)) return read.mapping;
  throw mappingErrorOf(name, read.mistakes);
}

export function mappingErrorOf(name: string, mistakes: readonly MappingMistake[]): MappingError {
  const lines = mistakes.map(
    ({ line, column, message }) => `${name}:${line}:${column}: ${message}`,
  );
  return new MappingError(lines.join('\n'), mistakes);
}

/** A valid mapping: as written, with defaults, and a lookup of places in its text. */
export interface ReadMapping {
  readonly written: WrittenMapping;
  readonly mapping: Mapping;
  readonly locate: Locate;
}

/** Reads a mapping from a text, or returns all its mistakes in the text's order. */
export function readMapping(text: string, name: string): ReadMapping | InvalidText {
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) return yaml;
  const { value, locate } = yaml;
  const mistakes = findMistakes(value).map((mistake) => located(mistake, locate));
  if (mistakes.length > 0) return { mistakes: mistakes.toSorted((a, b) => a.offset - b.offset) };
  const written = value as WrittenMapping;
  const mapping = withDefaults(written, name);
  rememberText(mapping, { name, text, locate });
  return { written, mapping, locate };
}

/**
 * Checks a mapping given as an object.
 *
 * @throws MappingError with a line for each mistake, which names its path in the object
 */
export function acceptMapping(value: unknown, name: string): Mapping {
  const mistakes = findMistakes(value);
  if (mistakes.length === 0) return withDefaults(value as WrittenMapping, name);
  throw new MappingError(mistakes.map(({ message }) => `${name}: ${message}`).join('\n'));
}

/** Fills in defaults, in a copy, because the program may change its object later. */
function withDefaults(written: WrittenMapping, name: string): Mapping {
  const copy = structuredClone(written);
  const { asOf, document, duplicates, expects, input = {}, skip = [], tests = [] } = copy;
  return {
    name: written.name ?? basename(name).replace(/(?:\.mapping)?\.(?:ya?ml|json)$/u, ''),
    input,
    profile: written.profile ?? 'complete',
    zone: written.zone ?? 'UTC',
    locale: written.locale ?? 'en',
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(asOf === undefined ? {} : { asOf }),
    document,
    skip,
    tests,
    ...(expects === undefined ? {} : { expects }),
  };
}

/** Facts about the run that the mapping is for. */
export interface CheckOptions {
  /** The source's header; `null` or absent if records are objects or it isn't known. */
  readonly columns?: readonly string[] | null;
  /** The run's `asOf`, which relative dates count back from. */
  readonly asOf?: string;
}

/**
 * Finds a mapping's mistakes and TODOs, in the text's order, with the same sentences as {@link
 * MappingError}. Columns are checked once there are no other mistakes. Never throws.
 */
export function checkMapping(text: string, options: CheckOptions = {}): readonly MappingMistake[] {
  const read = readMapping(text, '');
  const mistakes =
    'mistakes' in read
      ? [...read.mistakes, ...todosIn(text).map((todo) => todoWarning(todo, []))]
      : warningsOf(read, text, options);
  return mistakes.toSorted((a, b) => a.offset - b.offset);
}

/** Checks that need a valid mapping: columns, `asOf`, and the keys that TODOs belong to. */
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
    ...missingAsOfMistakes(mapping, asOf).map(
      (mistake): MappingMistake => ({ ...located(mistake, locate), severity: 'warning' }),
    ),
    ...todos.map((todo) => todoWarning(todo, keys)),
  ];
}

/** A TODO belongs to the key on its line, or else to the next key. */
function todoWarning({ text, ...place }: Todo, keys: readonly Key[]): MappingMistake {
  const about = keys.find(({ line, offset }) => line === place.line || offset > place.offset);
  return { message: `TODO: ${text}`, severity: 'warning', ...place, path: about?.path ?? [] };
}

/** A key or an entry of a list. */
interface Key extends PlaceInText {
  readonly path: Mistake['path'];
}

/** Lists all keys and list entries of a mapping, in the text's order. */
function keysIn(value: unknown, path: Mistake['path'], locate: Locate): readonly Key[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, isList ? Number(key) : key];
    const place = isList ? locate(at) : locate(path, key);
    return [{ ...place, path: at }, ...keysIn(inner, at, locate)];
  });
}

export interface ParsedYaml {
  readonly value: unknown;
  readonly locate: Locate;
}

export interface InvalidText {
  readonly mistakes: readonly MappingMistake[];
}

/** Parses YAML, or returns why it can't be parsed. */
export function parseYaml(text: string): ParsedYaml | InvalidText {
  const { document, errors, placed } = readYaml(text);
  const [first] = errors;
  if (first !== undefined) {
    // Later errors are mostly consequences of the first.
    const reported = INDEPENDENT_ERRORS.has(first.code)
      ? errors.filter(({ code }) => code === first.code)
      : [first];
    return unreadable(...reported.map((error) => ({ ...error.place, message: explain(error) })));
  }
  const whole = placed(0, text.length);
  if (document.contents === null) {
    return unreadable({ ...whole, message: 'it is empty; a mapping needs at least document:' });
  }
  const inside = childFinder();
  const locate: Locate = (path, key) => placed(...rangeOf(document, inside, path, key));
  try {
    return { value: document.toJS(), locate };
  } catch (error) {
    return unreadable({ ...whole, message: explainAliases(error as Error) });
  }
}

function unreadable(
  ...found: readonly (PlaceInText & { readonly message: string })[]
): InvalidText {
  return {
    mistakes: found.map(({ message, ...place }) => ({
      message,
      severity: 'error',
      ...place,
      path: [],
    })),
  };
}

function explainAliases({ message }: Error): string {
  return /^Excessive alias count/.test(message)
    ? 'its aliases (*name) expand to too much data; replace them with their values'
    : message;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key is a duplicate; each key may appear once',
  TAB_AS_INDENT: 'this line is indented with a tab; YAML needs spaces',
  NON_STRING_KEY: 'a key has to be text; put it in quotes',
  TAG_RESOLVE_FAILED: 'this tag (!…) is not supported; write the value without it',
  MULTIPLE_DOCS: 'a second document starts here; a mapping file may have only one',
};

/** Codes of errors that don't cause others. */
const INDEPENDENT_ERRORS = new Set(['DUPLICATE_KEY', 'NO_ANCHOR', 'OWN_ANCHOR']);

/** Codes of errors whose messages are ours (see `read-yaml.ts`). */
const ALREADY_EXPLAINED = new Set(['TOO_MANY_ALIASES', 'NO_ANCHOR', 'OWN_ANCHOR']);

/** Stack overflow; V8 words it differently while it compiles a regular expression. */
const TOO_DEEP = /call stack|: Stack overflow$/;

function explain({ code, message }: { readonly code: string; readonly message: string }): string {
  if (TOO_DEEP.test(message)) return 'this is nested too deeply; a mapping needs only a few levels';
  if (ALREADY_EXPLAINED.has(code)) return message;
  return EXPLANATIONS[code] ?? `this is not valid YAML: ${message}`;
}

/** Range of the value (or its key) at a path, or of the nearest parent that has one. */
function rangeOf(
  document: Document,
  inside: FindChild,
  path: Mistake['path'],
  key: string | undefined,
): readonly [number, number] {
  let place: NodeInParent = { value: document.contents as Node | null, key: null };
  let range = place.value?.range ?? EMPTY_RANGE;
  for (const step of key === undefined ? path : [...path, key]) {
    const next = inside(isAlias(place.value) ? place.value.resolve(document) : place.value, step);
    // An empty value has no range, but its key has.
    const found = next?.value?.range ?? next?.key?.range;
    if (next === undefined || found === undefined || found === null) return [range[0], range[1]];
    place = next;
    range = found;
  }
  if (key !== undefined) range = place.key?.range ?? range;
  return [range[0], range[1]];
}

const EMPTY_RANGE = [0, 0, 0] as const;

interface NodeInParent {
  readonly value: Node | null;
  readonly key: Node | null;
}

type FindChild = (parent: unknown, step: string | number) => NodeInParent | undefined;

/** Finds entries of lists and maps; each map's keys are indexed once. */
function childFinder(): FindChild {
  const known = new Map<unknown, ReadonlyMap<string, Pair>>();
  return (parent, step) => {
    if (isSeq(parent))
      return { value: (parent.items[Number(step)] ?? null) as Node | null, key: null };
    if (!isMap(parent)) return undefined;
    const pairs = known.get(parent) ?? pairsByKey(parent.items);
    known.set(parent, pairs);
    const pair = pairs.get(String(step));
    return pair && { value: pair.value as Node | null, key: pair.key as Node };
  };
}

function pairsByKey(pairs: readonly Pair[]): ReadonlyMap<string, Pair> {
  return new Map(
    pairs.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])),
  );
}
