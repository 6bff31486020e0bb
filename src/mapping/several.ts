/** Inputs that take several rules: `join` and `hash`. */
import { hashValues } from './steps/hash.js';
import { finish } from './steps/text.js';
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
