/** Reads YAML, of which JSON is a part, and keeps where everything stands. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from '#yaml';
import { MappingError } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import type { Mistake } from '../check/mistake.js';

/** A file's content, and where things stand in it. */
export interface ParsedYaml {
  readonly value: unknown;
  readonly locate: Locate;
}

/** Where a value (or its key) stands: for a message, and to sort by. */
export type Locate = (path: Mistake['path'], key?: string) => Location;

/** A place in a file. */
interface Location {
  /** `name:line:column`, from 1. */
  readonly text: string;
  readonly offset: number;
}

/** @throws MappingError with the first thing that keeps the text from being read. */
export function parseYaml(text: string, name: string): ParsedYaml {
  const { document, errors, place } = readYaml(text);
  // Those behind the first are mostly its echoes.
  const [first] = errors;
  if (first !== undefined) throw new MappingError(`${name}:${first.place}: ${explain(first)}`);
  if (document.contents === null) {
    throw new MappingError(`${name}: it is empty; a mapping needs at least document:`);
  }
  const inside = places();
  const locate: Locate = (path, key) => {
    const offset = offsetOf(document, inside, path, key);
    return { text: `${name}:${place(offset)}`, offset };
  };
  return { value: toValue(document, name), locate };
}

/** Aliases may multiply what a file holds; the parser refuses when they do so without measure. */
function toValue(document: Document, name: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const { message } = error as Error;
    const reason = /^Excessive alias count/.test(message)
      ? 'its aliases (*name) multiply what it holds beyond measure; write out what they stand for'
      : message;
    throw new MappingError(`${name}: ${reason}`);
  }
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here for the second time; each may stand once',
  TAB_AS_INDENT: 'YAML is indented with spaces, and here is a tab',
  NON_STRING_KEY: 'a key has to be text; put it in quotes',
  MULTIPLE_DOCS: 'a second document starts here; a mapping file holds one',
};

/** Codes of mistakes that are told in our own words. */
const OWN_WORDS = new Set(['TOO_MANY_ALIASES', 'NO_ANCHOR']);

function explain({ code, message }: { readonly code: string; readonly message: string }): string {
  if (/call stack/.test(message)) return 'this is nested too deep; a mapping has a few levels';
  if (OWN_WORDS.has(code)) return message;
  return EXPLANATIONS[code] ?? `this is not valid YAML: ${message}`;
}

/** Offset of the value (or of its key) at the mistake's path, or of the nearest thing around it. */
function offsetOf(
  document: Document,
  inside: PlaceInside,
  path: Mistake['path'],
  key: string | undefined,
): number {
  let place: Place = { value: document.contents as Node | null, key: null };
  let offset = place.value?.range?.[0] ?? 0;
  for (const step of key === undefined ? path : [...path, key]) {
    const next = inside(isAlias(place.value) ? place.value.resolve(document) : place.value, step);
    // An empty value has no place of its own: its key has.
    const range = next?.value?.range ?? next?.key?.range;
    if (next === undefined || range === undefined || range === null) return offset;
    place = next;
    offset = range[0];
  }
  return key === undefined ? offset : (place.key?.range?.[0] ?? offset);
}

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
