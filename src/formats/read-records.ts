/**
 * Parses, locates and returns the records of chunks. Every thread loads this, so it imports nothing
 * that opens files and detects formats.
 */
import type { BytesChunk, Chunk, Layout, PlacedChunk } from '../model/chunk.js';
import type { ParsedRecord, Place, RecordAsRead, RecordValue } from '../model/record.js';
import { locateLines } from './boundaries/cut-records.js';
import { csvRules, lineRules } from './boundaries/record-scanner.js';
import { type CsvLayout, parseCsv } from './csv/parse-csv.js';
import { csvAsRead } from './csv/record-as-read.js';
import type { LocatedRecord, RecordFormat } from './format.js';
import { jsonElements, jsonLines } from './json/json-records.js';
import { objectText, programObject } from './objects/object-records.js';
import { parseRows, rowAsRead } from './xlsx/row-records.js';
import { xmlElements } from './xml/xml-records.js';

const csv: RecordFormat<CsvLayout> = {
  hasLines: true,
  parse: parseCsv,
  locate: (chunk) => locateLines(chunk, csvRules(chunk.layout.dialect)),
  asRead: csvAsRead,
};

const xlsx: RecordFormat = {
  hasLines: true,
  parse: parseRows,
  locate: (chunk) => locateLines(chunk, lineRules()),
  asRead: rowAsRead,
};

const FORMATS: ReadonlyMap<string, RecordFormat> = new Map<string, RecordFormat>([
  ['csv', csv],
  ['jsonl', jsonLines],
  ['json', jsonElements],
  ['xml', xmlElements],
  ['xlsx', xlsx],
  ['parquet', { ...jsonLines, hasLines: false }],
]);

function recordFormat({ layout }: PlacedChunk): RecordFormat {
  const format = FORMATS.get(layout.format);
  if (format === undefined) throw new Error(`There is no format ${layout.format}. This is a bug.`);
  return format;
}

/**
 * Parses the records of a chunk, in order, with one entry per record, invalid ones included.
 * @throws Error if their number differs from the chunk's, which would be a bug
 */
export function parseChunk(chunk: Chunk): readonly ParsedRecord[] {
  const records = [...readRecords(chunk)];
  checkCount(chunk, records.length);
  return records;
}

/**
 * Like {@link parseChunk}, lazily: retaining all records of a chunk is slower in V8 than parsing
 * them. Call {@link checkCount} at the end.
 */
export function readRecords(chunk: Chunk): Iterable<ParsedRecord> {
  const { nulls } = chunk.layout;
  const records = recordsIn(chunk);
  return nulls === undefined ? records : withNullsReplaced(records, nullTexts(nulls));
}

function* withNullsReplaced(
  records: Iterable<ParsedRecord>,
  nulls: ReadonlySet<string>,
): Generator<ParsedRecord, void, undefined> {
  let shared: unknown;
  let replaced: unknown;
  for (const record of records) {
    if (record.value === undefined) {
      yield record;
      continue;
    }
    const { parent, ...own } = record.value as { readonly parent?: unknown };
    if (typeof parent !== 'object' || Array.isArray(record.value)) {
      yield { ...record, value: withoutNulls(record.value, nulls) };
      continue;
    }
    // Records have their parent in common, and it may be large.
    if (parent !== shared) [shared, replaced] = [parent, replaceNulls(parent, nulls)];
    yield { ...record, value: { ...withoutNulls(own, nulls), parent: replaced } };
  }
}

function recordsIn(chunk: Chunk): Iterable<ParsedRecord> {
  switch (chunk.kind) {
    case 'broken':
      return [{ problem: { ...chunk.problem, field: null } }];
    case 'objects':
      return chunk.objects.map(programObject);
    case 'bytes':
      return recordFormat(chunk).parse(chunk);
    default:
      return chunk satisfies never;
  }
}

/**
 * @throws Error if the number of parsed records differs from that of cut ones, which would be a bug
 */
export function checkCount(chunk: Chunk, records: number): void {
  if (records === chunk.records) return;
  throw new Error(
    `A chunk of ${chunk.source} at byte ${chunk.position.byte} was parsed as ${records} records, but cut as ${chunk.records}. This is a bug in docferry.`,
  );
}

/** Converts a record to an object, with columns as keys. */
export function namedRecord(
  value: RecordValue,
  { columns }: Layout,
): Readonly<Record<string, unknown>> {
  if (columns === undefined) return value as Readonly<Record<string, unknown>>;
  const fields = value as readonly unknown[];
  return Object.fromEntries(columns.map((column, at) => [column, fields[at]]));
}

export function recordPlace(chunk: PlacedChunk, index: number): Place {
  const record = chunk.position.record + index;
  return { source: chunk.source, record, line: recordLine(chunk, index) };
}

function recordLine(chunk: PlacedChunk, index: number): number | null {
  if (chunk.kind === 'objects' || !recordFormat(chunk).hasLines) return null;
  if (chunk.kind === 'broken') return chunk.position.line;
  if (chunk.kind === 'released' || chunk.recordLines) return chunk.recordLines?.[index] ?? null;
  return locate(chunk)[index]?.line ?? null;
}

/** Returns a record as it was read, for a rejects file. */
export function recordAsRead(placed: PlacedChunk, index: number): RecordAsRead {
  const chunk = withRecords(placed);
  if (chunk.kind === 'broken') return { raw: chunk.bytes, shape: 'broken' };
  if (chunk.kind === 'objects') return wholeRecord(Buffer.from(objectText(chunk.objects[index])));
  const { start = 0, end = 0, raw } = locate(chunk)[index] ?? {};
  if (raw !== undefined) return wholeRecord(raw());
  const bytes = chunk.bytes.subarray(start, end);
  return recordFormat(chunk).asRead?.(bytes, chunk.layout) ?? wholeRecord(bytes);
}

/** Narrows to a chunk with its records. Requesting records that were released is a bug. */
export function withRecords(chunk: PlacedChunk): Chunk {
  if (chunk.kind !== 'released') return chunk;
  const { source, position } = chunk;
  throw new Error(
    `The records of ${source} from byte ${position.byte} on were given up, but are asked for. This is a bug in docferry.`,
  );
}

function wholeRecord(raw: Uint8Array): RecordAsRead {
  return { raw, shape: 'whole' };
}

/** Records are located only in chunks with something to report, and only once. */
const locatedChunks = new WeakMap<Chunk, readonly LocatedRecord[]>();

export function locate(chunk: BytesChunk): readonly LocatedRecord[] {
  const known = locatedChunks.get(chunk);
  if (known !== undefined) return known;
  const records = recordFormat(chunk).locate(chunk);
  locatedChunks.set(chunk, records);
  return records;
}

/** Values that count as empty, for look-ups. `null` is YAML's reading of an unquoted NULL. */
export function nullTexts(nulls: readonly (string | number | null)[]): ReadonlySet<string> {
  return new Set(
    nulls.flatMap((text) => (text === null ? ['NULL', 'Null', 'null'] : [String(text).trim()])),
  );
}

/** Replaces values that count as empty, at any depth, by empty texts. */
export function withoutNulls(record: RecordValue, nulls: ReadonlySet<string>): RecordValue {
  return replaceNulls(record, nulls) as RecordValue;
}

/** Only plain data is traversed, not a program's other objects. */
function replaceNulls(value: unknown, nulls: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return nulls.has(value.trim()) ? '' : value;
  if (typeof value === 'number') return nulls.has(String(value)) ? '' : value;
  if (Array.isArray(value)) return value.map((item) => replaceNulls(item, nulls));
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceNulls(inner, nulls)]),
  );
}
