import type { ReadableStream } from 'node:stream/web';
import type { Chunk, Layout, Position } from './chunk.js';

/**
 * Where records come from: a path, a glob, an `https:` address, `-` for stdin, or several of these;
 * an iterable or async iterable of objects, or of the pieces (bytes or text) of a file, which a Node
 * stream is; a web stream of the same; the bytes of a file. An array of strings holds paths.
 */
export type Input =
  | string
  | readonly string[]
  | AsyncIterable<unknown>
  | Iterable<unknown>
  | ReadableStream
  | ArrayBuffer;

/** What was found out about a source, or was said in its options. */
export interface Detected {
  readonly format: Layout['format'];
  /** `null` for objects and text that a program hands over. */
  readonly encoding: string | null;
  readonly compression: 'gzip' | 'zstd' | null;
  /** Workbooks only. */
  readonly sheet?: string;
  /** CSV and workbooks only. */
  readonly columns?: readonly string[];
  /** CSV only, as are the following. */
  readonly delimiter?: string;
  readonly quote?: string | null;
  readonly escape?: string | null;
}

/** A regular file, as it was when it was looked at: it can be read again. */
export interface RegularFile {
  /** Absolute, and without links. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Its number in its file system. */
  readonly inode: number;
}

/** A stretch of a source between two record boundaries that cutting the whole source has found. */
export interface Span {
  readonly from: Position;
  /** Offset behind its last byte, in the same bytes. */
  readonly to: number;
}

/** One input, looked at and ready to be read. */
export interface Source {
  /**
   * The path as given, with `/` and its own name for a member of an archive; an address without its
   * query; `stdin`, `stream` for pieces of a file, or `records` for objects.
   */
  readonly name: string;
  /** Index among the run's inputs, from 0. */
  readonly input: number;
  /** Bytes on disk; `null` when not known. */
  readonly size: number | null;
  /** `null` for what can be read only once. */
  readonly file: RegularFile | null;
  /** How long its records may wait for others, in milliseconds: without end, unless it may be slow. */
  readonly flushMs: number;
  /**
   * Whether a span of it can be read without what comes before: a regular file, not compressed,
   * UTF-8, of lines.
   */
  readonly divisible: boolean;
  readonly layout: Layout;
  readonly detected: Detected;
  /** What a person should know before the records are read. */
  readonly notices: readonly string[];
  /**
   * UTF-8 bytes that stand before the first record, without a byte order mark: skipped lines and
   * the header; for a JSON document the brackets and keys around the list. With the tail they make
   * a whole file of some of its records.
   */
  readonly head: Uint8Array;
  /** Whether its rejects begin with a byte order mark: it does itself, or it is a workbook. */
  readonly mark?: boolean;
  /** What closes a JSON document; otherwise empty. */
  readonly tail: Uint8Array;
  /** What has turned up while it was read, as far as it has been, that a person should know. */
  remarks?(): readonly string[];
  /** Bytes of the input that have been read so far (compressed, if it is). */
  bytesRead(): number;
  /**
   * The records, in chunks that own their bytes. A stream can be read only once. Leaving the loop
   * or aborting closes what is open.
   * @param span of a divisible source: exactly the records that begin in it, as reading the whole
   *   gives them. What is read reaches beyond it, as far as its last record takes to be understood.
   * @throws SourceBrokenError if the source ends or fails in the middle, after all that could be
   *   read; the signal's reason when it is aborted
   */
  chunks(signal?: AbortSignal, span?: Span): AsyncIterable<Chunk>;
  /** Closes what is open for it, if it isn't to be read, or not to its end. */
  close(): void;
}
