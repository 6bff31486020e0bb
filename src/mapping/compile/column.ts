import { messageOf } from '../../model/errors.js';
import { parseExactly } from '../../model/exact-json.js';
import { EACH, type PathStep, parsePath } from '../../model/json-path.js';
import type { RecordValue } from '../../model/record.js';
import type { Scalar } from '../mapping.js';
import { blankToUndefined, Failure, failure, type Subject, type Value } from '../steps/value.js';

export type ReadRaw = (record: RecordValue) => unknown;

/**
 * Compiles access to a column of records that are lists (ordered as in `columns`) or objects. An
 * exact name wins over the path that it may spell. A path also leads into JSON in a text.
 */
export function rawColumn(name: string, columns: readonly string[] | null): ReadRaw {
  if (columns !== null) return tableColumn(name, columns);
  const path = pathIn(name);
  return (record) => {
    const found = ownValue(record, name);
    return found !== undefined || path === null ? found : followPath(record, path);
  };
}

function tableColumn(name: string, columns: readonly string[]): ReadRaw {
  const index = columns.indexOf(name);
  const inCell = index < 0 ? cellPath(name, columns) : undefined;
  if (inCell === undefined) return (record) => (record as readonly string[])[index];
  const { column, path } = inCell;
  const at = columns.indexOf(column);
  return (record) => followPath((record as readonly string[])[at], path);
}

interface CellPath {
  readonly column: string;
  readonly path: readonly PathStep[];
}

/** Splits a path into the column whose cells hold JSON, and the path inside them. */
export function cellPath(name: string, columns: readonly string[]): CellPath | undefined {
  const [column] = columns
    .filter((one) => one !== '' && name.startsWith(one) && /^[.[]/u.test(name.slice(one.length)))
    .toSorted((a, b) => b.length - a.length);
  if (column === undefined) return undefined;
  // `x` replaces the column's own name, which may not be valid in a path.
  const path = parsePath(`x${name.slice(column.length)}`)?.slice(1);
  return path === undefined ? undefined : { column, path };
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
      const message = `${subject.text}: reading it threw: ${messageOf(error)}`;
      return new Failure([{ kind: 'not-text', message, columns: subject.columns }]);
    }
  };
}

export function columnSubject(columns: readonly string[]): Subject {
  const quoted = columns.map((name) => JSON.stringify(name)).join(', ');
  const text = `${columns.length === 1 ? 'column' : 'columns'} ${quoted}`;
  return { text: columns.length === 0 ? 'the constant' : text, columns };
}

function nonTextValue(found: unknown, trimmed: boolean, subject: Subject): Value {
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
  subject: Subject,
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
  // The text of an XML element with attributes.
  if (Object.hasOwn(found, '#text')) {
    return scalarValue((found as { '#text': unknown })['#text'], trimmed, subject);
  }
  const json = callToJson(found);
  if (typeof json !== 'object' && json !== undefined) return scalarValue(json, trimmed, subject);
  return failure('not-text', subject, found, 'a text, a number or true/false');
}

function callToJson(found: object | symbol): unknown {
  const { toJSON } = found as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(found) : undefined;
}

/** The path that a name spells; `null` if it is only a name. */
export function pathIn(name: string): readonly PathStep[] | null {
  const path = /[.[]/u.test(name) ? parsePath(name) : undefined;
  return path ?? null;
}

/** Follows a path; `[]` gives the values from all elements as one list. */
function followPath(start: unknown, path: readonly PathStep[]): unknown {
  let current = start;
  for (const [at, step] of path.entries()) {
    const holder = typeof current === 'string' ? jsonIn(current) : current;
    if (typeof holder !== 'object' || holder === null) return undefined;
    if (step === EACH) return valuesInside(holder, path.slice(at + 1));
    if (Array.isArray(holder) !== (typeof step === 'number')) return undefined;
    current = ownValue(holder, step);
  }
  return current;
}

function valuesInside(list: object, path: readonly PathStep[]): readonly unknown[] | undefined {
  const values = Object.values(list).flatMap((element: unknown) => followPath(element, path) ?? []);
  return values.length > 0 ? values : undefined;
}

let lastText = '';
let lastValue: unknown;

/** Parses JSON in a text; several columns may be read from the same one. */
function jsonIn(text: string): unknown {
  if (text !== lastText) {
    lastValue = /^\s*[[{]/u.test(text) ? parsedJson(text) : undefined;
    lastText = text;
  }
  return lastValue;
}

function parsedJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads an object's own field, an entry of a `Map`, or a getter of a program's class. Methods and
 * what `Object.prototype` gives don't count.
 */
function ownValue(holder: object, key: string | number): unknown {
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
