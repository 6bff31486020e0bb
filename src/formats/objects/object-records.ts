/** A program's object as a record, and as text. */
import { messageOf } from '../../model/errors.js';
import type { ParsedRecord } from '../../model/record.js';

/**
 * Converts an object of any class to a record; `toJSON` is called if it exists. Anything else is a
 * problem.
 */
export function programObject(given: unknown): ParsedRecord {
  try {
    return asObject(jsonOf(given));
  } catch (error) {
    return notAnObject(`reading it threw: ${messageOf(error)}`);
  }
}

/** Returns a JSON value as a record, or a problem if it isn't an object. */
export function asObject(value: unknown): ParsedRecord {
  const kind = kindWithoutFields(value);
  if (kind === undefined) return { value: value as Readonly<Record<string, unknown>> };
  return notAnObject(`is ${kind} where an object with a field for each column is expected`);
}

export function notAnObject(message: string): ParsedRecord {
  return { problem: { kind: 'not-an-object', field: null, message } };
}

/** Calls `toJSON`, which only a program's objects have. */
function jsonOf(given: unknown): unknown {
  const { toJSON } = (given ?? {}) as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(given) : given;
}

/** Describes a value without fields; `undefined` if it may have some. */
function kindWithoutFields(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return Array.isArray(value) ? 'a list' : undefined;
}

/**
 * Formats a program's object as JSON, for display. Long integers and circular references, which
 * JSON lacks, become text.
 */
export function objectText(object: unknown): string {
  try {
    return JSON.stringify(object, replacer()) ?? 'null';
  } catch {
    // Its toJSON or a getter threw.
    return 'null';
  }
}

function replacer(): (this: unknown, key: string, value: unknown) => unknown {
  const within: unknown[] = [];
  return function replace(_key, value) {
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Map) return Object.fromEntries(value);
    if (typeof value !== 'object' || value === null) return value;
    while (within.length > 0 && within.at(-1) !== this) within.pop();
    if (within.includes(value)) return '[circular]';
    within.push(value);
    return value;
  };
}
