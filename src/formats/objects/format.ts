/** Objects from a program. There is no file, so the format is neither text nor binary. */

import { abortable } from '../../input/pieces.js';
import { BrokenInput, brokenSource, type ObjectsInput } from '../../input/raw-input.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import { messageOf } from '../../model/errors.js';
import { DUE, FlushTimer } from '../../model/flush-timer.js';
import type { ParsedRecord } from '../../model/record.js';
import type { ChunkSource, Format, Opened } from '../format.js';

const LAYOUT: Layout = { format: 'objects' };

/** Chunks of objects have no bytes to parse. */
export const objects: Format = {
  name: LAYOUT.format,
  title: 'objects',
  extensions: [],
  hasColumns: false,
  hasLines: false,
  parse: () => [],
  locate: () => [],
};

export function openObjects(raw: ObjectsInput): Opened {
  return {
    layout: LAYOUT,
    notices: raw.empty ? ['The input is empty: it has no records.'] : [],
    chunks: ({ source, limits, signal }) =>
      cutObjects(
        source,
        abortable(raw.items(), () => raw.close(), signal),
        { flushMs: limits.flushMs, close: () => raw.close() },
      ),
  };
}

const MAX_OBJECTS = 500;

/**
 * Gathers objects into chunks.
 * @throws SourceBrokenError after the last object, if the iterable fails or yields an object twice
 *   in a chunk, as a reused object has only the last record's values. In a later chunk it may be
 *   reused: by then the earlier one has been mapped.
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
      // Not earlier: a program may reuse one object for all records.
      next ??= items.next();
      const step = await flush.before(next);
      if (step === DUE) {
        yield nextChunk();
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
      if (objects.length === MAX_OBJECTS) yield nextChunk();
    }
  } catch (error) {
    failure = { error };
    next = undefined;
  } finally {
    flush.stop();
    if (next !== undefined) close();
    // The pending item may never come.
    const closed = items.return(undefined).catch(() => {});
    if (next === undefined) await closed;
  }
  if (objects.length > 0) yield nextChunk();
  if (failure === undefined) return;
  throw brokenSource(source.source, { byte: 0, record, line: record }, failure.error);

  function nextChunk(): Chunk {
    const position = { byte: 0, record, line: 1 };
    const chunk: Chunk = { kind: 'objects', ...source, position, records: objects.length, objects };
    flush.stop();
    record += objects.length;
    objects = [];
    seen = new Set();
    return chunk;
  }
}

/** Adds an object to those of the chunk. Returns whether it is already there. */
function isRepeated(item: unknown, seen: Set<object>): boolean {
  if (typeof item !== 'object' || item === null) return false;
  // A single look-up, as this runs for every record.
  const { size } = seen;
  return seen.add(item).size === size;
}

function reusedObject(first: number, second: number): BrokenInput {
  return new BrokenInput(
    `it yields the same object for record ${first} and record ${second}, so the values of the first are lost`,
    'Yield a new object for each record, for example a copy: { ...row }.',
  );
}

// What a program's object is as a record, and as text.

/**
 * Converts an object of any class to a record; `toJSON` is called if it exists. Anything else is a
 * problem.
 */
export function programObject(given: unknown): ParsedRecord {
  try {
    return ArrayBuffer.isView(given) ? asObject(given) : asObject(jsonOf(given));
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
  if (Array.isArray(value)) return 'a list';
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || value instanceof Map)
    return undefined;
  // Built-in objects such as a Set have a tag.
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  const isEmpty = ArrayBuffer.isView(value) || Object.keys(value).length === 0;
  return tag !== 'Object' && isEmpty ? `an instance of ${tag}` : undefined;
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
