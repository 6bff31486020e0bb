import { crc32 } from 'node:zlib';
import type { AsyncBuffer, ColumnMetaData } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { BrokenInput } from '../../input/broken-input.js';

export const REMEDY = 'Fetch the whole file again, or export it as JSON Lines.';

/** Which column is looked at, and what is known of it. */
interface Checked {
  readonly meta: ColumnMetaData;
  /** How many values it must have; `undefined` for one that has lists in it. */
  readonly rows: number | undefined;
  readonly maxBytes: number;
}

/**
 * Goes through the pages of a column before they are decoded: the reader believes their headers,
 * makes nulls of values that are missing, and looks at no checksum.
 * @throws BrokenInput
 */
export async function checkPages(file: AsyncBuffer, checked: Checked): Promise<void> {
  const { rows, maxBytes, meta } = checked;
  const { start, end } = rangeOf(meta);
  const bytes = Buffer.from(await file.slice(start, end));
  let values = 0;
  let decompressed = 0;
  // The last byte is no page, and behind the last value nothing is read.
  for (let at = 0; at < bytes.length - 1 && (rows === undefined || values < rows); ) {
    const page = readPageHeader(bytes, at);
    at = page.end + page.compressedBytes;
    decompressed += page.decompressedBytes;
    if (!isPossible(page) || at > bytes.length || decompressed > maxBytes) throw damaged(meta);
    checkSum(page, bytes.subarray(page.end, at), meta);
    if (!page.isDictionary) values += page.values;
  }
  if (rows !== undefined && values !== rows) throw wrongCount(nameOf(meta), values, rows);
}

/** Where a column lies: its dictionary, if it has one, stands first. */
function rangeOf(meta: ColumnMetaData): { readonly start: number; readonly end: number } {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  return { start, end: start + Number(meta.total_compressed_size) };
}

/** What a page says of itself. */
interface PageHeader {
  /** Where the header ends, and the page's data starts. */
  readonly end: number;
  readonly isDictionary: boolean;
  readonly decompressedBytes: number;
  readonly compressedBytes: number;
  /** CRC-32 of the data as it lies there. */
  readonly checksum: number | undefined;
  /** How many values there are, nulls among them. */
  readonly values: number;
}

const DICTIONARY = 2;

/** Fields are numbered in the format's definition (parquet.thrift). */
function readPageHeader({ buffer, byteOffset, length }: Buffer, start: number): PageHeader {
  const reader = { view: new DataView(buffer, byteOffset, length), offset: start };
  const {
    field_1: type,
    field_2: decompressedBytes,
    field_3: compressedBytes,
    field_4: checksum,
    field_5: firstVersion,
    field_8: data = firstVersion,
  } = deserializeTCompactProtocol(reader);
  return {
    end: reader.offset,
    isDictionary: type === DICTIONARY,
    decompressedBytes: numberOf(decompressedBytes),
    compressedBytes: numberOf(compressedBytes),
    checksum: checksum === undefined ? undefined : numberOf(checksum) >>> 0,
    values: data === undefined ? 0 : numberOf(data.field_1),
  };
}

function numberOf(field: unknown): number {
  if (typeof field === 'number') return field;
  throw new Error('a page header lacks a field');
}

function isPossible({ decompressedBytes, compressedBytes, values }: PageHeader): boolean {
  return decompressedBytes >= 0 && compressedBytes >= 0 && values >= 0;
}

function checkSum({ checksum }: PageHeader, data: Buffer, meta: ColumnMetaData): void {
  if (checksum === undefined || checksum === crc32(data)) return;
  throw new BrokenInput(
    `its column ${JSON.stringify(nameOf(meta))} has a page with a wrong checksum`,
    REMEDY,
  );
}

function damaged(meta: ColumnMetaData): BrokenInput {
  return new BrokenInput(
    `its column ${JSON.stringify(nameOf(meta))} has a page that can't be as large as it says`,
    REMEDY,
  );
}

/** The error for a column with another number of values than there are rows. */
export function wrongCount(name: string, values: number, rows: number): BrokenInput {
  return new BrokenInput(
    `its column ${JSON.stringify(name)} has ${values} values where there are ${rows} rows`,
    REMEDY,
  );
}

function nameOf({ path_in_schema: path }: ColumnMetaData): string {
  return path.join('.');
}

/** Whatever the reader throws is taken for what the file has done to it. */
export function unreadable(error: unknown): BrokenInput {
  if (error instanceof BrokenInput) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BrokenInput(`its Parquet data can't be read (${reason})`, REMEDY);
}
