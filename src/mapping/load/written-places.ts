/**
 * Where the rules of a mapping stand in its file, for messages that come later than those of its
 * own mistakes. A mapping is plain data, told from others by what it says: this is kept beside it.
 */
import type { Mapping } from '../mapping.js';
import type { Locate } from './parse-yaml.js';

const places = new WeakMap<Mapping, Locate>();

/** Keeps where the rules of a mapping stand that was read from a text. */
export function keepPlaces(mapping: Mapping, locate: Locate): void {
  places.set(mapping, locate);
}

/** `file:line:column` of a rule, or the mapping's name if a program gave it or it is a copy. */
export function placeOf(mapping: Mapping, path: readonly (string | number)[]): string {
  return places.get(mapping)?.(path).text ?? mapping.name;
}
