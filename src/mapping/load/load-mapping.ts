/** From a mapping file, or an object of the same shape, to a checked mapping. */
import { basename } from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { MappingError, type MappingMistake, type PlaceInText } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import type { Mapping, WrittenMapping } from '../mapping.js';
import { findMistakes, type Mistake } from './find-mistakes.js';

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

/** The text that a mapping was read from. */
interface Written {
  /** The file's name in messages. */
  readonly name: string;
  readonly text: string;
  readonly locate: Locate;
}

/**
 * The texts that mappings were read from, for messages that come later than those of their own
 * mistakes. A mapping is plain data, told from others by what it says: this is kept beside it.
 */
const texts = new WeakMap<Mapping, Written>();

/** Keeps the text that a mapping was read from. */
function keepText(mapping: Mapping, written: Written): void {
  texts.set(mapping, written);
}

/** The text that a mapping was read from; `undefined` if a program gave it or it is a copy. */
export function textOf(mapping: Mapping): Pick<Written, 'name' | 'text'> | undefined {
  return texts.get(mapping);
}

/** `file:line:column` of a rule, or the mapping's name if a program gave it or it is a copy. */
export function placeOf(mapping: Mapping, path: Mistake['path']): string {
  const written = texts.get(mapping);
  if (written === undefined) return mapping.name;
  const { line, column } = written.locate(path);
  return `${written.name}:${line}:${column}`;
}

/** Mistakes with their places; none if a program gave the mapping or it is a copy. */
export function inText(mapping: Mapping, mistakes: readonly Mistake[]): readonly MappingMistake[] {
  const written = texts.get(mapping);
  return written === undefined ? [] : mistakes.map((mistake) => located(mistake, written.locate));
}

/** A mistake with its place in the text. */
export function located({ path, key, message }: Mistake, locate: Locate): MappingMistake {
  const whole = key === undefined ? path : [...path, key];
  return { message, severity: 'error', ...locate(path, key), path: whole };
}

/** What a file says in YAML, of which JSON is a part, and where things stand in it. */
export interface ParsedYaml {
  readonly value: unknown;
  readonly locate: Locate;
}

/** Where a value (or its key) stands. */
export type Locate = (path: Mistake['path'], key?: string) => PlaceInText;

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
