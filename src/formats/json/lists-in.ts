/** Finds lists of records in the start of a document, for `guess` and for messages. */
import { EACH, type PathStep, showPath } from '../../model/json-path.js';
import { isObject } from '../../model/record.js';
import { firstValues } from './sampled-values.js';

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
