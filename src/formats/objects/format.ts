/** Objects that a program hands over: there is no file, so they are neither text nor binary. */

import { abortable } from '../../input/pieces.js';
import { BrokenInput, brokenSource, type ObjectsInput } from '../../input/raw-input.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import { messageOf } from '../../model/errors.js';
import { DUE, FlushTimer } from '../../model/flush-timer.js';
import type { ParsedRecord } from '../../model/record.js';
import type { ChunkSource, Format, Opened } from '../format.js';

const LAYOUT: Layout = { format: 'objects' };

/** Chunks of objects have no bytes to be parsed. */
export const objects: Format = {
  name: LAYOUT.format,
  title: 'objects',
  extensions: [],
  hasColumns: false,
  hasLines: false,
  parse: () => [],
  locate: () => [],
};

/** What a program hands over, as a source. */
export function openObjects(raw: ObjectsInput): Opened {
  return {
    layout: LAYOUT,
    notices: raw.empty ? ['The input is empty: there are no records in it.'] : [],
    chunks: ({ source, limits, signal }) =>
      cutObjects(
        source,
        abortable(raw.items(), () => raw.close(), signal),
        { flushMs: limits.flushMs, close: () => raw.close() },
      ),
  };
}

/** Objects handed on at a time. */
const OBJECTS = 500;

/**
 * Gathers objects into chunks.
 * @throws SourceBrokenError after the last object, if the iterable fails or gives an object twice in
 * a chunk: a reused object holds the last record's values only. In a later chunk it may come again,
 * since the earlier one has been mapped by then.
 */
async function* cutObjects(
  source: ChunkSource,
  items: AsyncGenerator<unknown>,
  { flushMs, close }: { readonly flushMs: number; readonly close: () => void },
): AsyncGenerator<Chunk, void, undefined> {
  const flush = new FlushTimer(flushMs);
  let objects: unknown[] = [];
  let seen = new Set<object>();
  let record = 1;
  let next: Promise<IteratorResult<unknown>> | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    for (;;) {
      // Not sooner: a program may reuse one object for all records.
      next ??= items.next();
      const step = await flush.before(next);
      if (step === DUE) {
        yield handOn();
        continue;
      }
      next = undefined;
      if (step.done) break;
      const item: unknown = step.value;
      if (isRepeated(item, seen)) {
        const first = objects.indexOf(item);
        failure = { error: reusedObject(record + first, record + objects.length) };
        objects = objects.slice(0, first);
        break;
      }
      objects.push(item);
      flush.start();
      if (objects.length === OBJECTS) yield handOn();
    }
  } catch (error) {
    failure = { error };
    next = undefined;
  } finally {
    flush.stop();
    if (next !== undefined) close();
    // What is still awaited may never come.
    const closed = items.return(undefined).catch(() => {});
    if (next === undefined) await closed;
  }
  if (objects.length > 0) yield handOn();
  if (failure === undefined) return;
  throw brokenSource(source.source, { byte: 0, record, line: record }, failure.error);

  function handOn(): Chunk {
    const position = { byte: 0, record, line: 1 };
    const chunk: Chunk = { kind: 'objects', ...source, position, records: objects.length, objects };
    flush.stop();
    record += objects.length;
    objects = [];
    seen = new Set();
    return chunk;
  }
}

/** Adds the object to those of the chunk. Only objects can be reused. */
function isRepeated(item: unknown, seen: Set<object>): boolean {
  if (typeof item !== 'object' || item === null) return false;
  // A single look-up: this is done for every record.
  const { size } = seen;
  return seen.add(item).size === size;
}

function reusedObject(first: number, second: number): BrokenInput {
  return new BrokenInput(
    `it gives the same object for record ${first} and record ${second}, so the values of the first are lost`,
    'Give each record an object of its own, for example a copy: { ...row }.',
  );
}

// What a program's object is as a record, and as text.

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
