import { crc32 } from 'node:zlib';
import type { AsyncBuffer, ColumnMetaData } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { BrokenInput } from '../../input/raw-input.js';

export const REMEDY = 'Download or copy the whole file again, or export it as JSON Lines.';

interface CheckedColumn {
  readonly meta: ColumnMetaData;
  /** Expected number of values; `undefined` for a column with lists. */
  readonly rows: number | undefined;
  readonly maxBytes: number;
}

/**
 * Checks a column's pages before they are decoded: the decoder trusts their headers, replaces
 * missing values by nulls, and ignores checksums.
 * @throws BrokenInput
 */
export async function checkPages(file: AsyncBuffer, checked: CheckedColumn): Promise<void> {
  const { rows, maxBytes, meta } = checked;
  const { start, end } = rangeOf(meta);
  const bytes = Buffer.from(await file.slice(start, end));
  let values = 0;
  let decompressed = 0;
  // The last byte can't be a page, and nothing is read after the last value.
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

/** Range of a column, including its dictionary, which comes first. */
function rangeOf(meta: ColumnMetaData): { readonly start: number; readonly end: number } {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  return { start, end: start + Number(meta.total_compressed_size) };
}

interface PageHeader {
  /** Offset after the header, where the page's data starts. */
  readonly end: number;
  readonly isDictionary: boolean;
  readonly decompressedBytes: number;
  readonly compressedBytes: number;
  /** CRC-32 of the stored data. */
  readonly checksum: number | undefined;
  /** Number of values, including nulls. */
  readonly values: number;
}

const DICTIONARY = 2;

/** Field numbers are those of parquet.thrift. */
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
    `its column ${JSON.stringify(nameOf(meta))} has a page with an impossible size`,
    REMEDY,
  );
}

export function wrongCount(name: string, values: number, rows: number): BrokenInput {
  return new BrokenInput(
    `its column ${JSON.stringify(name)} has ${values} values where there are ${rows} rows`,
    REMEDY,
  );
}

function nameOf({ path_in_schema: path }: ColumnMetaData): string {
  return path.join('.');
}
