import type { AsyncBuffer, ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { BrokenInput } from '../../input/raw-input.js';
import { checkPages, REMEDY, wrongCount } from './check-pages.js';
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

/** Any error of the decoder is attributed to the file. */
export function unreadable(error: unknown): BrokenInput {
  if (error instanceof BrokenInput) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BrokenInput(`its Parquet data can't be read (${reason})`, REMEDY);
}
