import type { Chunk, Layout } from '../../chunk.js';
import { SourceError } from '../../errors.js';
import { abortable } from '../abortable.js';
import { LineCutter, withRest } from '../cut-lines.js';
import { limitsOf } from '../limits.js';
import type { FileContext } from '../open-file.js';
import type { RawInput } from '../raw-input.js';
import { SeekableInput } from '../seekable.js';
import type { Source } from '../source.js';
import type { Unpacked } from '../unpacked.js';
import { type ParquetFile, readMetadata, rowLines } from './row-groups.js';

const LAYOUT: Layout & { format: 'parquet' } = { format: 'parquet' };

/**
 * Reads a Parquet file's table of contents, and gives the file as a source.
 * @throws SourceError, BrokenInput
 */
export async function openParquet(
  raw: RawInput,
  unpacked: Unpacked,
  context: FileContext,
): Promise<Source> {
  const { input, notices, options } = context;
  refuseOtherFormat(raw.name, options.format);
  const seekable = new SeekableInput(raw, unpacked);
  context.onFailure(() => seekable.done());
  const file = await lookAt(seekable);
  // Some writers leave the number of all rows at zero.
  const empty = file.metadata.row_groups.every((group) => Number(group.num_rows) === 0);
  let bytesRead = 0;
  return {
    name: raw.name,
    input,
    size: raw.size,
    file: raw.file,
    layout: LAYOUT,
    detected: { format: 'parquet', encoding: null, compression: unpacked.compression },
    notices: empty ? [...notices, `${raw.name} has no rows: there are no records in it.`] : notices,
    head: new Uint8Array(),
    tail: new Uint8Array(),
    bytesRead: () => bytesRead,
    chunks: (signal) => {
      bytesRead = 0;
      const lines = linesOf(seekable, file, (bytes) => {
        bytesRead += bytes;
      });
      const source = { source: raw.name, input, layout: LAYOUT };
      const cutter = new LineCutter(source, limitsOf(options), 1);
      const read = abortable(lines, () => seekable.done(), signal);
      return withRest(cut(read, cutter), cutter);
    },
  };
}

function refuseOtherFormat(name: string, format: FileContext['options']['format']): void {
  if (format === undefined || format === 'parquet') return;
  throw new SourceError(
    `${name} is a Parquet file, but its format is given as ${format}: leave the format out, or set it to parquet.`,
  );
}

async function lookAt(seekable: SeekableInput): Promise<ParquetFile> {
  const bytes = await seekable.open();
  try {
    return await readMetadata(bytes);
  } finally {
    bytes.close();
  }
}

async function* linesOf(
  seekable: SeekableInput,
  file: ParquetFile,
  counted: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const bytes = await seekable.open();
  try {
    yield* rowLines(bytes, file, counted);
  } finally {
    bytes.close();
  }
}

async function* cut(
  lines: AsyncIterable<string>,
  cutter: LineCutter,
): AsyncGenerator<Chunk, void, undefined> {
  for await (const line of lines) yield* cutter.add(line);
}
