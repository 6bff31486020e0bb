/** From a mapping file, or an object of the same shape, to a checked mapping, or to all that is wrong with it. */
import { basename } from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { MappingError, type MappingMistake, type PlaceInText } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import { columnMistakes, undatedMistakes } from '../compile/compile-mapping.js';
import type { Mapping, WrittenMapping } from '../mapping.js';
import { keepText, type Locate, located, type Mistake, type Todo, todosIn } from '../rules.js';
import { findMistakes } from './find-mistakes.js';

/**
 * Reads and checks a mapping file in YAML or JSON.
 *
 * @throws MappingError when it can't be read, or with everything that is wrong with it.
 */
export async function loadMapping(file: string): Promise<Mapping> {
  return parseMapping(await readMappingText(file), file);
}

/**
 * The text of a mapping file.
 * @throws MappingError when it can't be read
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
 * Checks the text of a mapping; `name` is the file's name in messages.
 *
 * @throws MappingError with a line for each mistake: `name:line:column: …`
 */
export function parseMapping(text: string, name: string): Mapping {
  const read = readMapping(text, name);
  if (!('mistakes' in read)) return read.mapping;
  throw refuseText(name, read.mistakes);
}

/** The error of a text's mistakes. */
export function refuseText(name: string, mistakes: readonly MappingMistake[]): MappingError {
  const lines = mistakes.map(
    ({ line, column, message }) => `${name}:${line}:${column}: ${message}`,
  );
  return new MappingError(lines.join('\n'), mistakes);
}

/** What a text says, the mapping that it is, and where its rules stand. */
export interface ReadMapping {
  readonly written: WrittenMapping;
  readonly mapping: Mapping;
  readonly locate: Locate;
}

/** A mapping and where its rules stand, or everything that is wrong with its text, in its order. */
export function readMapping(text: string, name: string): ReadMapping | MistakenText {
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) return yaml;
  const { value, locate } = yaml;
  const mistakes = findMistakes(value).map((mistake) => located(mistake, locate));
  if (mistakes.length > 0) return { mistakes: mistakes.toSorted((a, b) => a.offset - b.offset) };
  const written = value as WrittenMapping;
  const mapping = withDefaults(written, name);
  keepText(mapping, { name, text, locate });
  return { written, mapping, locate };
}

/**
 * Checks a mapping that a program gives as an object.
 *
 * @throws MappingError with a line for each mistake, which names its place in the object.
 */
export function acceptMapping(value: unknown, name: string): Mapping {
  const mistakes = findMistakes(value);
  if (mistakes.length === 0) return withDefaults(value as WrittenMapping, name);
  throw new MappingError(mistakes.map(({ message }) => `${name}: ${message}`).join('\n'));
}

/** A copy, so that what the program does with its object later changes nothing. */
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
  readonly path: Mistake['path'];
}

/** All keys and entries of lists of what a mapping says, in the order of its text. */
function keysIn(value: unknown, path: Mistake['path'], locate: Locate): readonly Key[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, isList ? Number(key) : key];
    const place = isList ? locate(at) : locate(path, key);
    return [{ ...place, path: at }, ...keysIn(inner, at, locate)];
  });
}

/** What a file says in YAML, of which JSON is a part, and where things stand in it. */
export interface ParsedYaml {
  readonly value: unknown;
  readonly locate: Locate;
}

/** Why a text is no mapping. */
export interface MistakenText {
  readonly mistakes: readonly MappingMistake[];
}

/** What a text says, or what keeps it from being read. */
export function parseYaml(text: string): ParsedYaml | MistakenText {
  const { document, errors, placed } = readYaml(text);
  const [first] = errors;
  if (first !== undefined) {
    // Those behind the first are mostly its echoes.
    const told = STANDING_ALONE.has(first.code)
      ? errors.filter(({ code }) => code === first.code)
      : [first];
    return unreadable(...told.map((error) => ({ ...error.place, message: explain(error) })));
  }
  const whole = placed(0, text.length);
  if (document.contents === null) {
    return unreadable({ ...whole, message: 'it is empty; a mapping needs at least document:' });
  }
  const inside = places();
  const locate: Locate = (path, key) => placed(...rangeOf(document, inside, path, key));
  try {
    return { value: document.toJS(), locate };
  } catch (error) {
    return unreadable({ ...whole, message: explainAliases(error as Error) });
  }
}

function unreadable(
  ...found: readonly (PlaceInText & { readonly message: string })[]
): MistakenText {
  return {
    mistakes: found.map(({ message, ...place }) => ({
      message,
      severity: 'error',
      ...place,
      path: [],
    })),
  };
}

/** Aliases may multiply what a file holds; the parser refuses when they do so without measure. */
function explainAliases({ message }: Error): string {
  return /^Excessive alias count/.test(message)
    ? 'its aliases (*name) multiply what it holds beyond measure; write out what they stand for'
    : message;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here for the second time; each may stand once',
  TAB_AS_INDENT: 'YAML is indented with spaces, and here is a tab',
  NON_STRING_KEY: 'a key has to be text; put it in quotes',
  TAG_RESOLVE_FAILED: 'a mapping takes no such tag (!…); write the value without it',
  MULTIPLE_DOCS: 'a second document starts here; a mapping file holds one',
};

/** Codes of mistakes that have no echoes. */
const STANDING_ALONE = new Set(['DUPLICATE_KEY', 'NO_ANCHOR', 'OWN_ANCHOR']);

/** Codes of mistakes that are told in our own words. */
const OWN_WORDS = new Set(['TOO_MANY_ALIASES', 'NO_ANCHOR', 'OWN_ANCHOR']);

/** Where the stack ends while V8 compiles a regular expression, that is what it complains of. */
const TOO_DEEP = /call stack|: Stack overflow$/;

function explain({ code, message }: { readonly code: string; readonly message: string }): string {
  if (TOO_DEEP.test(message)) return 'this is nested too deep; a mapping has a few levels';
  if (OWN_WORDS.has(code)) return message;
  return EXPLANATIONS[code] ?? `this is not valid YAML: ${message}`;
}

/** From where to where the value (or its key) at a path stands, or the nearest thing around it. */
function rangeOf(
  document: Document,
  inside: PlaceInside,
  path: Mistake['path'],
  key: string | undefined,
): readonly [number, number] {
  let place: Place = { value: document.contents as Node | null, key: null };
  let range = place.value?.range ?? NOWHERE;
  for (const step of key === undefined ? path : [...path, key]) {
    const next = inside(isAlias(place.value) ? place.value.resolve(document) : place.value, step);
    // An empty value has no place of its own: its key has.
    const found = next?.value?.range ?? next?.key?.range;
    if (next === undefined || found === undefined || found === null) return [range[0], range[1]];
    place = next;
    range = found;
  }
  if (key !== undefined) range = place.key?.range ?? range;
  return [range[0], range[1]];
}

const NOWHERE = [0, 0, 0] as const;

/** A value and, in a map, its key. */
interface Place {
  readonly value: Node | null;
  readonly key: Node | null;
}

type PlaceInside = (parent: unknown, step: string | number) => Place | undefined;

/** Finds entries of lists and maps; the keys of a map are gone through once, not for each entry. */
function places(): PlaceInside {
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
