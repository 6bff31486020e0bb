/** Parses the values in a sample of JSON; the last one may be cut off. */
import { valueAt } from '../../model/json-path.js';
import { isObject } from '../../model/record.js';
import { isJsonBlank, walkJson } from './json-outline.js';
import type { JsonPath } from './records-path.js';

const LINE_END = /\r\n|\n|\r/;
/** Bytes of the lines that are looked into. */
const MAX_FOR_LINES = 1024 * 1024;

/** Parses the first lines if they are objects, otherwise the first values of a document. */
export function firstValues(bytes: Buffer, max: number): readonly unknown[] {
  const [first = '', ...others] = bytes.toString('utf8', 0, MAX_FOR_LINES).split(LINE_END, max);
  const onLines = isObject(tryParseJson(first))
    ? [first, ...others].map(tryParseJson).filter(isObject)
    : [];
  if (onLines.length > 1) return onLines;
  const values: unknown[] = [];
  for (const value of parseValues(bytes)) if (values.push(value) === max) break;
  return values;
}

/** Parses values one after another, each on a line; malformed ones are left out. */
export function* valuesOnLines(text: string): Generator<unknown, void, undefined> {
  for (const line of text.split(LINE_END)) {
    const value = tryParseJson(line);
    if (value !== undefined) yield value;
  }
}

/**
 * Parses documents one after another, up to a malformed one. Of an incomplete one, it yields what
 * comes before the last comma.
 */
export function* parseValues(bytes: Buffer): Generator<unknown, void, undefined> {
  for (let from = 0; from < bytes.length; ) {
    while (isJsonBlank(bytes[from])) from += 1;
    const { end, closed, isMalformed, beforeComma } = walkJson(bytes.subarray(from), () => false);
    const sound = closed ? { end, closers: '' } : beforeComma;
    const text = bytes.toString('utf8', from, from + sound.end) + sound.closers;
    const value = isMalformed ? undefined : tryParseJson(text);
    if (value === undefined) return;
    yield value;
    from += end;
  }
}

/** Parses a line or document; `undefined` if it is malformed. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether one of the values has a list at a path, or there are none. */
export function someHaveList(values: Iterable<unknown>, inside: readonly JsonPath[]): boolean {
  let isEmpty = true;
  for (const value of values) {
    if (hasList(value, inside)) return true;
    isEmpty = false;
  }
  return isEmpty;
}

function hasList(value: unknown, [path, ...deeper]: readonly JsonPath[]): boolean {
  if (path === undefined) return true;
  const list = valueAt(value, path);
  return typeof list === 'object' && list !== null && someHaveList(Object.values(list), deeper);
}
