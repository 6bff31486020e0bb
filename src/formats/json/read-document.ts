import type { Layout } from '../../model/chunk.js';
import { countLineEnds } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { isObject } from '../../model/record.js';
import type { DetectedText, TextSample } from '../format.js';
import type { SourceOptions } from '../options.js';
import {
  isJsonBlank,
  type JsonPath,
  listsIn,
  type Outline,
  parsePath,
  showPath,
  walkJson,
  wrapping,
} from './json-outline.js';
import { jsonFault } from './parse-json.js';

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const LIST: Layout = { format: 'json', inList: true };
const VALUES: Layout = { format: 'json' };
const NO_BYTES = Buffer.alloc(0);

/**
 * Locates the records in a JSON document: the list at the top or at the stated path, or values one
 * after another. Returns `need-more-data` for a larger sample.
 * @throws SourceError if there are none; the message names the lists that exist
 */
export function readDocument(
  sample: TextSample,
  options: SourceOptions,
): DetectedText | 'need-more-data' {
  const { name, mark, whole } = sample;
  const bytes = sample.bytes.subarray(mark);
  const first = assertBrackets(name, bytes);
  if (options.records === undefined && first === OPEN_OBJECT) return readValues(sample, bytes);
  if (options.records === undefined) assertNoRows(name, bytes);
  const path = options.records === undefined ? [] : parsePath(options.records);
  const wanted = JSON.stringify(path);
  const outline = walkJson(bytes, (opening) => JSON.stringify(opening.path) === wanted);
  const { stopped } = outline;
  if (stopped?.kind === 'list') return detected(sample, path, mark + stopped.inside);
  if (stopped === undefined && !outline.isMalformed && !outline.closed && !whole) {
    return 'need-more-data';
  }
  throw noList(name, bytes, path, outline);
}

/**
 * Reads objects one after another. A single one may be a record, or contain the list of records.
 */
function readValues(sample: TextSample, bytes: Buffer): DetectedText | 'need-more-data' {
  const { name, mark, whole } = sample;
  const { closed, end, isMalformed } = walkJson(bytes, () => false);
  if (isMalformed) throw malformed(name, bytes);
  const isAlone = bytes.subarray(end).every(isJsonBlank);
  if (isAlone) {
    const lists = listsIn(bytes);
    if (lists.length > 0) throw notAtTheTop(name, lists);
    if (!whole) return 'need-more-data';
    if (!closed) throw malformed(name, bytes);
    assertRecord(name, bytes.toString());
  }
  const start = { byte: mark, record: 1, line: 1 };
  return { layout: VALUES, head: NO_BYTES, tail: NO_BYTES, start, notices: [] };
}

function detected(sample: TextSample, path: JsonPath, start: number): DetectedText {
  const { name, bytes } = sample;
  const { head, closing } = wrapping(path);
  const first = bytes.subarray(start).find((byte) => !isJsonBlank(byte));
  return {
    layout: LIST,
    head: Buffer.from(head),
    tail: Buffer.from(`]${closing}`),
    start: { byte: start, record: 1, line: 1 + countLineEnds(bytes.subarray(0, start)) },
    notices: first === CLOSE_LIST ? [`${name} has an empty list and no records.`] : [],
  };
}

/** Returns the document's first bracket. */
function assertBrackets(name: string, bytes: Buffer): number {
  const first = bytes.find((byte) => !isJsonBlank(byte));
  if (first === undefined) {
    throw new SourceError(`${name} is empty: expected a JSON document with a list of records.`);
  }
  if (first === OPEN_LIST || first === OPEN_OBJECT) return first;
  const character = String.fromCharCode(first);
  if (character === '/' || character === '#') throw malformed(name, bytes);
  throw new SourceError(
    `${name} starts with ${JSON.stringify(character)}, which no JSON document with records does: expected [ or {. State its format if it is CSV or JSON Lines.`,
  );
}

/** Refuses a list on each line, which is a table's row. */
function assertNoRows(name: string, bytes: Buffer): void {
  const { closed, end } = walkJson(bytes, ({ path }) => path.length > 0);
  const next = bytes.subarray(end).find((byte) => !isJsonBlank(byte));
  if (!closed || next !== OPEN_LIST) return;
  throw new SourceError(
    `${name} is a table with a JSON list for each row, which can't be read: turn it into CSV, for example with jq -r @csv.`,
  );
}

/** Refuses an object that contains several records, but not in a list. */
function assertRecord(name: string, text: string): void {
  const object = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const values = Object.values(object);
  if (isByColumn(object, values)) {
    throw new SourceError(
      `${name} has a list of values per column instead of an object per record: write it by record, in pandas with df.to_json(FILE, orient="records").`,
    );
  }
  if (values.length > 1 && values.every(isObject)) {
    throw new SourceError(
      `${name} has ${values.length} objects under keys instead of a list: convert it to one, for example with jq to_entries, which keeps the keys.`,
    );
  }
}

/** Whether an object is a table by column, as pandas writes by default. */
function isByColumn(
  { columns, data }: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
): boolean {
  if (Array.isArray(columns) && Array.isArray(data)) return true;
  if (values.length < 2) return false;
  if (values.every(Array.isArray)) return new Set(values.map(({ length }) => length)).size === 1;
  return values.every((one) => isObject(one) && Object.keys(one).every((key) => /^\d+$/.test(key)));
}

function malformed(name: string, bytes: Buffer): SourceError {
  const fault = jsonFault(bytes.toString(), { line: 1, column: 1 });
  return new SourceError(
    `${name} is not valid JSON: ${fault}. Write it with a JSON library, or fetch it again.`,
  );
}

function noList(name: string, bytes: Buffer, path: JsonPath, outline: Outline): SourceError {
  if (outline.isMalformed) return malformed(name, bytes);
  return new SourceError(
    `${name} has no list at ${showPath(path)}: ${whatThereIs(bytes, outline)}.`,
  );
}

function notAtTheTop(name: string, [first, ...others]: readonly string[]): SourceError {
  const more = others.length === 0 ? '' : ` (or ${others.slice(0, 3).join(', ')})`;
  return new SourceError(
    `${name} has its list of records below the top level: set records to ${first}${more}. If the object is itself a record, write it on one line and state the format jsonl.`,
  );
}

function whatThereIs(bytes: Buffer, { stopped }: Outline): string {
  const lists = listsIn(bytes).slice(0, 3).join(', ');
  if (lists !== '') return `there is one at ${lists}`;
  if (bytes.find((byte) => !isJsonBlank(byte)) === OPEN_LIST) {
    return 'the list is at the top, so leave records out';
  }
  return stopped === undefined ? 'check the path' : 'it is an object there';
}
