import type { ReadableStream } from 'node:stream/web';
import type { Chunk, Layout } from './chunk.js';

/**
 * Where records come from: a path, a glob, an `https:` address, `-` for stdin, or several of these; an iterable or async
 * iterable of objects, or of the pieces (bytes or text) of a file, which a Node stream is; a web
 * stream of the same. An array of strings holds paths.
 */
export type Input =
  | string
  | readonly string[]
  | AsyncIterable<unknown>
  | Iterable<unknown>
  | ReadableStream;

/** How to read an input. What is left out is detected. A mapping says it under `input`. */
export interface InputOptions {
  readonly format?: 'csv' | 'jsonl' | 'json' | 'xlsx' | 'parquet';
  /** What stands between two fields; one character, or several. */
  readonly delimiter?: string;
  /** One ASCII character; `null`: quotes mean nothing. */
  readonly quote?: string | null;
  /** One ASCII character; the quote itself by default. `null`: quoted fields hold no quotes. */
  readonly escape?: string | null;
  /** Lines that start with this are no records; none by default. */
  readonly comment?: string | null;
  /** A name such as `utf-8`, `windows-1252`, `utf-16le`. */
  readonly encoding?: string;
  /**
   * `true` (the default): the first record names the columns. `false`: there are no names, and the
   * columns are called `1`, `2`, … A list: these are the names, and the file holds none.
   */
  readonly header?: boolean | readonly string[];
  /** Lines before the header that are no part of the table; default 0. */
  readonly skipLines?: number;
  /** Path of the list inside a JSON document: `result.reviews`, `pages[0].items`. */
  readonly records?: string;
  /** The sheet of a workbook, by name or by number from 1; default: the first that is not hidden. */
  readonly sheet?: string | number;
}

/** How to read an input, and in what portions. */
export interface SourceOptions extends InputOptions {
  /** About how many bytes are handed on at a time; default 128 KiB, at least 64. */
  readonly chunkBytes?: number;
  /** Longer records are invalid; default 1 MiB, at least 64. */
  readonly maxRecordBytes?: number;
  /**
   * How many times its packed size an input may have when it is unpacked; default 250, at least 1.
   * Looked at once more than 64 MiB have come out.
   */
  readonly maxExpansion?: number;
}

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
  /** What closes a JSON document; otherwise empty. */
  readonly tail: Uint8Array;
  /** What has turned up while it was read, as far as it has been, that a person should know. */
  remarks?(): readonly string[];
  /** Bytes of the input that have been read so far (compressed, if it is). */
  bytesRead(): number;
  /**
   * The records, in chunks that own their bytes. A stream can be read only once. Leaving the loop
   * or aborting closes what is open.
   * @throws SourceBrokenError if the source ends or fails in the middle, after all that could be
   *   read; the signal's reason when it is aborted
   */
  chunks(signal?: AbortSignal): AsyncIterable<Chunk>;
}
