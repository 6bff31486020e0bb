/** Columns of the element that a record is in, and of lists inside a record: none is the review's own. */
import type { Concept } from './lexicon/name-concepts.js';
import type { Role } from './propose/roles.js';

const PARENT = /^parent[.[]/u;

/** Returns whether a column belongs to the element around the record: `parent.name`. */
export function isOfParent(name: string): boolean {
  return PARENT.test(name);
}

/** Concepts of such a column: those of its own name, about the reviewed item. */
export function conceptsOfParent(concepts: ReadonlySet<Concept>): ReadonlySet<Concept> {
  return new Set<Concept>([...concepts, 'place']);
}

/** The telling part of a parent's column name: `parent.data.product.name` → `product.name`. */
export function ownName(name: string): string {
  if (!isOfParent(name)) return name;
  const keys = name
    .trim()
    .split('.')
    .filter((key) => key !== 'parent');
  // The reviewed item is often the key of its reviews.
  return keys
    .map((key) => (key === 'key' ? 'name' : key))
    .slice(-2)
    .join('.');
}

/** Bonus for taking a parent's columns as those of the reviewed item: a parent is rarely anything else. */
export function parentBonus(role: Role, name: string): number {
  return role === 'place' && isOfParent(name) ? 0.15 : 0;
}

const OF_PARENT: ReadonlySet<Role> = new Set<Role>([
  'place',
  'placeId',
  'country',
  'region',
  'city',
  'tags',
]);

const OF_SEVERAL: ReadonlySet<Role> = new Set<Role>(['text', 'positive', 'negative', 'tags']);

/** Returns whether a column can have a role: `answers[].text` is several values, and no single date. */
export function canHave(role: Role, name: string): boolean {
  if (isOfParent(name)) return OF_PARENT.has(role);
  return !name.includes('[]') || OF_SEVERAL.has(role);
}
