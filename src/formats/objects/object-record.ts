/** What a program's object is as a record, and as text. */
import { messageOf } from '../../model/errors.js';
import type { ParsedRecord } from '../../model/record.js';

/**
 * A program's object as a record, of whichever class; one that has `toJSON` is what that gives.
 * Anything else is a problem.
 */
export function programObject(given: unknown): ParsedRecord {
  try {
    return ArrayBuffer.isView(given) ? asObject(given) : asObject(jsonOf(given));
  } catch (error) {
    return notAnObject(`reading it threw: ${messageOf(error)}`);
  }
}

/** A value of JSON as a record, or why it is none. */
export function asObject(value: unknown): ParsedRecord {
  const kind = kindWithoutFields(value);
  if (kind === undefined) return { value: value as Readonly<Record<string, unknown>> };
  return notAnObject(`is ${kind} where an object with a field for each column is expected`);
}

function notAnObject(message: string): ParsedRecord {
  return { problem: { kind: 'not-an-object', field: null, message } };
}

/** What JSON would make of it, its values aside. Only a program's objects have methods. */
function jsonOf(given: unknown): unknown {
  const { toJSON } = (given ?? {}) as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(given) : given;
}

/** Names a value that has no fields; nothing if it may have some. */
function kindWithoutFields(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'a list';
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || value instanceof Map)
    return undefined;
  // Objects of JavaScript and Node.js themselves, such as a Set, have a tag.
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  const isEmpty = ArrayBuffer.isView(value) || Object.keys(value).length === 0;
  return tag !== 'Object' && isEmpty ? `an instance of ${tag}` : undefined;
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
    if (value instanceof Map) return Object.fromEntries(value);
    if (typeof value !== 'object' || value === null) return value;
    while (within.length > 0 && within.at(-1) !== this) within.pop();
    if (within.includes(value)) return '[circular]';
    within.push(value);
    return value;
  };
}
