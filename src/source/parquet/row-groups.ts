import type { AsyncBuffer, ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { BrokenInput } from '../broken-input.js';
import type { Seekable } from '../seekable.js';
import { type Convert, jsonText, PARSERS, takeOver } from './values.js';

/** A Parquet file whose table of contents has been read. */
export interface ParquetFile {
  readonly metadata: FileMetaData;
  readonly columns: readonly Column[];
}

/** A column, which may have others inside of it. */
interface Column {
  readonly name: string;
  readonly convert: Convert;
}

/** A row group is unpacked as a whole. */
const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_ROWS = 4 * 1024 * 1024;

const REMEDY = 'Fetch the whole file again, or export it as JSON Lines.';

/** @throws BrokenInput if it is cut off or damaged */
export async function readMetadata(bytes: Seekable): Promise<ParquetFile> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  return await attempt(async () => {
    const metadata = await parquetMetadataAsync(bufferOf(bytes), { parsers: PARSERS });
    const tree = parquetSchema(metadata);
    checkColumns(metadata, leavesOf(tree));
    const columns = tree.children.map((child) => ({
      name: child.element.name,
      convert: takeOver(child),
    }));
    return { metadata, columns };
  });
}

/** Paths of the columns that have no others inside of them, in order. */
function leavesOf({ children, path }: SchemaTree): readonly string[] {
  return children.length === 0 ? [JSON.stringify(path)] : children.flatMap(leavesOf);
}

/**
 * Makes sure that each row group has the columns of the schema, in its order: the reader leaves
 * failures of others to nobody.
 * @throws BrokenInput
 */
function checkColumns({ row_groups: groups }: FileMetaData, leaves: readonly string[]): void {
  for (const { columns } of groups) {
    const paths = columns.map(({ meta_data: meta }) => JSON.stringify(meta?.path_in_schema));
    if (paths.length === leaves.length && paths.every((path, at) => path === leaves[at])) continue;
    throw new BrokenInput('the columns of its row groups are not those of its schema', REMEDY);
  }
}

/**
 * The rows of a file as JSON objects, a row group at a time.
 * @param counted is told how many bytes of the file have been read
 * @throws BrokenInput
 */
export async function* rowLines(
  bytes: Seekable,
  { metadata, columns }: ParquetFile,
  counted: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    checkSize(rows, Number(group.total_byte_size));
    const rowEnd = rowStart + rows;
    const file = await groupBuffer(bytes, group);
    counted(group.columns.reduce((sum, { meta_data: meta }) => sum + compressedBytes(meta), 0));
    const values = await readColumns(file, metadata, { rowStart, rowEnd });
    const keys = columns.map(({ name }) => JSON.stringify(name));
    for (let row = 0; row < rows; row += 1) {
      const fields = columns.map(
        ({ name, convert }, at) => `${keys[at]}:${jsonText(convert(values.get(name)?.[row]))}`,
      );
      yield `{${fields.join(',')}}`;
    }
    rowStart = rowEnd;
  }
}

function compressedBytes(meta: ColumnMetaData | undefined): number {
  return Number(meta?.total_compressed_size ?? 0);
}

function checkSize(rows: number, bytes: number): void {
  if (rows <= MOST_ROWS && bytes <= MOST_BYTES) return;
  throw new BrokenInput(
    `one of its row groups has ${rows} rows and ${bytes} bytes; at most ${MOST_ROWS} rows and ${MOST_BYTES} bytes are read at once`,
    'Write it with smaller row groups.',
  );
}

type Values = ArrayLike<unknown>;

/** The values of a row group, by column. */
async function readColumns(
  file: AsyncBuffer,
  metadata: FileMetaData,
  range: { readonly rowStart: number; readonly rowEnd: number },
): Promise<ReadonlyMap<string, Values>> {
  const [{ parquetRead }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const pages = new Map<string, Values[]>();
  await attempt(() =>
    parquetRead({
      file,
      metadata,
      ...range,
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
  const rows = range.rowEnd - range.rowStart;
  return new Map([...pages].map(([name, parts]) => [name, joined(name, parts, rows)]));
}

function joined(name: string, [first = [], ...others]: readonly Values[], rows: number): Values {
  const values =
    others.length === 0 ? first : [first, ...others].flatMap((part) => [...Array.from(part)]);
  if (values.length >= rows) return values;
  throw new BrokenInput(
    `its column ${JSON.stringify(name)} has ${values.length} values where there are ${rows} rows`,
    REMEDY,
  );
}

function bufferOf(bytes: Seekable): AsyncBuffer {
  return {
    byteLength: bytes.size,
    async slice(start, end = bytes.size) {
      const from = start < 0 ? Math.max(0, bytes.size + start) : start;
      return ownBuffer(await bytes.read(from, Math.min(end, bytes.size) - from));
    },
  };
}

/**
 * All bytes of a row group, read beforehand: the reader asks for several parts at once, and nobody
 * would take note of the second one that fails.
 */
async function groupBuffer(bytes: Seekable, { columns }: RowGroup): Promise<AsyncBuffer> {
  const ranges = columns.flatMap(({ meta_data: meta }) =>
    meta === undefined ? [] : [rangeOf(meta)],
  );
  const from = Math.min(...ranges.map(({ start }) => start));
  const to = Math.max(...ranges.map(({ end }) => end));
  checkSize(0, to - from);
  const group = await bytes.read(from, to - from);
  return {
    byteLength: bytes.size,
    slice(start, end = bytes.size) {
      if (start >= from && end >= start && end <= to) {
        return ownBuffer(group.subarray(start - from, end - from));
      }
      throw new BrokenInput('its Parquet data is not where the file says', REMEDY);
    },
  };
}

/** Where a column lies: its dictionary, if it has one, stands first. */
function rangeOf(meta: ColumnMetaData): { readonly start: number; readonly end: number } {
  const dictionary = Number(meta.dictionary_page_offset ?? 0);
  const data = Number(meta.data_page_offset);
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return { start, end: start + Number(meta.total_compressed_size) };
}

function ownBuffer(part: Buffer): ArrayBuffer {
  return part.buffer.slice(part.byteOffset, part.byteOffset + part.length) as ArrayBuffer;
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof BrokenInput) throw error;
    throw new BrokenInput(`its Parquet data can't be read (${(error as Error).message})`, REMEDY);
  }
}
