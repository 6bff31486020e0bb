import type { Layout } from '../../model/chunk.js';
import { countLineEnds } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { EACH, showPath, valueAt } from '../../model/json-path.js';
import { isObject } from '../../model/record.js';
import type { DetectedText, TextSample } from '../format.js';
import type { SourceOptions } from '../options.js';
import { isJsonBlank, type Outline, walkJson, wrapping } from './json-outline.js';
import { type FoundList, listsIn, parseValues, someHaveList } from './lists-in.js';
import { fieldsAround } from './nested-records.js';
import { jsonFault } from './parse-json.js';
import { parseRecordsPath, type RecordsPath } from './records-path.js';

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LIST: Layout = { format: 'json', inList: true };
const VALUES: Layout = { format: 'json' };
const NO_BYTES = Buffer.alloc(0);

/**
 * Locates the records in a JSON document: the list (or keyed object) at the top or at the stated
 * path, or values one after another. Returns `need-more-data` for a larger sample.
 * @throws SourceError if there are none; the message names the lists that exist
 */
export function readDocument(
  sample: TextSample,
  options: SourceOptions,
): DetectedText | 'need-more-data' {
  const { name, mark } = sample;
  const bytes = sample.bytes.subarray(mark);
  const first = assertBrackets(name, bytes);
  const { records } = options;
  if (records === undefined && first === OPEN_OBJECT) return readValues(sample, bytes);
  if (records === undefined) assertNoRows(name, bytes);
  const path = records === undefined ? TOP : parseRecordsPath(records);
  if (first === OPEN_OBJECT && areValues(bytes)) return valuesWith(sample, path, records ?? '');
  return readList(sample, path, records ?? '');
}

const TOP: RecordsPath = { list: [], each: false, inside: [] };

function readList(
  sample: TextSample,
  path: RecordsPath,
  records: string,
): DetectedText | 'need-more-data' {
  const { name, mark, whole } = sample;
  const bytes = sample.bytes.subarray(mark);
  const wanted = JSON.stringify(path.list);
  const outline = walkJson(bytes, (opening) => JSON.stringify(opening.path) === wanted);
  const { stopped } = outline;
  const keyed = stopped?.kind === 'object';
  const isThere = stopped !== undefined && (!keyed || path.each);
  if (isThere && leadsToLists(bytes, path)) {
    return detected(sample, path, { byte: mark + stopped.inside, keyed });
  }
  const mayFollow = isThere || !(stopped || outline.isMalformed || outline.closed);
  if (mayFollow && !whole) return 'need-more-data';
  throw noList(name, bytes, records, outline);
}

function leadsToLists(bytes: Buffer, { list, inside }: RecordsPath): boolean {
  if (inside.length === 0) return true;
  const [document] = parseValues(bytes);
  const elements = valueAt(document, list) ?? [];
  return someHaveList(Object.values(elements as object), inside);
}

/** Returns whether another object follows the first. */
function areValues(bytes: Buffer): boolean {
  const { closed, end } = walkJson(bytes, () => false);
  return closed && bytes.subarray(end).find((byte) => !isJsonBlank(byte)) === OPEN_OBJECT;
}

/** Reads values one after another with lists of records inside. */
function valuesWith(
  { name, bytes, mark }: TextSample,
  { list, inside }: RecordsPath,
  records: string,
): DetectedText {
  const layout: Layout = { ...VALUES, inside: [list, ...inside] };
  const text = bytes.subarray(mark);
  if (!someHaveList(parseValues(text), [list, ...inside])) {
    throw noList(
      name,
      text,
      records,
      walkJson(text, () => false),
    );
  }
  const start = { byte: mark, record: 1, line: 1 };
  return { layout, head: NO_BYTES, tail: NO_BYTES, start, notices: [] };
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
    const wrappers = pathsOfWrappers(bytes);
    // An object alike in its fields, such as ratings, may be a part of one record.
    const isList = ({ path, keyed }: FoundList): boolean => !keyed || wrappers.includes(path);
    if (lists.some(isList)) throw notAtTheTop(name, lists);
    if (!whole) return 'need-more-data';
    if (!closed) throw malformed(name, bytes);
    assertRecord(name, bytes.toString());
  }
  const start = { byte: mark, record: 1, line: 1 };
  return { layout: VALUES, head: NO_BYTES, tail: NO_BYTES, start, notices: [] };
}

