import { abortable } from '../../input/abortable.js';
import { brokenSource } from '../../input/broken-input.js';
import type { Decompressed } from '../../input/decompress/decompressed.js';
import { limitsOf } from '../../input/limits.js';
import type { RawInput } from '../../input/raw-input.js';
import { SeekableInput } from '../../input/seekable.js';
import type { Chunk, Layout, Position } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import type { FileContext } from '../open-text.js';
import { Decoder } from './decoder.js';
import type { DecoderAnswer } from './run-decoder.js';

const LAYOUT: Layout & { format: 'parquet' } = { format: 'parquet' };

/**
 * Reads a Parquet file's footer, and gives the file as a source.
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
  const limits = limitsOf(options);
  const task = { source: { source: raw.name, input, layout: LAYOUT }, limits };
  const rows = await countRows(seekable, new Decoder(task));
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
      const decoder = new Decoder(task);
      const close = (): void => {
        decoder.stop();
        seekable.done();
      };
      const answers = abortable(answersOf(seekable, decoder), close, signal);
      return chunksOf(raw.name, answers, (bytes) => {
        bytesRead += bytes;
      });
    },
  };
}

function refuseOtherFormat(name: string, format: FileContext['options']['format']): void {
  if (format === undefined || format === 'parquet') return;
  throw new SourceError(
    `${name} is a Parquet file, but its format is given as ${format}: leave the format out, or set it to parquet.`,
  );
}

async function countRows(seekable: SeekableInput, decoder: Decoder): Promise<number> {
  for await (const answer of answersOf(seekable, decoder)) {
    if (answer.kind === 'found') return answer.rows;
  }
  return 0;
}

async function* answersOf(
  seekable: SeekableInput,
  decoder: Decoder,
): AsyncGenerator<DecoderAnswer, void, undefined> {
  const bytes = await seekable.open();
  try {
    yield* decoder.answers(bytes);
  } finally {
    bytes.close();
  }
}

/** @param counted is told how many bytes of the file are being decoded */
async function* chunksOf(
  name: string,
  answers: AsyncIterable<DecoderAnswer>,
  counted: (bytes: number) => void,
): AsyncGenerator<Chunk, void, undefined> {
  let end: Position = { byte: 0, record: 1, line: 1 };
  try {
    for await (const answer of answers) {
      if (answer.kind === 'group') counted(answer.bytes);
      if (answer.kind !== 'chunk') continue;
      end = endOf(answer.chunk);
      yield owned(answer.chunk);
    }
  } catch (error) {
    throw brokenSource(name, end, error);
  }
}

/** Each row is a line. */
function endOf(chunk: Chunk): Position {
  const { byte, record, line } = chunk.position;
  const bytes = chunk.kind === 'bytes' ? chunk.bytes.length : 0;
  return { byte: byte + bytes, record: record + chunk.records, line: line + chunk.records };
}

/** With its bytes in memory of its own, which can be handed to another thread. */
function owned(chunk: Chunk): Chunk {
  if (chunk.kind === 'objects') return chunk;
  return { ...chunk, layout: LAYOUT, bytes: new Uint8Array(chunk.bytes) };
}
