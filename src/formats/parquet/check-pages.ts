import { crc32 } from 'node:zlib';
import type { AsyncBuffer, ColumnMetaData } from 'hyparquet';
import { BrokenInput } from '../../input/broken-input.js';
import { REMEDY } from './decoder-messages.js';
import { type PageHeader, readPageHeader } from './page-header.js';

/** Which column is looked at, and what is known of it. */
interface Checked {
  readonly meta: ColumnMetaData;
  /** How many values it must have; `undefined` for one that has lists in it. */
  readonly rows: number | undefined;
  readonly mostBytes: number;
}

/**
 * Goes through the pages of a column before they are decoded: the reader believes their headers,
 * makes nulls of values that are missing, and looks at no checksum.
 * @throws BrokenInput
 */
export async function checkPages(file: AsyncBuffer, checked: Checked): Promise<void> {
  const { rows, mostBytes, meta } = checked;
  const { start, end } = rangeOf(meta);
  const bytes = Buffer.from(await file.slice(start, end));
  let values = 0;
  let unpacked = 0;
  // The last byte is no page, and behind the last value nothing is read.
  for (let at = 0; at < bytes.length - 1 && (rows === undefined || values < rows); ) {
    const page = readPageHeader(bytes, at);
    at = page.end + page.packedBytes;
    unpacked += page.unpackedBytes;
    if (!isPossible(page) || at > bytes.length || unpacked > mostBytes) throw damaged(meta);
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

function isPossible({ unpackedBytes, packedBytes, values }: PageHeader): boolean {
  return unpackedBytes >= 0 && packedBytes >= 0 && values >= 0;
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
