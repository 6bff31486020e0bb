import { abortable } from '../../input/abortable.js';
import { brokenSource } from '../../input/broken-input.js';
import { limitsOf } from '../../input/limits.js';
import type { SeekableInput } from '../../input/seekable.js';
import type { Chunk, Layout, Position } from '../../model/chunk.js';
import type { BinaryFile, Opened } from '../format.js';
import type { SourceOptions } from '../options.js';
import { Decoder } from './decoder.js';
import type { DecoderAnswer } from './run-decoder.js';

const LAYOUT: Layout = { format: 'parquet' };

/**
 * Reads a Parquet file's footer.
 * @throws SourceError, BrokenInput
 */
export async function openParquet(
  { name, seekable }: BinaryFile,
  options: SourceOptions,
): Promise<Opened> {
  const look = { source: { source: name, input: 0, layout: LAYOUT }, limits: limitsOf(options) };
  const rows = await countRows(seekable, new Decoder(look));
  return {
    layout: LAYOUT,
    notices: rows === 0 ? [`${name} has no rows: there are no records in it.`] : [],
    chunks: ({ source, limits, counted, signal }) => {
      const decoder = new Decoder({ source, limits });
      const close = (): void => {
        decoder.stop();
        seekable.done();
      };
      const answers = abortable(answersOf(seekable, decoder), close, signal);
      return chunksOf(name, answers, counted);
    },
  };
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
