/**
 * Records inside elements: `products[].reviews[]`, and the values of objects. The element is what
 * is cut, read and bounded by `maxRecordBytes`; it is then expanded into its records.
 */
import { asBuffer, type BytesChunk, type Layout } from '../../model/chunk.js';
import { valueAt } from '../../model/json-path.js';
import { isObject, type ParsedRecord } from '../../model/record.js';
import type { Located, LocatedRecord } from '../format.js';
import { asObject, notAnObject } from '../objects/object-records.js';
import { allWithStrayBytes } from '../stray-bytes.js';
import { parseJson, startIn, type TextStart } from './parse-json.js';
import type { JsonPath } from './records-path.js';

type NestedLayout = Pick<Layout, 'keyed' | 'inside' | 'around'>;

/** Returns whether an element isn't itself a record. */
export function isNested({ keyed, inside }: NestedLayout): boolean {
  return keyed === true || inside !== undefined;
}

/**
 * Parses the records in the elements of a chunk.
 * @param startsLine whether the chunk starts at the start of a line
 */
export function* parseNested(
  chunk: BytesChunk,
  elements: readonly LocatedRecord[],
  startsLine: boolean,
): Generator<ParsedRecord, void, undefined> {
  const bytes = asBuffer(chunk.bytes);
  for (const located of elements) {
    const element = bytes.subarray(located.start, located.end);
    const textStart = (): TextStart => startIn(bytes, located, startsLine);
    const records = expandText(element.toString('utf8'), chunk.layout, textStart);
    yield* allWithStrayBytes(records, element);
  }
}

/** An element, or a value inside one. */
interface Value {
  readonly value: unknown;
  /** If it is in an object. */
  readonly key?: string;
  /** The element or document around it. */
  readonly parent?: Readonly<Record<string, unknown>>;
}

/** Parses an element and expands it into its records; a malformed one is one, with a problem. */
function expandText(
  text: string,
  { keyed, inside = [], around }: NestedLayout,
  textStart: () => TextStart,
): readonly ParsedRecord[] {
  const parsed = parseElement(text, keyed === true, textStart);
  if ('problem' in parsed) return [parsed];
  return expand(around === undefined ? parsed : { ...parsed, parent: around }, inside);
}

/** Counts the records in an element. */
export function countInside(element: Buffer, { keyed, inside = [] }: NestedLayout): number {
  const parsed = parseElement(element.toString('utf8'), keyed === true);
  return 'problem' in parsed ? 1 : countRecords(parsed.value, inside);
}

function parseElement(
  text: string,
  keyed: boolean,
  textStart?: () => TextStart,
): Value | Extract<ReturnType<typeof parseJson>, { problem: unknown }> {
  const isExtended = text.includes('"$');
  if (!keyed || text === '') return parseJson(text, textStart, isExtended);
  const parsed = parseJson(`{${text}}`, textStart && beforeBrace(textStart), isExtended);
  if ('problem' in parsed) return parsed;
  const [entry] = Object.entries(parsed.value as object);
  return entry === undefined ? { value: undefined } : { key: entry[0], value: entry[1] };
}

function beforeBrace(textStart: () => TextStart): () => TextStart {
  return () => {
    const { line, column } = textStart();
    return { line, column: column === undefined ? undefined : column - 1 };
  };
}

function expand(element: Value, [path, ...deeper]: readonly JsonPath[]): readonly ParsedRecord[] {
  if (path === undefined) return [asObject(toRecord(element))];
  const list = valueAt(element.value, path);
  if (isNoList(list)) return isContainer(element.value) ? [] : [noElement(element.value)];
  if (!isContainer(list)) return [noList(list, path)];
  const parent = parentOf(element, path);
  return valuesIn(list).flatMap((inner) => expand({ ...inner, parent }, deeper));
}

