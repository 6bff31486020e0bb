import { messageOf } from '../../model/errors.js';
import type { RecordValue } from '../../model/record.js';
import type { Scalar } from '../mapping.js';
import { Failure, failure, trim, type Value } from '../steps/value.js';

export type ReadRaw = (record: RecordValue) => unknown;

/**
 * Compiles access to a column of records that are lists (ordered as in `columns`) or objects. In an
 * object, an exact key wins over the path that the name may spell.
 */
export function rawColumn(name: string, columns: readonly string[] | null): ReadRaw {
  if (columns !== null) {
    const index = columns.indexOf(name);
    return (record) => (record as readonly string[])[index];
  }
  const path = parsePath(name);
  return (record) => {
    const found = valueIn(record, name);
    return found !== undefined || path === null ? found : followPath(record, path);
  };
}

/**
 * Compiles access to a column for a rule: blank text is `undefined`, and lists lose their blank
 * elements.
 */
export function columnValue(
  name: string,
  columns: readonly string[] | null,
  trimmed: boolean,
): (record: RecordValue) => Value {
  const raw = rawColumn(name, columns);
  const subject = columnSubject([name]);
  return (record) => {
    try {
      const found = raw(record);
      if (typeof found === 'string') return blankToUndefined(found, trimmed);
      if (found === undefined || found === null) return undefined;
      return nonTextValue(found, trimmed, subject);
    } catch (error) {
      // Getters, toJSON and proxies of a program's objects run code of its own.
      const message = `${subject}: reading it threw: ${messageOf(error)}`;
      return new Failure([{ kind: 'not-text', message }]);
    }
  };
}

export function columnSubject(names: readonly string[]): string {
  if (names.length === 0) return 'the constant';
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  return names.length === 1 ? `column ${quoted}` : `columns ${quoted}`;
}

function nonTextValue(found: unknown, trimmed: boolean, subject: string): Value {
  if (!Array.isArray(found)) return scalarValue(found, trimmed, subject);
  const values: Scalar[] = [];
  for (const element of found) {
    const value = scalarValue(element, trimmed, subject);
    if (value instanceof Failure) return value;
    if (value !== undefined) values.push(value);
  }
  return values.length > 0 ? values : undefined;
}

function scalarValue(
  found: unknown,
  trimmed: boolean,
  subject: string,
): Scalar | Failure | undefined {
  if (found === null || found === undefined) return undefined;
  if (typeof found === 'string') return blankToUndefined(found, trimmed);
  if (typeof found === 'boolean') return found;
  if (typeof found === 'bigint') return String(found);
  if (typeof found === 'number') {
    return Number.isFinite(found)
      ? found
      : failure('unreadable-number', subject, found, 'a finite number');
  }
  const json = callToJson(found);
  if (typeof json !== 'object' && json !== undefined) return scalarValue(json, trimmed, subject);
  return failure('not-text', subject, found, 'a text, a number or true/false');
}

function callToJson(found: object | symbol): unknown {
  const { toJSON } = found as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(found) : undefined;
}

function blankToUndefined(text: string, trimmed: boolean): string | undefined {
  const trimmedText = trim(text);
  if (trimmedText === '') return undefined;
  return trimmed ? trimmedText : text;
}

/** Splits `user.name` or `photos[0].url` into keys and indexes; `null` if the name isn't a path. */
export function parsePath(name: string): readonly (string | number)[] | null {
  if (!/^[^.[\]]+(?:\[\d+\])*(?:\.[^.[\]]+(?:\[\d+\])*)*$/u.test(name)) return null;
  if (!/[.[]/u.test(name)) return null;
  const parts = name.match(/[^.[\]]+|\[\d+\]/gu) ?? [];
  return parts.map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part));
}

function followPath(start: unknown, path: readonly (string | number)[]): unknown {
  let current = start;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (Array.isArray(current) !== (typeof step === 'number')) return undefined;
    current = valueIn(current, step);
  }
  return current;
}

/**
 * Reads an object's own field, an entry of a `Map`, or a getter of a program's class. Methods and
 * what `Object.prototype` gives don't count.
 */
function valueIn(holder: object, key: string | number): unknown {
  const object = holder as Readonly<Record<string | number, unknown>>;
  if (Object.hasOwn(object, key)) return object[key];
  if (object instanceof Map) return object.get(key);
  let owner: object | null = Object.getPrototypeOf(object);
  while (owner !== null && owner !== Object.prototype) {
    const field = Object.getOwnPropertyDescriptor(owner, key);
    if (field !== undefined) return field.get === undefined ? undefined : object[key];
    owner = Object.getPrototypeOf(owner);
  }
  return undefined;
}
