/**
 * The port of a format. All that docferry knows of a format stands behind it, in a folder of the
 * format's own; `formats.ts` names the formats, and nobody else does.
 *
 * A new format is a folder that exports a `Format` under the format's name, and its place in
 * `formats.ts`. It gives `text` if its files are text, whatever their encoding, and `binary` if not;
 * the rest stays as it is. `parse`, `locate` and `asRead` are called on every thread and can't
 * wait. What takes a package or much code is imported when a file is opened: `formats.ts` is loaded
 * by whoever parses a chunk.
 */
import type { Member } from '../input/archive.js';
import type { ByteSample } from '../input/pieces.js';
import type { SeekableInput } from '../input/seekable.js';
import type { BytesChunk, Chunk, Layout, Position } from '../model/chunk.js';
import type { ParsedRecord, RecordAsRead } from '../model/record.js';
import type { Detected, Source, Span } from '../model/source.js';
import type { Limits, SourceOptions } from './options.js';

/** See the top of this file. */
export interface Format<L extends Layout = Layout> {
  /** As it is stated, and as chunks name it in their layout. */
  readonly name: string;
  /** In a sentence that tells what can be read: `JSON Lines`. */
  readonly title: string;
  /** Of its files' names, in lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Whether a header names columns. */
  readonly hasColumns: boolean;
  /** Whether a record stands on a line, or a row of a sheet, by which a person finds it. */
  readonly hasLines: boolean;
  readonly text?: TextFormat<L>;
  readonly binary?: BinaryFormat<L>;

  /** The records of a chunk, in order: one entry for each, bad ones included. */
  parse(chunk: BytesChunk<L>): Iterable<ParsedRecord>;
  /** Where those records stand. */
  locate(chunk: Located<L>): readonly LocatedRecord[];
  /** A record as it can stand among the rejects; by default its bytes in the chunk. */
  asRead?(bytes: Uint8Array, layout: L): RecordAsRead;
  /** Of a table with one column: the delimiter that would give it most. */
  betterDelimiter?(layout: L): SuggestedDelimiter | undefined;
}

/** A format whose files are text: it is given their start as UTF-8. */
export interface TextFormat<L extends Layout = Layout> {
  /**
   * Whether a text is one of it.
   * @param start of the text, without blanks before it
   * @param named the format that the file's name has the extension of
   */
  recognise(start: string, named: string | undefined): boolean;
  /**
   * Finds where the records begin. `need-more-data`: it needs to see more of the text.
   * @throws SourceError if there are none, or it makes no sense
   */
  detect(sample: TextSample, options: SourceOptions): DetectedText<L> | 'need-more-data';
  /** Whether any record of it can be found again without those before it. */
  readonly divisible: boolean;
  /** Finds the ends of the records in what follows. */
  scanner(cutting: Cutting<L>): BoundaryScanner;
}

/** A format whose files are known by their first bytes, and read here and there. */
export interface BinaryFormat<L extends Layout = Layout> {
  /** What a file of it is: `an XLSX workbook`. */
  readonly label: string;
  /** What its files begin with; left out where they are zip archives. */
  readonly magic?: string;
  /**
   * Whether a zip archive is a file of it.
   * @param members names of the files in it
   */
  isZip?(members: readonly string[]): boolean;
  /**
   * What is to be read of a file: of a workbook, one or more sheets.
   * @throws SourceError, BrokenInput
   */
  open(file: BinaryFile, options: SourceOptions): Promise<readonly Opened<L>[]>;
  /** Of workbooks: the first rows of each sheet, in the workbook's order. */
  firstRows?(file: BinaryFile, max: number): Promise<readonly SheetRows[]>;
}

/** A format whose files are text. */
export type TextOne<L extends Layout = Layout> = Format<L> & { readonly text: TextFormat<L> };

/** A format whose files are not text. */
export type BinaryOne = Format & { readonly binary: BinaryFormat };

/** A file that is not text, decompressed. */
export interface BinaryFile {
  readonly name: string;
  readonly seekable: SeekableInput;
  /** The files in it, if it is a zip archive. */
  readonly members: readonly Member[];
}

/** Fields of a {@link Source} that default to the file's name, `false`, or nothing. */
type MoreOfSource = Partial<
  Pick<Source, 'name' | 'divisible' | 'head' | 'mark' | 'tail' | 'remarks'>
>;

