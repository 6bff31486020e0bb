import { crc32 } from 'node:zlib';
import type { AsyncBuffer, ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { BrokenInput } from '../../input/raw-input.js';
import { type Convert, converterOf, jsonText, PARSERS } from './values.js';

/** Parquet file with its footer read. */
export interface ParquetFile {
  readonly bytes: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly columns: readonly Column[];
  /** Names of columns with one value per row. */
  readonly flat: ReadonlySet<string>;
}

/** Column, possibly nested. */
interface Column {
  readonly name: string;
  readonly convert: Convert;
}

/** Limit of a row group, which is decompressed as a whole. */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_ROWS = 4 * 1024 * 1024;
/** More than rows, as rows may contain lists. */
const MAX_VALUES = 16 * MAX_ROWS;
/** The footer is read as a whole too. */
const MAX_METADATA_BYTES = 64 * 1024 * 1024;
/** Length of the footer and magic number. */
const TAIL_BYTES = 8;

const SMALLER = 'Write it with smaller row groups.';

/** @throws BrokenInput if the footer is cut off or damaged */
export async function readMetadata(bytes: AsyncBuffer): Promise<ParquetFile> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  return await attempt(async () => {
    await checkMetadataSize(bytes);
    const metadata = await parquetMetadataAsync(bytes, { parsers: PARSERS });
    const tree = parquetSchema(metadata);
    checkColumns(metadata, leavesOf(tree));
    const columns = tree.children.map((child) => ({
      name: child.element.name,
      convert: converterOf(child),
    }));
    const flat = tree.children.filter(hasOneValue).map(({ element }) => element.name);
    return { bytes, metadata, columns, flat: new Set(flat) };
  });
}

async function checkMetadataSize(bytes: AsyncBuffer): Promise<void> {
  const tail = new DataView(await bytes.slice(-TAIL_BYTES));
  const length = tail.byteLength < TAIL_BYTES ? 0 : tail.getUint32(0, true);
  if (length <= MAX_METADATA_BYTES || length > bytes.byteLength) return;
  throw new BrokenInput(
    `its footer has ${length} bytes; at most ${MAX_METADATA_BYTES} are read`,
    'Write it with fewer row groups or columns, or as several files.',
  );
}

function hasOneValue({ element, children }: SchemaTree): boolean {
  return children.length === 0 && element.repetition_type !== 'REPEATED';
}

/** Paths of columns without nested ones, in order. */
function leavesOf({ children, path }: SchemaTree): readonly string[] {
  return children.length === 0 ? [JSON.stringify(path)] : children.flatMap(leavesOf);
}

/**
 * Checks that each row group has the schema's columns in order: the decoder takes them by name.
 * @throws BrokenInput
 */
function checkColumns({ row_groups: groups }: FileMetaData, leaves: readonly string[]): void {
  for (const { columns } of groups) {
    const paths = columns.map(({ meta_data: meta }) => JSON.stringify(meta?.path_in_schema));
    if (paths.length === leaves.length && paths.every((path, at) => path === leaves[at])) continue;
    throw new BrokenInput('its row groups have other columns than its schema', REMEDY);
  }
}

/** Adds up the rows of the row groups, as some writers leave the file's own number at zero. */
export function rowsOf({ metadata }: ParquetFile): number {
  return metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
}

interface ReadableGroup {
  readonly index: number;
  /** Size in the file. */
  readonly bytes: number;
  /**
   * Decodes the rows as JSON objects.
   * @throws BrokenInput
   */
  lines(): Promise<Iterable<string>>;
}

/**
 * Iterates over row groups with rows.
 * @throws BrokenInput for one that is too large
 */
export function* rowGroups(file: ParquetFile): Generator<ReadableGroup, void, undefined> {
  for (const [index, group] of file.metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    if (rows === 0) continue;
    checkGroup(rows, group);
    yield {
      index,
      bytes: sumOf(group, ({ total_compressed_size: bytes }) => bytes),
      async lines() {
        await attempt(() => checkColumnPages(file, group, rows));
        return linesOf(file.columns, rows, await readColumns(file, group, rows));
      },
    };
  }
}

