/** Reads YAML, of which JSON is a part, and keeps where everything stands. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { MappingMistake, PlaceInText } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import type { Mistake } from './find-mistakes.js';

/** A file's content, and where things stand in it. */
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
