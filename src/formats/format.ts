/**
 * The ports of a format. Everything specific to a format is in its own folder; only `formats.ts` and
 * `read-records.ts` name formats. A new one is a folder that exports a `Format`, which opens its files
 * and cuts them into chunks, and a `RecordFormat`, which parses the chunks on every thread. A `Format`
 * has `text` if its files are text, in any encoding, and `binary` otherwise.
 */
import type { Member } from '../input/archive.js';
import type { ByteSample } from '../input/pieces.js';
import type { SeekableInput } from '../input/seekable.js';
import type { BytesChunk, Chunk, Layout, Position } from '../model/chunk.js';
import type { ParsedRecord, RecordAsRead } from '../model/record.js';
import type { Detected, Source, Span, TableReading } from '../model/source.js';
import type { Limits, SourceOptions } from './options.js';

export interface Format<L extends Layout = Layout> {
  /** As stated by users and in the layout of chunks. */
  readonly name: string;
  /** For messages: `JSON Lines`. */
  readonly title: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Whether columns are named by a header. */
  readonly hasColumns: boolean;
  /** Name of the text format that its rejects are written in; default: its own. */
  readonly rejects?: string;
  readonly text?: TextFormat<L>;
  readonly binary?: BinaryFormat<L>;
  /** For a table with one column: the delimiter that would yield the most columns. */
  betterDelimiter?(layout: L): SuggestedDelimiter | undefined;
}

/** Reads the records of chunks, synchronously. */
export interface RecordFormat<L extends Layout = Layout> {
  /** Whether a line or row number helps people to find a record. */
  readonly hasLines: boolean;
  /** Parses a chunk, in order, with one entry per record, invalid ones included. */
  parse(chunk: BytesChunk<L>): Iterable<ParsedRecord>;
  locate(chunk: Located<L>): readonly LocatedRecord[];
  /** Prepares a record for a rejects file; by default its bytes in the chunk. */
  asRead?(bytes: Uint8Array, layout: L): RecordAsRead;
}

export interface TextFormat<L extends Layout = Layout> {
  /**
   * Returns whether a text is in this format.
   * @param start of the text, without leading blanks
   * @param named format that the file name's extension stands for
   */
  recognise(start: string, named: string | undefined): boolean;
  /**
   * Detects the layout and where the records start, or asks for a larger sample.
   * @throws SourceError if there are no records or the text is malformed
   */
  detect(sample: TextSample, options: SourceOptions): DetectedText<L> | 'need-more-data';
  /** Whether reading can start at any record. */
  readonly divisible: boolean;
  /** Creates a scanner that finds the ends of records, or of elements with records inside. */
  scanner(cutting: Cutting<L>): BoundaryScanner;
  /** For elements: counts the lines from an element's start to each of its records. */
  linesIn?(layout: L): ((element: Buffer) => readonly number[]) | undefined;
  /** Finds paths for the option `records` in the start of a text, shallowest first. */
  lists?(text: Buffer): readonly string[];
}

/** Format recognised by its first bytes that needs random access. */
export interface BinaryFormat<L extends Layout = Layout> {
  /** For messages: `an XLSX workbook`. */
  readonly label: string;
  /** Magic number; omitted if files are zip archives. */
  readonly magic?: string;
  /**
   * Returns whether a zip archive is in this format.
   * @param members names of the files in it
   */
  isZip?(members: readonly string[]): boolean;
  /**
   * Opens what is to be read; of a workbook one or more sheets.
   * @throws SourceError, BrokenInput
   */
  open(file: BinaryFile, options: SourceOptions): Promise<readonly Opened<L>[]>;
  /** For workbooks: reads the first rows of each sheet, in order. */
  firstRows?(file: BinaryFile, max: number): Promise<readonly SheetRows[]>;
}

export type TextFileFormat<L extends Layout = Layout> = Format<L> & {
  readonly text: TextFormat<L>;
};

export type BinaryFileFormat = Format & { readonly binary: BinaryFormat };

export interface BinaryFile {
  readonly name: string;
  readonly seekable: SeekableInput;
  /** Files in it, if it is a zip archive. */
  readonly members: readonly Member[];
}

/** Fields of a {@link Source} with defaults. */
type MoreOfSource = Partial<
  Pick<Source, 'name' | 'divisible' | 'head' | 'byteOrderMark' | 'tail' | 'remarks' | 'reading'>
>;