function sumOf({ columns }: RowGroup, figure: (meta: ColumnMetaData) => bigint): number {
  return columns.reduce(
    (sum, { meta_data: meta }) => sum + (meta === undefined ? 0 : Number(figure(meta))),
    0,
  );
}

/** Refuses sizes over the limits, as the decoder would trust them. */
function checkGroup(rows: number, group: RowGroup): void {
  const bytes = Math.max(
    Number(group.total_byte_size),
    sumOf(group, ({ total_uncompressed_size: bytes }) => bytes),
    sumOf(group, ({ total_compressed_size: bytes }) => bytes),
  );
  if (!(rows >= 0 && rows <= MAX_ROWS && bytes >= 0 && bytes <= MAX_BYTES)) {
    throw new BrokenInput(
      `one of its row groups has ${rows} rows and ${bytes} bytes; at most ${MAX_ROWS} rows and ${MAX_BYTES} bytes are read at once`,
      SMALLER,
    );
  }
  for (const { meta_data: meta } of group.columns) {
    if (meta !== undefined && !(meta.num_values >= 0 && meta.num_values <= MAX_VALUES)) {
      throw new BrokenInput(
        `a column of one of its row groups has ${meta.num_values} values; at most ${MAX_VALUES} are read at once`,
        SMALLER,
      );
    }
  }
}

async function checkColumnPages(file: ParquetFile, group: RowGroup, rows: number): Promise<void> {
  for (const { meta_data: meta } of group.columns) {
    if (meta === undefined) continue;
    const [name = '', ...inside] = meta.path_in_schema;
    const isFlat = inside.length === 0 && file.flat.has(name);
    const known = isFlat ? rows : undefined;
    await checkPages(file.bytes, { meta, rows: known, maxBytes: MAX_BYTES });
  }
}

type Values = ArrayLike<unknown>;

function* linesOf(
  columns: readonly Column[],
  rows: number,
  values: ReadonlyMap<string, Values>,
): Generator<string, void, undefined> {
  const keys = columns.map(({ name }) => JSON.stringify(name));
  for (let row = 0; row < rows; row += 1) {
    const fields = columns.map(
      ({ name, convert }, at) => `${keys[at]}:${jsonText(convert(values.get(name)?.[row]))}`,
    );
    yield `{${fields.join(',')}}`;
  }
}

async function readColumns(
  { bytes, metadata, columns }: ParquetFile,
  group: RowGroup,
  rows: number,
): Promise<ReadonlyMap<string, Values>> {
  const [{ parquetRead }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const pages = new Map<string, Values[]>();
  await attempt(() =>
    parquetRead({
      file: bytes,
      // The decoder would iterate over the others each time.
      metadata: { ...metadata, row_groups: [group] },
      rowStart: 0,
      rowEnd: rows,
      compressors,
      parsers: PARSERS,
      utf8: false,
      onChunk: ({ columnName, columnData }) => {
        const known = pages.get(columnName);
        if (known === undefined) pages.set(columnName, [columnData]);
        else known.push(columnData);
      },
    }),
  );
  return new Map(columns.map(({ name }) => [name, joined(name, pages.get(name) ?? [], rows)]));
}

function joined(name: string, [first = [], ...others]: readonly Values[], rows: number): Values {
  const values =
    others.length === 0 ? first : [first, ...others].flatMap((part) => [...Array.from(part)]);
  if (values.length !== rows) throw wrongCount(name, values.length, rows);
  return values;
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw unreadable(error);
  }
}

export const REMEDY = 'Fetch the whole file again, or export it as JSON Lines.';

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
async function checkPages(file: AsyncBuffer, checked: CheckedColumn): Promise<void> {
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

function wrongCount(name: string, values: number, rows: number): BrokenInput {
  return new BrokenInput(
    `its column ${JSON.stringify(name)} has ${values} values where there are ${rows} rows`,
    REMEDY,
  );
}

function nameOf({ path_in_schema: path }: ColumnMetaData): string {
  return path.join('.');
}

/** Any error of the decoder is attributed to the file. */
export function unreadable(error: unknown): BrokenInput {
  if (error instanceof BrokenInput) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BrokenInput(`its Parquet data can't be read (${reason})`, REMEDY);
}
