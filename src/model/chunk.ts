/**
 * A chunk is a span of a source that starts and ends on record boundaries. It is the unit of
 * parallel work, of memory and of position. Chunks are plain data, so that they can be handed to
 * a worker thread.
 */
import type { Problem } from './record.js';

/** How the bytes of a CSV source are to be read. */
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

/** How the records of a source are laid out; the same for all of a source's chunks. */
export type Layout =
  | {
      readonly format: 'csv';
      readonly dialect: Dialect;
      /** Without those of a rejects file (see `reject-columns.ts`): no mapping sees them. */
      readonly columns: readonly string[];
      /** What the source says of its columns: nothing, these, or these and those of rejects. */
      readonly header: 'none' | 'plain' | 'rejects';
    }
  | { readonly format: 'jsonl' }
  /** The elements of a list inside a JSON document: a chunk's bytes are elements with commas between. */
  | { readonly format: 'json' }
  /** Rows of a workbook's sheet: a line for each, empty or with a JSON list of the cells' texts. */
  | { readonly format: 'xlsx'; readonly columns: readonly string[] }
  /** Rows of a Parquet file: a line for each, with a JSON object. */
  | { readonly format: 'parquet' }
  /** Objects handed over by a program. */
  | { readonly format: 'objects' };

/** Where a chunk starts. */
export interface Position {
  /** Offset in the source's decoded UTF-8 bytes; equals the file's for a plain UTF-8 file. */
  readonly byte: number;
  /** Number of the chunk's first record, from 1. */
  readonly record: number;
  /** Line on which the chunk's first byte stands, from 1; a row of a sheet is a line. */
  readonly line: number;
}

interface ChunkBase {
  /** The source's name, for {@link Place}. */
  readonly source: string;
  /** Index of the source among the run's inputs, from 0. */
  readonly input: number;
  readonly layout: Layout;
  /**
   * The encoding that its bytes were decoded from, `text` for text that a program handed over: marks
   * (`undecodable-marks.ts`) stand for what was not valid in it. Absent if the bytes are the source's.
   */
  readonly decodedFrom?: string;
  readonly position: Position;
  /** Number of records in it; blank and comment lines are none. */
  readonly records: number;
}

/**
 * Whole records as UTF-8 bytes. Bytes that are not valid UTF-8 are passed on as they are: the
 * transform tells the fields that hold them.
 */
export interface BytesChunk extends ChunkBase {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** Records that came as objects. */
export interface ObjectsChunk extends ChunkBase {
  readonly kind: 'objects';
  readonly objects: readonly unknown[];
}

/** One record whose end could not be made out, or that is too long: never parsed, always invalid. */
export interface BrokenChunk extends ChunkBase {
  readonly kind: 'broken';
  /** What there is of it, as read; at most the largest record's size. */
  readonly bytes: Uint8Array;
  readonly problem: Omit<Problem, 'field'>;
}

/** See the top of this file. */
export type Chunk = BytesChunk | ObjectsChunk | BrokenChunk;

/** Names of a table's columns, whose records are lists of texts; nothing where records are objects. */
export function tableColumns(layout: Layout): readonly string[] | undefined {
  return 'columns' in layout ? layout.columns : undefined;
}
