import { I64, type Struct, structBytes, type Thrift, ThriftReader } from './thrift.js';

/** A page of a column, as it stands in a Parquet file. */
export interface Page {
  readonly header: Struct;
  body: Buffer;
}

/** Fields of the table of contents, by their numbers in the format's definition. */
const ROW_GROUPS = 4;
const COLUMNS = 1;
const COLUMN = 3;
const PACKED_SIZE = 7;
const DATA_OFFSET = 9;
const DICTIONARY_OFFSET = 11;
const PAGE_PACKED_SIZE = 3;
const TAIL_BYTES = 8;

/**
 * A Parquet file with other pages: offsets and lengths in its table of contents are made to fit,
 * what headers say of their own pages is left as it is.
 * @param change is given the pages of each column of each row group
 */
export function withPages(
  file: Buffer,
  change: (columns: readonly Page[][], contents: Struct) => void,
): Buffer {
  const length = file.readUInt32LE(file.length - TAIL_BYTES);
  const contents = new ThriftReader(file, file.length - TAIL_BYTES - length).struct();
  const columns = items(contents.get(ROW_GROUPS)).flatMap((group) =>
    items(struct(group).get(COLUMNS)).map((column) => struct(struct(column).get(COLUMN))),
  );
  const pages = columns.map((column) => pagesOf(file, column));
  change(pages, contents);
  const parts: Buffer[] = [file.subarray(0, 4)];
  let at = 4;
  for (const [index, column] of columns.entries()) {
    const bytes = Buffer.concat(
      (pages[index] ?? []).flatMap(({ header, body }) => [structBytes(header), body]),
    );
    move(column, at - startOf(column), bytes.length);
    parts.push(bytes);
    at += bytes.length;
  }
  const footer = structBytes(contents);
  const tail = Buffer.alloc(TAIL_BYTES, 'PAR1PAR1');
  tail.writeUInt32LE(footer.length, 0);
  return Buffer.concat([...parts, footer, tail]);
}

/** The structs of a list. */
export function items(list: Thrift | undefined): readonly Thrift[] {
  return list?.value as readonly Thrift[];
}

export function struct(thrift: Thrift | undefined): Struct {
  return thrift?.value as Struct;
}

function startOf(column: Struct): number {
  return Number((column.get(DICTIONARY_OFFSET) ?? column.get(DATA_OFFSET))?.value);
}

function pagesOf(file: Buffer, column: Struct): Page[] {
  const end = startOf(column) + Number(column.get(PACKED_SIZE)?.value);
  const pages: Page[] = [];
  for (let at = startOf(column); at < end; ) {
    const reader = new ThriftReader(file, at);
    const header = reader.struct();
    at = reader.at + Number(header.get(PAGE_PACKED_SIZE)?.value);
    pages.push({ header, body: file.subarray(reader.at, at) });
  }
  return pages;
}

function move(column: Struct, by: number, length: number): void {
  for (const id of [DATA_OFFSET, DICTIONARY_OFFSET]) {
    const offset = column.get(id);
    if (offset !== undefined) offset.value = (offset.value as bigint) + BigInt(by);
  }
  column.set(PACKED_SIZE, { type: I64, value: BigInt(length) });
}