/** Opened input (or sheet) that a {@link Source} is made of. */
export interface Opened<L extends Layout = Layout> extends MoreOfSource {
  readonly layout: L;
  /** In addition to the layout. */
  readonly detected?: Partial<Pick<Detected, 'encoding' | 'sheet'>>;
  readonly notices: readonly string[];
  /** Reads the records in chunks; an abort closes what is open. */
  cutChunks(pass: ReadPass<L>): AsyncIterable<Chunk>;
  /** Omitted if only the input itself is open. */
  close?(): void;
}

/** Options for one pass over an input. */
export interface ReadPass<L extends Layout = Layout> {
  readonly source: ChunkSource<L>;
  readonly limits: Limits;
  /** Called with the number of bytes read from the input as stored. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
  /** Part to read, of a divisible source. */
  readonly span: Span | undefined;
}

/** Fields common to all chunks of a source. */
export type ChunkSource<L extends Layout = Layout> = Pick<
  BytesChunk<L>,
  'source' | 'input' | 'layout'
>;

export interface TextSample extends ByteSample {
  readonly name: string;
  /** Length of the byte order mark; 0 if there is none. */
  readonly mark: number;
}

/** Text whose layout was detected. */
export interface DetectedText<L extends Layout = Layout> {
  readonly layout: L;
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly start: Position;
  /** Offset at and after which no record starts; the end of the source by default. */
  readonly end?: number;
  readonly notices: readonly string[];
  readonly reading?: TableReading;
}

export interface Cutting<L extends Layout = Layout> {
  readonly source: ChunkSource<L>;
  readonly limits: Limits;
  readonly start: Position;
  /** For divisible sources: offset at and after which no record may start. */
  readonly to: number;
  readonly tail: Uint8Array;
}

/** The part of a chunk needed to locate its records. */
export type Located<L extends Layout = Layout> = Pick<
  BytesChunk<L>,
  'bytes' | 'layout' | 'position'
>;

export interface LocatedRecord {
  /** Line in the source, from 1. */
  readonly line: number;
  /** Offset in the chunk's bytes. */
  readonly start: number;
  /** Offset in the chunk's bytes, without a line end, comma or blanks around the record. */
  readonly end: number;
  /** Returns the record's bytes for a rejects file, if it is only a part of what is located. */
  readonly raw?: () => Uint8Array;
}

/** Delimiter, and the columns that it would split the header into. */
export interface SuggestedDelimiter {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

export interface SheetRows {
  readonly format: string;
  readonly name: string;
  readonly hidden: boolean;
  /** Rows that have cells. */
  readonly rows: readonly TextRow[];
}

export interface TextRow {
  /** From 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Result of scanning a position. `blank`: blanks or a comment; `broken`: a record with malformed
 * quotes, taken to be its first line; `too-long`: a record beyond the size limit; `need-more-data`: undecided
 * without more bytes; `fault`: reading can't continue; `closed`: only the end of a document
 * follows.
 */
export type Found =
  | 'record'
  | 'blank'
  | 'broken'
  | 'too-long'
  | 'need-more-data'
  | 'fault'
  | 'closed';

/** Finds the ends of records. Offsets are relative to the loaded bytes. */
export interface BoundaryScanner {
  /** End of what was found, without its line end or comma. */
  readonly end: number;
  /** Start of what follows. */
  readonly next: number;
  /** Number of lines that end in what was found. */
  readonly lines: number;
  /** Whether chunks start at a record, as only there the scanner knows its context. */
  readonly startsAtRecords?: boolean;
  /** Set for a broken record. */
  readonly broken?: Break | undefined;
  /** Set if reading can't continue. */
  readonly fault?: SourceFault | undefined;
  /** @param last whether these bytes end the source */
  load(bytes: Buffer, last: boolean): void;
  /** Scans what starts at `start`, which isn't the end of the bytes. */
  scan(start: number): Found;
  /**
   * Skips a record that is `over`, or what follows `closed` records, within the loaded bytes.
   * Returns whether the end was reached.
   */
  skip(from: number): boolean;
}

export interface SourceFault {
  readonly at: number;
  readonly reason: string;
  readonly remedy: string;
}

/** Malformed quote. Offsets are relative to the loaded bytes. */
export interface Break {
  readonly kind: 'unclosed-quote' | 'malformed-quote';
  /** Lines from the start of the record to the quote that opened the field. */
  readonly lines: number;
  /** For `malformed-quote`: offset of what follows the closing quote. */
  readonly after: number;
}
