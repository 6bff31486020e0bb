import { setImmediate } from 'node:timers/promises';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { BrokenInput } from '../../input/broken-input.js';
import { abortable } from '../../input/pieces.js';
import type { Seekable } from '../../input/seekable.js';
import { cutLines } from '../boundaries/cut-records.js';
import type { BinaryFile, Opened } from '../format.js';
import {
  attempt,
  countRows,
  type Footer,
  MAX_BYTES,
  type ParquetColumn,
  REMEDY,
  readFooter,
  storedBytes,
} from './footer.js';
import { PARSERS, parquetJson } from './values.js';

/** @throws SourceError, BrokenInput */
export async function openParquet({ name, seekable }: BinaryFile): Promise<Opened> {
  const bytes = await seekable.open();
  const footer = await readFooter(asyncBuffer(bytes)).finally(() => bytes.close());
  return {
    layout: { format: 'parquet' },
    notices: countRows(footer) === 0 ? [`${name} has no rows.`] : [],
    cutChunks: ({ source, limits, onBytes, signal }) => {
      const rows = rowsAsLines(() => seekable.open(), footer, onBytes);
      const lines = abortable(rows, () => seekable.release(), signal);
      return cutLines(lines, { source, limits }, 1);
    },
    close: () => seekable.release(),
  };
}

/** Yields the rows as lines of JSON. */
async function* rowsAsLines(
  open: () => Promise<Seekable>,
  footer: Footer,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const bytes = await open();
  try {
    yield* rowLines(asyncBuffer(bytes), footer, onBytes);
  } finally {
    bytes.close();
  }
}

function asyncBuffer(bytes: Seekable): AsyncBuffer {
  return {
    byteLength: bytes.size,
    async slice(start, end = bytes.size) {
      return (await bytes.read(start, end - start)).buffer;
    },
  };
}

/** Characters of rows to yield at once. */
const PIECE_LENGTH = 256 * 1024;

/**
 * Decodes the rows of each row group as lines of JSON, an object per line.
 * @param onBytes called with the bytes of the file that the rows take up, as they are yielded
 * @throws BrokenInput before the first row of a damaged group
 */
async function* rowLines(
  bytes: AsyncBuffer,
  { metadata, columns }: Footer,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (rows === 0) continue;
    // With only this row group, as hyparquet would iterate over the others each time.
    const file = { file: bytes, metadata: { ...metadata, row_groups: [group] } };
    const values: Values[] = [];
    for (const { name } of columns) values.push(await readColumn(file, name, rows));
    for (const piece of jsonLines(columns, values, rows)) {
      onBytes((storedBytes(group) * piece.rows) / rows);
      yield piece.lines;
      // Nothing else waits for I/O until the row group ends: let signals and timers in.
      await setImmediate();
    }
  }
}

type Values = ArrayLike<unknown>;

function* jsonLines(
  columns: readonly ParquetColumn[],
  values: readonly Values[],
  rows: number,
): Generator<{ readonly lines: Buffer; readonly rows: number }, void, undefined> {
  const keys = columns.map(({ name }) => JSON.stringify(name));
  let lines = '';
  let first = 0;
  for (let row = 0; row < rows; row += 1) {
    const fields = columns.map(
      ({ convert }, at) => `${keys[at]}:${parquetJson(convert(values[at]?.[row]))}`,
    );
    lines += `{${fields.join(',')}}\n`;
    if (lines.length < PIECE_LENGTH) continue;
    yield { lines: Buffer.from(lines), rows: row + 1 - first };
    lines = '';
    first = row + 1;
  }
  yield { lines: Buffer.from(lines), rows: rows - first };
}

interface OneGroup {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
}

async function readColumn(group: OneGroup, name: string, rows: number): Promise<Values> {
  const [{ parquetRead }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const pages: Values[] = [];
  await attempt(() =>
    parquetRead({
      ...group,
      columns: [name],
      rowStart: 0,
      rowEnd: rows,
      compressors: withLimit(compressors),
      parsers: PARSERS,
      utf8: false,
      onChunk: ({ columnData }) => pages.push(columnData),
    }),
  );
  const [first = [], ...others] = pages;
  const values = others.length === 0 ? first : pages.flatMap((page) => Array.from(page));
  if (values.length === rows) return values;
  // hyparquet accepts other numbers of values than the footer's.
  throw new BrokenInput(
    `its column ${JSON.stringify(name)} has ${values.length} values where there are ${rows} rows`,
    REMEDY,
  );
}

/** Checks the size that a page declares before memory is allocated for it. */
function withLimit(compressors: Compressors): Compressors {
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, decompress]) => [
      codec,
      (input: Uint8Array, length: number) => {
        if (length >= 0 && length <= MAX_BYTES) return decompress(input, length);
        throw new BrokenInput(
          `it has a page of ${length} bytes; at most ${MAX_BYTES} are read`,
          REMEDY,
        );
      },
    ]),
  );
}
