/**
 * A chunk is a span of a source that starts and ends on record boundaries. It is the unit of
 * parallel work, of memory and of position. Chunks are plain data, so that they can be handed to
 * a worker thread.
 */
import { Buffer } from 'node:buffer';
import type { Problem } from './record.js';

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
   * (see `reject-columns.ts`), which no mapping sees. Absent where records are objects.
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
