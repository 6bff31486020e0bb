import type { AsyncBuffer, ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { BrokenInput } from '../../input/broken-input.js';
import { type Convert, converterOf, PARSERS } from './values.js';

/** Footer of a Parquet file, which lists its columns and row groups. */
export interface Footer {
  readonly metadata: FileMetaData;
  readonly columns: readonly ParquetColumn[];
}

/** Column, possibly nested. */
export interface ParquetColumn {
  readonly name: string;
  readonly convert: Convert;
}

/** Limit of a row group, and so of a page. A row group is in memory as a whole. */
export const MAX_BYTES = 512 * 1024 * 1024;
const MAX_ROWS = 4 * 1024 * 1024;
/** Of all columns together; with lists, more than rows times columns. */
const MAX_VALUES = 16 * 1024 * 1024;
const MAX_COLUMNS = 16_384;
/** The footer is read as a whole too. */
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;
/** Length of the footer and magic number. */
const TAIL_BYTES = 8;
/** Limits reasons, which may quote names from the file. */
const MAX_REASON_LENGTH = 300;

export const REMEDY = 'Download or copy the whole file again, or export it as JSON Lines.';
const SMALLER = 'Write it with smaller row groups.';

/**
 * Reads the footer, and checks what it declares before anything is allocated for it.
 * @throws BrokenInput
 */
export async function readFooter(bytes: AsyncBuffer): Promise<Footer> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  return await attempt(async () => {
    await checkFooterSize(bytes);
    const metadata = await parquetMetadataAsync(bytes, { parsers: PARSERS });
    const tree = parquetSchema(metadata);
    checkGroupColumns(metadata, leavesOf(tree));
    for (const group of metadata.row_groups) checkGroup(group);
    const columns = tree.children.map((child) => ({
      name: child.element.name,
      convert: converterOf(child),
    }));
    return { metadata, columns };
  });
}

async function checkFooterSize(bytes: AsyncBuffer): Promise<void> {
  const tail = new DataView(await bytes.slice(Math.max(0, bytes.byteLength - TAIL_BYTES)));
  const length = tail.byteLength < TAIL_BYTES ? 0 : tail.getUint32(0, true);
  if (length <= MAX_FOOTER_BYTES || length > bytes.byteLength) return;
  throw new BrokenInput(
    `its footer has ${length} bytes; at most ${MAX_FOOTER_BYTES} are read`,
    'Write it with fewer row groups or columns, or as several files.',
  );
}

/** Paths of columns without nested ones, in order. */
function leavesOf({ children, path }: SchemaTree): readonly string[] {
  return children.length === 0 ? [JSON.stringify(path)] : children.flatMap(leavesOf);
}

/** Checks that each row group has the schema's columns in order: hyparquet takes them by name. */
function checkGroupColumns({ row_groups: groups }: FileMetaData, leaves: readonly string[]): void {
  if (leaves.length > MAX_COLUMNS) {
    throw new BrokenInput(
      `it has ${leaves.length} columns; at most ${MAX_COLUMNS} are read`,
      'Write it with fewer columns.',
    );
  }
  for (const { columns } of groups) {
    const paths = columns.map(({ meta_data: meta }) => JSON.stringify(meta?.path_in_schema));
    if (paths.length === leaves.length && paths.every((path, at) => path === leaves[at])) continue;
    throw new BrokenInput('its row groups have other columns than its schema', REMEDY);
  }
}

/** Checks a row group's size, as hyparquet decodes it as a whole. */
function checkGroup(group: RowGroup): void {
  const rows = Number(group.num_rows);
  const bytes = Math.max(
    Number(group.total_byte_size),
    sumOf(group, ({ total_uncompressed_size: bytes }) => bytes),
    sumOf(group, ({ total_compressed_size: bytes }) => bytes),
  );
  const values = sumOf(group, ({ num_values: values }) => values);
  if (isInRange(rows, MAX_ROWS) && isInRange(bytes, MAX_BYTES) && isInRange(values, MAX_VALUES))
    return;
  throw new BrokenInput(
    `one of its row groups has ${rows} rows, ${values} values and ${bytes} bytes; at most ${MAX_ROWS} rows, ${MAX_VALUES} values and ${MAX_BYTES} bytes are read at once`,
    SMALLER,
  );
}

/** Not for negative numbers and NaN, which a damaged footer may have. */
function isInRange(value: number, max: number): boolean {
  return value >= 0 && value <= max;
}

/** Size of a row group in the file. */
export function storedBytes(group: RowGroup): number {
  return sumOf(group, ({ total_compressed_size: bytes }) => bytes);
}

function sumOf({ columns }: RowGroup, figure: (meta: ColumnMetaData) => bigint): number {
  return columns.reduce(
    (sum, { meta_data: meta }) => sum + (meta === undefined ? 0 : Number(figure(meta))),
    0,
  );
}

/** Adds up the rows of the row groups, as some writers leave the file's own number at zero. */
export function countRows({ metadata }: Footer): number {
  return metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
}

/** Attributes any error of hyparquet to the file. */
export async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BrokenInput) throw error;
    const { message } = error as Error;
    throw new BrokenInput(
      `its Parquet data can't be read (${message.slice(0, MAX_REASON_LENGTH)})`,
      REMEDY,
    );
  }
}
