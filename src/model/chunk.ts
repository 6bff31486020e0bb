/**
 * A chunk is a span of a source that starts and ends on record boundaries: the unit of parallel
 * work, memory and position. Chunks are plain data, so that they can be sent to worker threads.
 */
import { Buffer } from 'node:buffer';
import type { Problem } from './record.js';

/** Syntax of a table in text. */
export interface Dialect {
  /** One or more characters between two fields. */
  readonly delimiter: string;
  /** One ASCII character, or `null` if quotes have no meaning. */
  readonly quote: string | null;
  /** Character that escapes a quote inside a quoted field; the quote itself by default. */
  readonly escape: string | null;
  /** Prefix of lines to ignore; `null` for none. */
  readonly comment: string | null;
}

/**
 * Layout of a source's records, shared by all its chunks. A format may add plain data that it needs
 * to find and parse records again.
 */
export interface Layout {
  readonly format: string;
  /**
   * Names of a table's columns; its records are lists of texts. Excludes the columns of a rejects
   * file (see `reject-columns.ts`), which mappings don't see. Absent if records are objects.
   */
  readonly columns?: readonly string[];
  /** Set only for tables in text. */
  readonly dialect?: Dialect;
  /** Whether the source has a header, and whether it includes the columns of rejects. Set only for tables in text. */
  readonly header?: 'none' | 'plain' | 'rejects';
  /** Values that mean blank. */
  readonly nulls?: readonly (string | number | null)[];
  /**
   * Set if records are elements of a list in a JSON document, each with the comma or bracket after
   * it.
   */
  readonly inList?: true;
  /** Set if that list is an object whose values are the elements, each with its key. */
  readonly keyed?: true;
  /**
   * Set if the records are in lists inside the elements (or lines): the path from an element to the
   * list, and from that list's elements to the next.
   */
  readonly inside?: readonly (readonly (string | number)[])[];
  /** A document's values before that list: the parent of its elements. */
  readonly around?: Readonly<Record<string, unknown>>;
}

export interface Position {
  /** Offset in the source's decoded UTF-8 bytes; equals the file's for a plain UTF-8 file. */
  readonly byte: number;
  /** Number of the chunk's first record, from 1. */
  readonly record: number;
  /** Line of the chunk's first byte, from 1; a row of a sheet counts as a line. */
  readonly line: number;
}

interface ChunkBase<L extends Layout> {
  /** The source's name, for {@link Place}. */
  readonly source: string;
  /** Index of the source among the run's inputs, from 0. */
  readonly input: number;
  readonly layout: L;
  readonly position: Position;
  /** Number of records, without blank lines and comments. */
  readonly records: number;
  /** Line on which each record starts, if known from cutting. */
  readonly recordLines?: readonly number[];
}

/** Whole records as UTF-8 bytes; invalid bytes of a UTF-8 source are included. */
export interface BytesChunk<L extends Layout = Layout> extends ChunkBase<L> {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** Records whose bytes the thread that read them has released; their places remain known. */
export interface ChunkMetadata extends ChunkBase<Layout> {
  readonly kind: 'released';
}

export interface ObjectsChunk extends ChunkBase<Layout> {
  readonly kind: 'objects';
  readonly objects: readonly unknown[];
}

/** One record without a recognisable end, or too long: never parsed, always invalid. */
export interface BrokenChunk extends ChunkBase<Layout> {
  readonly kind: 'broken';
  /** Its bytes as read, at most the maximum record size. */
  readonly bytes: Uint8Array;
  readonly problem: Omit<Problem, 'field'>;
}

export type Chunk = BytesChunk | ObjectsChunk | BrokenChunk;

/** A chunk after its records became documents. */
export type PlacedChunk = Chunk | ChunkMetadata;

/** Views bytes as a Buffer without copying; bytes from another thread are plain arrays. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns a part like `subarray`, but never as a Buffer, which takes twice as long to create. */
export function partOf(
  { buffer, byteOffset, length }: Uint8Array,
  from: number,
  to: number = length,
): Uint8Array {
  return new Uint8Array(buffer, byteOffset + from, to - from);
}

const LF = 0x0a;
const CR = 0x0d;

/** Counts line ends in a span: LF, CRLF, or CR alone. A CR at the very end counts. */
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
