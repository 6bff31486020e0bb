/**
 * A chunk is a span of a source that starts and ends on record boundaries. It is the unit of
 * parallel work, of memory and of position. Chunks are plain data, so that they can be handed to
 * a worker thread.
 */
import { Buffer } from 'node:buffer';
import { SourceError } from './errors.js';
import type { Origin, Problem } from './record.js';

/** How the fields of a table in text are told apart. */
export interface Dialect {
  /** One character, or several: what stands between two fields. */
  readonly delimiter: string;
  /** One ASCII character, or `null` when quotes mean nothing. */
  readonly quote: string | null;
  /** What makes a quote inside a quoted field literal; the quote itself by default. */
  readonly escape: string | null;
  /** Lines that start with this are no records; `null` for none. */
  readonly comment: string | null;
}

/**
 * How the records of a source are laid out; the same for all of a source's chunks. A format may add
 * to it what it needs to find and read records again, as plain data.
 */
export interface Layout {
  /** The format's name. */
  readonly format: string;
  /**
   * Names of a table's columns, whose records are lists of texts; without those of a rejects file
   * ({@link REJECT_COLUMNS}), which no mapping sees. Absent where records are objects.
   */
  readonly columns?: readonly string[];
  /** Of a table in text, as is the header. */
  readonly dialect?: Dialect;
  /** What the source says of its columns: nothing, these, or these and those of rejects. */
  readonly header?: 'none' | 'plain' | 'rejects';
  /** Texts that stand for nothing. */
  readonly nulls?: readonly (string | number | null)[];
  /** The records are elements of a list in a JSON document, each with the comma or bracket behind it. */
  readonly inList?: true;
}

/** Where a chunk starts. */
export interface Position {
  /** Offset in the source's decoded UTF-8 bytes; equals the file's for a plain UTF-8 file. */
  readonly byte: number;
  /** Number of the chunk's first record, from 1. */
  readonly record: number;
  /** Line on which the chunk's first byte stands, from 1; a row of a sheet is a line. */
  readonly line: number;
}

interface ChunkBase<L extends Layout> {
  /** The source's name, for {@link Place}. */
  readonly source: string;
  /** Index of the source among the run's inputs, from 0. */
  readonly input: number;
  readonly layout: L;
  readonly position: Position;
  /** Number of records in it; blank and comment lines are none. */
  readonly records: number;
  /** The line on which each of them starts, where that turned up when they were cut. */
  readonly recordLines?: readonly number[];
}

/** Whole records as UTF-8 bytes, with what is not valid in a source of UTF-8. */
export interface BytesChunk<L extends Layout = Layout> extends ChunkBase<L> {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/**
 * Records whose bytes are gone with the thread that read them, as nobody will ask for them: where
 * each stands is still known.
 */
export interface PlacesChunk extends ChunkBase<Layout> {
  readonly kind: 'places';
}

/** Records that came as objects. */
export interface ObjectsChunk extends ChunkBase<Layout> {
  readonly kind: 'objects';
  readonly objects: readonly unknown[];
}

/** One record whose end could not be made out, or that is too long: never parsed, always invalid. */
export interface BrokenChunk extends ChunkBase<Layout> {
  readonly kind: 'broken';
  /** What there is of it, as read; at most the largest record's size. */
  readonly bytes: Uint8Array;
  readonly problem: Omit<Problem, 'field'>;
}

/** See the top of this file. */
export type Chunk = BytesChunk | ObjectsChunk | BrokenChunk;

/** What is left of a chunk when its records have become documents. */
export type PlacedChunk = Chunk | PlacesChunk;

/** The bytes as a Buffer, without copying them: bytes that crossed a thread are plain arrays. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A part of them, as `subarray` gives it, but no Buffer: to make one takes twice as long. */
export function partOf(
  { buffer, byteOffset, length }: Uint8Array,
  from: number,
  to: number = length,
): Uint8Array {
  return new Uint8Array(buffer, byteOffset + from, to - from);
}

const LF = 0x0a;
const CR = 0x0d;

/** How many lines end in a span: at LF, at CRLF, or at CR alone. A CR at its very end counts. */
export function countLineEnds(
  bytes: Uint8Array,
  from: number = 0,
  to: number = bytes.length,
): number {
  const span = from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
  let count = 0;
  for (let at = span.indexOf(LF); at >= 0; at = span.indexOf(LF, at + 1)) count += 1;
  for (let at = span.indexOf(CR); at >= 0; at = span.indexOf(CR, at + 1)) {
    if (span[at + 1] !== LF) count += 1;
  }
  return count;
}

/**
 * The columns that docferry appends to records of tables it gives back, in this order. A table that
 * ends in them is recognised when it is imported: no mapping sees them, and they tell which records
 * are fixed.
 */
export const REJECT_COLUMNS: readonly string[] = [
  'docferry_outcome',
  'docferry_problems',
  'docferry_origin',
];

/**
 * Whether a header ends in the columns of rejects.
 * @throws SourceError if it has all of them, but not there
 */
export function endsInRejectColumns(name: string, header: readonly string[]): boolean {
  const hasAll = REJECT_COLUMNS.every((column) => header.includes(column));
  if (!hasAll || header.length === REJECT_COLUMNS.length) return false;
  const last = header.slice(-REJECT_COLUMNS.length);
  if (last.every((column, at) => column === REJECT_COLUMNS[at])) return true;
  throw new SourceError(
    `${name} has the columns ${REJECT_COLUMNS.join(', ')} of rejects, but not as its last: move them there, in this order, or remove all three.`,
  );
}

/** How many fields a record has to have. */
export function fieldCount({ columns = [], header }: Layout): number {
  return columns.length + (header === 'rejects' ? REJECT_COLUMNS.length : 0);
}

/** `20260131-093000-ab12cd:1:12`: the run, its first input, that input's record 12. */
export function originText({ run, input, record }: Origin): string {
  return `${run}:${input + 1}:${record}`;
}

const ORIGIN = /^([\w-]+):([1-9]\d{0,8}):([1-9]\d{0,14})$/;

/** What a field of origins names: one for each run that gave the record back; others are left out. */
export function originsIn(text: string): readonly Origin[] {
  return text.split(' ').flatMap((part) => {
    const [, run, input, record] = ORIGIN.exec(part) ?? [];
    return run === undefined ? [] : [{ run, input: Number(input) - 1, record: Number(record) }];
  });
}

/** What a spreadsheet takes for a formula, behind any apostrophes that keep it from doing so. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Whether a field begins as a formula does, or would without its apostrophes. */
export function couldBeFormula(field: string): boolean {
  return FORMULA.test(field);
}

/** Whether formulas get an apostrophe: not where an apostrophe means something else. */
export function escapesFormulas({ delimiter, quote, escape: mark, comment }: Dialect): boolean {
  return ![delimiter, quote, mark, comment].some((sign) => sign?.includes("'"));
}

/** A field with an apostrophe before it, if a spreadsheet could take it for a formula. */
export function withApostrophe(field: string): string {
  return couldBeFormula(field) ? `'${field}` : field;
}

/** A field of rejects without the apostrophe that it got there. */
export function withoutApostrophe(field: string): string {
  return field.startsWith("'") && couldBeFormula(field) ? field.slice(1) : field;
}
