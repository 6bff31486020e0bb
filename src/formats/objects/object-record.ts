/** What a program's object is as a record, and as text. */
import { messageOf } from '../../model/errors.js';
import type { ParsedRecord } from '../../model/record.js';

/**
 * An object as a record, of whichever class; one that has `toJSON` is what that gives. Anything else
 * is a problem.
 */
export function asObject(given: unknown): ParsedRecord {
  try {
    const value = jsonOf(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Readonly<Record<string, unknown>> };
    }
    return notAnObject(
      `is ${kindOf(value)} where an object with a field for each column is expected`,
    );
  } catch (error) {
    return notAnObject(`reading it threw: ${messageOf(error)}`);
  }
}

function notAnObject(message: string): ParsedRecord {
  return { problem: { kind: 'not-an-object', field: null, message } };
}

/** What JSON would make of it, its values aside. Only a program's objects have methods. */
function jsonOf(given: unknown): unknown {
  const { toJSON } = (given ?? {}) as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(given) : given;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}

/**
 * A program's object as JSON, for what shows it as it came. What has no place in JSON is told as
 * text: long integers, and objects that hold themselves.
 */
export function objectText(object: unknown): string {
  try {
    return JSON.stringify(object, replacer()) ?? 'null';
  } catch {
    // Its own toJSON or a getter of it threw: nothing can be said of it.
    return 'null';
  }
}

function replacer(): (this: unknown, key: string, value: unknown) => unknown {
  const within: unknown[] = [];
  return function replace(_key, value) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (within.length > 0 && within.at(-1) !== this) within.pop();
    if (within.includes(value)) return '[circular]';
    within.push(value);
    return value;
  };
}