/** Paths to the values of the document, and of an object alone in it: `[]`, `result[]`. */
function pathsOfWrappers(bytes: Buffer): readonly string[] {
  const paths: string[] = [];
  const keys: string[] = [];
  let [value] = parseValues(bytes);
  while (isObject(value)) {
    paths.push(showPath([...keys, EACH]));
    const [[key, inner] = [], ...others] = Object.entries(value);
    if (key === undefined || others.length > 0) break;
    keys.push(key);
    value = inner;
  }
  return paths;
}

function detected(
  { name, bytes, mark }: TextSample,
  { list, each, inside }: RecordsPath,
  { byte, keyed }: { readonly byte: number; readonly keyed: boolean },
): DetectedText {
  const { head, closing } = wrapping(list);
  const [opener, closer] = keyed ? ['{', '}'] : ['[', ']'];
  const tail = `${closer}${closing}`;
  // With [], the records have what comes before the list as their parent, so rejects have it too.
  const own = each ? bytes.toString('utf8', mark, byte) : undefined;
  const around = own === undefined ? undefined : fieldsAround(own, tail, list);
  const first = bytes.subarray(byte).find((one) => !isJsonBlank(one));
  return {
    layout: {
      ...LIST,
      ...(keyed ? { keyed } : {}),
      ...(each ? { inside } : {}),
      ...(around === undefined ? {} : { around }),
    },
    head: Buffer.from(around === undefined ? `${head}${opener}` : (own ?? '')),
    tail: Buffer.from(tail),
    start: { byte, record: 1, line: 1 + countLineEnds(bytes.subarray(0, byte)) },
    notices:
      first === CLOSE_LIST || (keyed && first === CLOSE_OBJECT)
        ? [`${name} has an empty list and no records.`]
        : [],
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
    `${name} starts with ${JSON.stringify(character)}, but JSON with records starts with [ or {. If it is CSV or JSON Lines, set its format.`,
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
      `${name} has ${values.length} objects under keys instead of a list: if each is a record, set records to [].`,
    );
  }
}

/** Returns whether an object is a table by column, as pandas writes by default. */
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
    `${name} is not valid JSON: ${fault}. Write it with a JSON library, or download it again.`,
  );
}

function noList(name: string, bytes: Buffer, records: string, outline: Outline): SourceError {
  if (outline.isMalformed) return malformed(name, bytes);
  return new SourceError(
    `${name} has no list at ${records}: ${whatThereIs(bytes, records, outline)}.`,
  );
}

function notAtTheTop(name: string, lists: readonly FoundList[]): SourceError {
  const [first, ...others] = lists.map(({ path }) => path);
  const more = others.length === 0 ? '' : ` (or ${others.slice(0, 3).join(', ')})`;
  return new SourceError(
    `${name} has its list of records below the top level: set records to ${first}${more}. If the object is itself a record, write it on one line and set the format to jsonl.`,
  );
}

function whatThereIs(bytes: Buffer, records: string, { stopped }: Outline): string {
  const lists = listsIn(bytes)
    .slice(0, 3)
    .map(({ path }) => path)
    .join(', ');
  if (lists !== '') return `there is one at ${lists}`;
  if (bytes.find((byte) => !isJsonBlank(byte)) === OPEN_LIST) {
    return 'the list is at the top, so leave records out';
  }
  if (stopped === undefined) return 'check the path';
  return `it is an object there; for its values, write ${records}[]`;
}
