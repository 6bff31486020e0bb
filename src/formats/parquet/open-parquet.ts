import { abortable } from '../../input/abortable.js';
import type { Decompressed } from '../../input/decompress/decompressed.js';
import { type Limits, limitsOf } from '../../input/limits.js';
import type { RawInput } from '../../input/raw-input.js';
import { SeekableInput } from '../../input/seekable.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { LineCutter, withRest } from '../boundaries/cut-lines.js';
import type { FileContext } from '../open-text.js';
import { Decoder } from './decoder.js';

const LAYOUT: Layout & { format: 'parquet' } = { format: 'parquet' };

/**
 * Reads a Parquet file's table of contents, and gives the file as a source.
 * @throws SourceError, BrokenInput
 */
export async function openParquet(
  raw: RawInput,
  decompressed: Decompressed,
  context: FileContext,
): Promise<Source> {
  const { input, notices, options } = context;
  refuseOtherFormat(raw.name, options.format);
  const seekable = new SeekableInput(raw, decompressed);
  context.onFailure(() => seekable.done());
  const rows = await countRows(seekable);
  let bytesRead = 0;
  return {
    name: raw.name,
    input,
    size: raw.size,
    file: raw.file,
    layout: LAYOUT,
    detected: { format: 'parquet', encoding: null, compression: decompressed.compression },
    notices:
      rows === 0 ? [...notices, `${raw.name} has no rows: there are no records in it.`] : notices,
    head: new Uint8Array(),
    tail: new Uint8Array(),
    bytesRead: () => bytesRead,
    chunks: (signal) => {
      bytesRead = 0;
      const limits = limitsOf(options);
      const decoder = new Decoder({ act: 'read', ...atMost(limits) }, (message) => {
        if (message.kind === 'group') bytesRead += message.bytes;
      });
      const close = (): void => {
        decoder.stop();
        seekable.done();
      };
      const cutter = new LineCutter({ source: raw.name, input, layout: LAYOUT }, limits, 1);
      const read = abortable(linesOf(seekable, decoder), close, signal);
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

async function countRows(seekable: SeekableInput): Promise<number> {
  let rows = 0;
  const decoder = new Decoder({ act: 'look', maxLineBytes: 0 }, (message) => {
    if (message.kind === 'found') rows = message.rows;
  });
  for await (const _ of linesOf(seekable, decoder));
  return rows;
}

/** Enough of a record that is too long to see that it is, and to give its start back. */
function atMost({ maxRecordBytes }: Limits): { readonly maxLineBytes: number } {
  return { maxLineBytes: maxRecordBytes + LONGEST_CHARACTER };
}

const LONGEST_CHARACTER = 4;

async function* linesOf(
  seekable: SeekableInput,
  decoder: Decoder,
): AsyncGenerator<readonly string[], void, undefined> {
  const bytes = await seekable.open();
  try {
    yield* decoder.lines(bytes);
  } finally {
    bytes.close();
  }
}

async function* cut(
  lines: AsyncIterable<readonly string[]>,
  cutter: LineCutter,
): AsyncGenerator<Chunk, void, undefined> {
  for await (const some of lines) {
    for (const line of some) yield* cutter.add(line);
  }
}
