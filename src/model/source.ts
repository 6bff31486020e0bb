import type { Chunk, Layout, Position } from './chunk.js';

/**
 * Accepted inputs: a path, a glob, an `https:` address, `-` for stdin, or several of these; an
 * iterable or async iterable of objects, or of the pieces (bytes or text) of a file, for example a
 * Node stream; a web stream of the same; the bytes of a file. An array of strings holds paths.
 */
export type Input =
  | string
  | readonly string[]
  | AsyncIterable<unknown>
  | Iterable<unknown>
  | WebStream
  | ArrayBuffer;

/** Common part of Node's and the browser's types of a `ReadableStream`. */
interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** Properties of a source, detected or given in its options. */
export interface Detected {
  readonly format: Layout['format'];
  /** `null` for objects and text from a program. */
  readonly encoding: string | null;
  readonly compression: 'gzip' | null;
  /** Workbooks only. */
  readonly sheet?: string;
  /** CSV and workbooks only. */
  readonly columns?: readonly string[];
  /** CSV only, as are the following. */
  readonly delimiter?: string;
  readonly quote?: string | null;
  readonly escape?: string | null;
}

/** Result of finding a table. */
export interface TableReading {
  /** Options that read it alike, where they weren't given and may not be found again. */
  readonly options: {
    readonly skipLines?: number;
    readonly header?: false | readonly string[];
    readonly ragged?: 'pad';
  };
  /**
   * Number of sampled records that lack only their last fields, in words, and the notice that says
   * so; absent if others are uneven, too.
   */
  readonly lacking?: { readonly found: string; readonly notice: string } | undefined;
  /** Rows below the header that describe the columns. */
  readonly labels: readonly (readonly string[])[];
  /** Findings that change which lines are records. */
  readonly notices: readonly string[];
  /** Questions for the user, as sentences without the source's name. */
  readonly questions: readonly string[];
}

/** A regular file, which can be read again, as it was when it was opened. */
export interface RegularFile {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly size: number;
  /** Time of the last write, in milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly inode: number;
}

/** A file as it was written, so that changes to it show. */
export type WrittenFile = Pick<RegularFile, 'path' | 'size' | 'modifiedMs'>;

/**
 * A part of a source between two record boundaries, which were found by cutting the whole source.
 */
export interface Span {
  readonly from: Position;
  /** Offset after its last byte, counted like `from.byte`. */
  readonly to: number;
}

/** An opened input, ready to be read. */
export interface Source {
  /**
   * The path as given, plus `/` and the member's name in an archive; an address without its query;
   * `stdin`; `stream` for pieces of a file; `records` for objects.
   */
  readonly name: string;
  /** Index among the run's inputs, from 0. */
  readonly input: number;
  /** Bytes on disk; `null` if unknown. */
  readonly size: number | null;
  /** `null` if the source can be read only once. */
  readonly file: RegularFile | null;
  /**
   * Maximum time that records wait for a full chunk, in milliseconds; infinite unless the source may be
   * slow.
   */
  readonly flushMs: number;
  /** Whether a span can be read on its own: a regular, uncompressed UTF-8 file of lines. */
  readonly divisible: boolean;
  readonly layout: Layout;
  readonly detected: Detected;
  readonly notices: readonly string[];
  /** Set for tables only. */
  readonly reading?: TableReading;
  /**
   * UTF-8 bytes before the first record, without a byte order mark: skipped lines and the header;
   * for a JSON document, the brackets and keys around the list. Head, some records and tail make a
   * complete file.
   */
  readonly head: Uint8Array;
  /** Whether its rejects begin with a byte order mark, because the source does or is a workbook. */
  readonly byteOrderMark?: boolean;
  /** Bytes that close a JSON document; otherwise empty. */
  readonly tail: Uint8Array;
  /** Notices for people that came up while reading so far. */
  remarks?(): readonly string[];
  /** Bytes of the input read so far, before decompression. */
  bytesRead(): number;
  /**
   * Yields the records in chunks that own their bytes. A stream can be read only once. Leaving the
   * loop or aborting closes open resources.
   * @param span of a divisible source: yields exactly the records that begin in it, the same as
   * when the whole source is read. Reads beyond it until the last record is complete.
   * @throws SourceBrokenError if the source ends or fails partway, after all readable records; the
   * signal's reason if it is aborted
   */
  chunks(signal?: AbortSignal, span?: Span): AsyncIterable<Chunk>;
  /** Closes open resources if the source won't be read to its end. */
  close(): void;
}

/** Size of all inputs; `null` if that of one is unknown. */
export function totalBytes(inputs: readonly Pick<Source, 'size'>[]): number | null {
  return inputs.reduce<number | null>(
    (sum, { size }) => (sum === null || size === null ? null : sum + size),
    0,
  );
}
