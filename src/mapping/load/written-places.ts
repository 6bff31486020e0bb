/**
 * The text of a mapping, and where its rules stand in it, for messages that come later than those of
 * its own mistakes. A mapping is plain data, told from others by what it says: this is kept beside it.
 */
import type { MappingMistake } from '../../model/errors.js';
import type { Mistake } from '../check/mistake.js';
import type { Mapping } from '../mapping.js';
import type { Locate } from './parse-yaml.js';

/** The text that a mapping was read from. */
interface Written {
  /** The file's name in messages. */
  readonly name: string;
  readonly text: string;
  readonly locate: Locate;
}

const texts = new WeakMap<Mapping, Written>();

/** Keeps the text that a mapping was read from. */
export function keepText(mapping: Mapping, written: Written): void {
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
