import type { AsyncBuffer } from 'hyparquet';
import { abortable } from '../../input/pieces.js';
import type { Seekable } from '../../input/seekable.js';
import { cutLines } from '../boundaries/cut-records.js';
import type { BinaryFile, Opened } from '../format.js';
import { countRows, type Footer, readFooter } from './footer.js';
import { rowLines } from './row-groups.js';

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
