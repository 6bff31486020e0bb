import { abortable } from '../../input/abortable.js';
import { brokenSource } from '../../input/broken-input.js';
import { type LimitOptions, limitsOf } from '../../input/limits.js';
import type { SeekableInput } from '../../input/seekable.js';
import type { Chunk, Position } from '../../model/chunk.js';
import type { BinaryFile, ChunkSource, Opened } from '../format.js';
import { Decoder } from './decoder.js';
import type { DecoderAnswer } from './run-decoder.js';

/**
 * Reads a Parquet file's footer.
 * @throws SourceError, BrokenInput
 */
export async function openParquet(
  { name, seekable }: BinaryFile,
  options: LimitOptions,
): Promise<Opened> {
  const rows = await countRows(seekable, new Decoder(limitsOf(options)));
  return {
    layout: { format: 'parquet' },
    notices: rows === 0 ? [`${name} has no rows: there are no records in it.`] : [],
    chunks: ({ source, limits, counted, signal }) => {
      const decoder = new Decoder(limits);
      const close = (): void => {
        decoder.stop();
        seekable.done();
      };
      return chunksOf(source, abortable(answersOf(seekable, decoder), close, signal), counted);
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

async function* chunksOf(
  source: ChunkSource,
  answers: AsyncIterable<DecoderAnswer>,
  counted: (bytes: number) => void,
): AsyncGenerator<Chunk, void, undefined> {
  let end: Position = { byte: 0, record: 1, line: 1 };
  try {
    for await (const answer of answers) {
      if (answer.kind === 'group') counted(answer.bytes);
      if (answer.kind !== 'chunk') continue;
      end = answer.end;
      // With bytes in memory of their own, which can be handed to another thread.
      yield { ...answer.chunk, ...source, bytes: new Uint8Array(answer.chunk.bytes) };
    }
  } catch (error) {
    throw brokenSource(source.source, end, error);
  }
}
