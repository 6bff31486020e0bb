import { createHash } from 'node:crypto';
/** Inputs that take several rules: `join` and `hash`. */

import { finish } from './text.js';
import { type CompiledRule, Failure, gather, isList, type Value } from './value.js';

/** The values that are not blank, joined; lists give their elements. */
export function compileJoin(
  parts: readonly CompiledRule[],
  separator: string,
  trimmed: boolean,
): CompiledRule {
  return (record) => {
    const values = parts.map((part) => part(record)).filter((value) => value !== undefined);
    // Mostly there are one or two texts, and nothing to gather.
    const texts = values.every((value) => typeof value === 'string') ? values : gather(values);
    if (texts === undefined || texts instanceof Failure) return texts;
    return finish(texts.join(separator), trimmed);
  };
}

/** A stable id of the values; see {@link hashValues}. */
export function compileHash(parts: readonly CompiledRule[]): CompiledRule {
  return (record) => {
    const values = parts.map((part) => part(record));
    const failed = gather(values.filter((value) => value instanceof Failure));
    return failed ?? hashValues(values.map(hashPart));
  };
}

/** A number counts as its text, so that the same record as CSV and as JSON has the same id. */
function hashPart(value: Value): string | readonly string[] {
  if (value === undefined || value instanceof Failure) return '';
  return isList(value) ? value.map(String) : String(value);
}

/** Hexadecimal digits of an id: 128 bits. */
const DIGITS = 32;

/**
 * A stable id of several values; nothing when all are blank. The values are hashed as a JSON list,
 * so that the border between two of them counts. The result is part of the contract: it must never
 * change, or records imported before would be imported again.
 */
function hashValues(parts: readonly (string | readonly string[])[]): string | undefined {
  if (parts.every((part) => part.length === 0)) return undefined;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}