/** An input that is open: what a source is made of. */
export interface Opened<L extends Layout = Layout> extends MoreOfSource {
  readonly layout: L;
  /** Beside what the layout tells. */
  readonly detected?: Partial<Pick<Detected, 'encoding' | 'sheet'>>;
  readonly notices: readonly string[];
  /** The records, in chunks; after an abort, what is open is closed. */
  chunks(reading: Reading<L>): AsyncIterable<Chunk>;
  /** Closes what is open; left out where only the input itself is. */
  close?(): void;
}

/** One reading of an input. */
export interface Reading<L extends Layout = Layout> {
  readonly source: ChunkSource<L>;
  readonly limits: Limits;
  /** Is told how many bytes have been read where the input lies. */
  readonly counted: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
  /** Only this part of a divisible one. */
  readonly span: Span | undefined;
}

/** What all chunks of a source have in common. */
export type ChunkSource<L extends Layout = Layout> = Pick<
  BytesChunk<L>,
  'source' | 'input' | 'layout'
>;

/** The start of a text as UTF-8. */
export interface TextSample extends ByteSample {
  readonly name: string;
  /** Length of the byte order mark that the bytes begin with. */
  readonly mark: number;
}

/** A text whose records were found. */
export interface DetectedText<L extends Layout = Layout> {
  readonly layout: L;
  /** As in {@link Source}. */
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Where the records begin. */
  readonly start: Position;
  readonly notices: readonly string[];
}

/** What it takes to cut a text, whose window stands where cutting begins. */
export interface Cutting<L extends Layout = Layout> {
  readonly source: ChunkSource<L>;
  readonly limits: Limits;
  readonly start: Position;
  /** Of what is divisible: offset in the source behind which no record is to begin. */
  readonly to: number;
  /** See {@link DetectedText}. */
  readonly tail: Uint8Array;
}

/** A chunk, as far as it takes to find its records. */
export type Located<L extends Layout = Layout> = Pick<
  BytesChunk<L>,
  'bytes' | 'layout' | 'position'
>;

/** Where a record of a chunk stands. */
export interface LocatedRecord {
  /** Line of the source on which the record starts, from 1. */
  readonly line: number;
  /** Offset of its first byte in the chunk's bytes. */
  readonly start: number;
  /** Offset behind its last byte, without line end, comma or blanks around it. */
  readonly end: number;
}

/** A delimiter, and the columns that a header has when it is split there. */
export interface SuggestedDelimiter {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

/** The start of a sheet. */
export interface SheetRows {
  /** The workbook's format. */
  readonly format: string;
  readonly name: string;
  readonly hidden: boolean;
  /** Rows with cells. */
  readonly rows: readonly TextRow[];
}

/** A row of a sheet whose cells are all texts. */
export interface TextRow {
  /** In the sheet, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * What stands at a position: a `record`; `nothing` (a blank or a comment line); a `broken` record,
 * whose quotes make no sense and which is taken to be its first line; a record that is `over` the
 * largest size; `more` bytes are needed to tell; a `fault` that ends reading; or the records are
 * `closed`, and only the end of a document follows.
 */
export type Found = 'record' | 'nothing' | 'broken' | 'over' | 'more' | 'fault' | 'closed';

/** Finds where records end. Offsets are those of the bytes that were loaded. */
export interface BoundaryScanner {
  /** End of what was found, without its line end or comma. */
  readonly end: number;
  /** Start of what follows. */
  readonly next: number;
  /** Number of lines that end in what was found. */
  readonly lines: number;
  /** Set when a record is broken. */
  readonly broken?: Break | undefined;
  /** Set when the source can't be read on. */
  readonly fault?: SourceFault | undefined;
  /** @param last whether nothing follows these bytes */
  load(bytes: Buffer, last: boolean): void;
  /** Looks at what starts at `start`, which is not the end of the bytes. */
  scan(start: number): Found;
  /**
   * Passes a record that is `over`, or what follows records that are `closed`, as far as bytes are
   * loaded. Returns whether its end was reached.
   */
  skip(from: number): boolean;
}

/** Why a source can't be read on, and where. */
export interface SourceFault {
  readonly at: number;
  readonly reason: string;
  readonly remedy: string;
}

/** Why a record is broken. Offsets are those of the bytes that were loaded. */
export interface Break {
  readonly kind: 'unclosed-quote' | 'malformed-quote';
  /** How many lines below the record's first one the quote stands that opened the field. */
  readonly lines: number;
  /** `malformed-quote`: what stands behind the closing quote. */
  readonly after: number;
}