/** Counts what {@link expand} gives. */
function countRecords(element: unknown, [path, ...deeper]: readonly JsonPath[]): number {
  if (path === undefined) return 1;
  const list = valueAt(element, path);
  if (isNoList(list)) return isContainer(element) ? 0 : 1;
  if (!isContainer(list)) return 1;
  const values = Object.values(list);
  if (deeper.length === 0) return values.length;
  return values.reduce((sum: number, value) => sum + countRecords(value, deeper), 0);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns whether there is no list, as APIs write it. */
function isNoList(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function noElement(value: unknown): ParsedRecord {
  return notAnObject(`is ${JSON.stringify(value)} where an element with records is expected`);
}

function noList(value: unknown, path: JsonPath): ParsedRecord {
  const at = JSON.stringify(path.join('.'));
  return notAnObject(`has ${typeof value} at ${at} where a list of records is expected`);
}

function valuesIn(list: object): readonly Value[] {
  if (Array.isArray(list)) return list.map((value: unknown) => ({ value }));
  return Object.entries(list).map(([key, value]) => ({ key, value }));
}

/**
 * Adds `key` and `parent` to an object, unless it has such keys itself. Other values become
 * `value`.
 */
function toRecord({ value, key, parent }: Value): unknown {
  if (value === null || Array.isArray(value)) return value;
  const record: Record<string, unknown> = isObject(value) ? { ...value } : { value };
  if (key !== undefined && !Object.hasOwn(record, 'key')) record['key'] = key;
  if (parent !== undefined && !Object.hasOwn(record, 'parent')) record['parent'] = parent;
  return record;
}

/**
 * Parses what a document has before its list, without other lists; `undefined` for nothing.
 * @param head up to the list's bracket
 */
export function fieldsAround(
  head: string,
  tail: string,
  path: JsonPath,
): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseJson(`${head}${tail}`);
  if ('problem' in parsed) return undefined;
  const around = withoutLists(withoutPath(parsed.value, path));
  return isObject(around) && Object.keys(around).length > 0 ? around : undefined;
}

function withoutLists(value: unknown): unknown {
  if (Array.isArray(value)) return undefined;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutLists(inner)] as const);
  const left = entries.filter(([, inner]) => inner !== undefined);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** An element without the list of its records. */
function parentOf(element: Value, path: JsonPath): Readonly<Record<string, unknown>> {
  const rest = withoutPath(element.value, path);
  return toRecord({ ...element, value: isObject(rest) ? rest : {} }) as Record<string, unknown>;
}

function withoutPath(value: unknown, [step, ...steps]: JsonPath): unknown {
  if (step === undefined || !isObject(value)) return undefined;
  const { [step]: inner, ...others } = value;
  const rest = withoutPath(inner, steps);
  return rest === undefined ? others : { ...others, [step]: rest };
}

/** Locates each record by its element; its own text is the element without the other records. */
export function locateNested(
  { bytes, layout }: Located,
  elements: readonly LocatedRecord[],
): LocatedRecord[] {
  const { keyed, inside = [] } = layout;
  return elements.flatMap((element) => {
    const own = asBuffer(bytes).subarray(element.start, element.end);
    const parsed = parseElement(own.toString('utf8'), keyed === true);
    if ('problem' in parsed || inside.length === 0) return [element];
    const count = countRecords(parsed.value, inside);
    return Array.from({ length: count }, (_, record) => ({
      ...element,
      raw: () => Buffer.from(elementText(parsed, inside, record)),
    }));
  });
}

/** Writes an element with only one of its records. */
function elementText({ key, value }: Value, inside: readonly JsonPath[], record: number): string {
  const text = JSON.stringify(withOnly(value, inside, record));
  return key === undefined ? text : `${JSON.stringify(key)}: ${text}`;
}

function withOnly(value: unknown, [path, ...deeper]: readonly JsonPath[], record: number): unknown {
  const list = path === undefined ? undefined : valueAt(value, path);
  if (path === undefined || !isContainer(list)) return value;
  // The innermost list, which may be long, need not be searched.
  if (deeper.length === 0 && Array.isArray(list)) return replaceAt(value, path, [list[record]]);
  let before = 0;
  for (const { key, value: inner } of valuesIn(list)) {
    const records = countRecords(inner, deeper);
    if (record < before + records) {
      const only = withOnly(inner, deeper, record - before);
      return replaceAt(value, path, key === undefined ? [only] : { [key]: only });
    }
    before += records;
  }
  return value;
}

function replaceAt(value: unknown, [step, ...steps]: JsonPath, by: unknown): unknown {
  if (step === undefined) return by;
  const inner = replaceAt((value as Record<string, unknown>)[step], steps, by);
  if (!Array.isArray(value)) return { ...(value as object), [step]: inner };
  return value.map((one: unknown, at) => (at === step ? inner : one));
}
