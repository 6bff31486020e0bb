/** The formats, and the records of a chunk: read, found again, and given back. */
import type { BytesChunk, Chunk, Layout, PlacedChunk } from '../model/chunk.js';
import type { ParsedRecord, Place, RecordAsRead, RecordValue } from '../model/record.js';
import { parquet, xlsx } from './binary-formats.js';
import { csv } from './csv/format.js';
import type { BinaryOne, Format, LocatedRecord, TextOne } from './format.js';
import { json, jsonl } from './json/format.js';
import { objects, objectText, programObject } from './objects/format.js';

/** In the order in which they are asked whether a text is theirs: CSV takes what no other claims. */
export const TEXT_FORMATS: readonly TextOne[] = [jsonl, json, csv];

export const BINARY_FORMATS: readonly BinaryOne[] = [xlsx, parquet];

/** Those that files can have. */
export const FILE_FORMATS: readonly Format[] = [csv, jsonl, json, ...BINARY_FORMATS];

const BY_NAME: ReadonlyMap<string, Format> = new Map(
  [...FILE_FORMATS, objects].map((one) => [one.name, one]),
);

/** The format of a source or a chunk. */
export function formatOf({ format }: Pick<Layout, 'format'>): Format {
  const known = BY_NAME.get(format);
  if (known === undefined) throw new Error(`There is no format ${format}. This is a bug.`);
  return known;
}

/**
 * Reads the records of a chunk, in order: one entry for each, bad ones included.
 * @throws Error if their number is not the chunk's, which would be a bug
 */
export function parseChunk(chunk: Chunk): readonly ParsedRecord[] {
  const records = [...readRecords(chunk)];
  checkCount(chunk, records.length);
  return records;
}

/**
 * The same, one after another: to keep all of a chunk takes V8 longer than to read them. Whoever has
 * read them all has their number checked.
 */
export function readRecords(chunk: Chunk): Iterable<ParsedRecord> {
  const { nulls } = chunk.layout;
  const records = recordsIn(chunk);
  return nulls === undefined ? records : blanked(records, nullTexts(nulls));
}

function* blanked(
  records: Iterable<ParsedRecord>,
  nulls: ReadonlySet<string>,
): Generator<ParsedRecord, void, undefined> {
  for (const record of records) {
    if (record.value === undefined) yield record;
    else yield { ...record, value: withoutNulls(record.value, nulls) };
  }
}

function recordsIn(chunk: Chunk): Iterable<ParsedRecord> {
  switch (chunk.kind) {
    case 'broken':
      return [{ problem: { ...chunk.problem, field: null } }];
    case 'objects':
      return chunk.objects.map(programObject);
    case 'bytes':
      return formatOf(chunk.layout).parse(chunk);
    default:
      return chunk satisfies never;
  }
}

/** @throws Error if there are not as many records in a chunk as were cut, which would be a bug */
export function checkCount(chunk: Chunk, records: number): void {
  if (records === chunk.records) return;
  throw new Error(
    `A chunk of ${chunk.source} at byte ${chunk.position.byte} was parsed as ${records} records, but cut as ${chunk.records}. This is a bug in docferry.`,
  );
}

/** A record by column or key: fields of a table under their columns' names. */
export function namedRecord(
  value: RecordValue,
  { columns }: Layout,
): Readonly<Record<string, unknown>> {
  if (columns === undefined) return value as Readonly<Record<string, unknown>>;
  const fields = value as readonly unknown[];
  return Object.fromEntries(columns.map((column, at) => [column, fields[at]]));
}

/** Where a record of a chunk stands. */
export function placeOf(chunk: PlacedChunk, index: number): Place {
  const record = chunk.position.record + index;
  return { source: chunk.source, record, line: lineOf(chunk, index) };
}

function lineOf(chunk: PlacedChunk, index: number): number | null {
  if (chunk.kind === 'objects' || !formatOf(chunk.layout).hasLines) return null;
  if (chunk.kind === 'broken') return chunk.position.line;
  if (chunk.kind === 'places' || chunk.recordLines) return chunk.recordLines?.[index] ?? null;
  return located(chunk)[index]?.line ?? null;
}

/** A record as it was read, and how it can stand beside others. */
export function recordAsRead(placed: PlacedChunk, index: number): RecordAsRead {
  const chunk = asRead(placed);
  if (chunk.kind === 'broken') return { raw: chunk.bytes, shape: 'broken' };
  if (chunk.kind === 'objects') return whole(Buffer.from(objectText(chunk.objects[index])));
  const { start = 0, end = 0 } = located(chunk)[index] ?? {};
  const bytes = chunk.bytes.subarray(start, end);
  return formatOf(chunk.layout).asRead?.(bytes, chunk.layout) ?? whole(bytes);
}

/** The chunk with its records; to give them up and then ask for them would be a bug. */
export function asRead(chunk: PlacedChunk): Chunk {
  if (chunk.kind !== 'places') return chunk;
  const { source, position } = chunk;
  throw new Error(
    `The records of ${source} from byte ${position.byte} on were given up, but are asked for. This is a bug in docferry.`,
  );
}

function whole(raw: Uint8Array): RecordAsRead {
  return { raw, shape: 'whole' };
}

/** Records are located only in chunks in which something has to be named, and then once. */
const locatedChunks = new WeakMap<Chunk, readonly LocatedRecord[]>();

function located(chunk: BytesChunk): readonly LocatedRecord[] {
  const known = locatedChunks.get(chunk);
  if (known !== undefined) return known;
  const records = formatOf(chunk.layout).locate(chunk);
  locatedChunks.set(chunk, records);
  return records;
}

/**
 * The texts that stand for nothing in a source, as a set to look values up in. `null` is what YAML
 * makes of an unquoted NULL.
 */
export function nullTexts(nulls: readonly (string | number | null)[]): ReadonlySet<string> {
  return new Set(
    nulls.flatMap((text) => (text === null ? ['NULL', 'Null', 'null'] : [String(text).trim()])),
  );
}

/** A record with empty texts for the values that stand for nothing, at any depth. */
export function withoutNulls(record: RecordValue, nulls: ReadonlySet<string>): RecordValue {
  return replaced(record, nulls) as RecordValue;
}

/** Only what is plain data is looked into: a program's other objects stay as they are. */
function replaced(value: unknown, nulls: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return nulls.has(value.trim()) ? '' : value;
  if (typeof value === 'number') return nulls.has(String(value)) ? '' : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, nulls));
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaced(inner, nulls)]),
  );
}
