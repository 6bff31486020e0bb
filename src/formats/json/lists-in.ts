/** Finds lists of records in the start of a document, for `guess` and for messages. */
import { EACH, type PathStep, showPath, valueAt } from '../../model/json-path.js';
import { isObject } from '../../model/record.js';
import { isJsonBlank, walkJson } from './json-outline.js';
import type { JsonPath } from './records-path.js';

/** A list of objects, or an object whose values are alike. */
export interface FoundList {
  /** For the option `records`: `data.reviews`, `products[].reviews[]`. */
  readonly path: string;
  readonly keyed: boolean;
}

/** Elements of a list that are looked into. */
const MAX_ELEMENTS = 50;
const MAX_DEPTH = 12;

/**
 * Finds lists below the top of a document, or in lines, shallowest first. Of a malformed document,
 * none.
 */
export function listsIn(bytes: Buffer): readonly FoundList[] {
  const lists = new Map<string, FoundList & { readonly depth: number }>();
  const values = firstValues(bytes, MAX_ELEMENTS);
  const found: Visit = (steps, keyed) => {
    // In lines, and in lists inside elements, [] shows that there are many such lists.
    const isPlain = !keyed && values.length === 1 && steps.indexOf(EACH) === steps.length - 1;
    const path = showPath(isPlain ? steps.slice(0, -1) : steps);
    if (path !== '' && !lists.has(path)) lists.set(path, { path, keyed, depth: steps.length });
  };
  for (const value of values) visitLists(value, [], found);
  return [...lists.values()]
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ path, keyed }) => ({ path, keyed }));
}

type Visit = (path: readonly PathStep[], keyed: boolean) => void;

/** Visits the lists of objects in a value. */
export function visitLists(value: unknown, path: readonly PathStep[], found: Visit): void {
  if (path.length > MAX_DEPTH) return;
  const keyed = isKeyed(value);
  if (keyed || Array.isArray(value)) {
    const values: readonly unknown[] = Object.values(value as object).slice(0, MAX_ELEMENTS);
    const inside = [...path, EACH];
    if (values.some(isObject)) found(inside, keyed);
    for (const one of values) visitLists(one, inside, found);
  } else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) visitLists(one, [...path, key], found);
  }
}

/**
 * Returns whether an object is a list by id or name: its values are objects, or lists of objects,
 * that are alike.
 */
function isKeyed(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value).slice(0, MAX_ELEMENTS);
  const values = entries.map(([, inner]) => inner);
  const hasLists = values.some(Array.isArray);
  if (values.length === 0 || !values.every(hasLists ? isListOfObjects : isObject)) return false;
  if (values.length === 1) return /\d/.test(entries[0]?.[0] ?? '');
  const keys = values.map((one) => (Array.isArray(one) ? elementKeys(one) : elementKeys([one])));
  const [first = new Set<string>(), ...others] = keys.filter(({ size }) => size > 0);
  // Next to empty lists, a single one is a list with its own name: `{ links: [], reviews: […] }`.
  return others.length > 0 && others.every((other) => areAlike(first, other, hasLists));
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function elementKeys(elements: readonly unknown[]): ReadonlySet<string> {
  return new Set(elements.slice(0, MAX_ELEMENTS).flatMap((one) => Object.keys(one as object)));
}

/**
 * Returns whether objects have most keys in common; lists of them nearly all, as several lists in a
 * document share some keys. Keys that are numbers are a table by column.
 */
function areAlike(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  hasLists: boolean,
): boolean {
  const shared = [...one].filter((key) => other.has(key) && !/^\d+$/.test(key)).length;
  if (hasLists) return shared >= 0.8 * Math.max(one.size, other.size);
  return 2 * shared > Math.min(one.size, other.size);
}

const LINE_END = /\r\n|\n|\r/;
/** Bytes of the lines that are looked into. */
const MAX_FOR_LINES = 1024 * 1024;

/** Parses the first lines if they are objects, otherwise the first values of a document. */
export function firstValues(bytes: Buffer, max: number): readonly unknown[] {
  const [first = '', ...others] = bytes.toString('utf8', 0, MAX_FOR_LINES).split(LINE_END, max);
  const onLines = isObject(tryParseJson(first))
    ? [first, ...others].map(tryParseJson).filter(isObject)
    : [];
  if (onLines.length > 1) return onLines;
  const values: unknown[] = [];
  for (const value of parseValues(bytes)) if (values.push(value) === max) break;
  return values;
}

/** Parses values one after another, each on a line; malformed ones are left out. */
export function* valuesOnLines(text: string): Generator<unknown, void, undefined> {
  for (const line of text.split(LINE_END)) {
    const value = tryParseJson(line);
    if (value !== undefined) yield value;
  }
}

/**
 * Parses documents one after another, up to a malformed one. Of an incomplete one, it yields what
 * comes before the last comma.
 */
export function* parseValues(bytes: Buffer): Generator<unknown, void, undefined> {
  for (let from = 0; from < bytes.length; ) {
    while (isJsonBlank(bytes[from])) from += 1;
    const { end, closed, isMalformed, beforeComma } = walkJson(bytes.subarray(from), () => false);
    const sound = closed ? { end, closers: '' } : beforeComma;
    const text = bytes.toString('utf8', from, from + sound.end) + sound.closers;
    const value = isMalformed ? undefined : tryParseJson(text);
    if (value === undefined) return;
    yield value;
    from += end;
  }
}

/** Parses a line or document; `undefined` if it is malformed. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether one of the values has a list at a path, or there are none. */
export function someHaveList(values: Iterable<unknown>, inside: readonly JsonPath[]): boolean {
  let isEmpty = true;
  for (const value of values) {
    if (hasList(value, inside)) return true;
    isEmpty = false;
  }
  return isEmpty;
}

function hasList(value: unknown, [path, ...deeper]: readonly JsonPath[]): boolean {
  if (path === undefined) return true;
  const list = valueAt(value, path);
  return typeof list === 'object' && list !== null && someHaveList(Object.values(list), deeper);
}
