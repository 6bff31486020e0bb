import { abortable } from '../../input/abortable.js';
import type { SeekableInput } from '../../input/seekable.js';
import { cutLines } from '../boundaries/cut-records.js';
import type { BinaryFile, Opened } from '../format.js';
import { Decoder } from './decoder.js';
import type { DecoderAnswer } from './run-decoder.js';

/**
 * Reads a Parquet file's footer.
 * @throws SourceError, BrokenInput
 */
export async function openParquet({ name, seekable }: BinaryFile): Promise<Opened> {
  const rows = await countRows(seekable, new Decoder());
  return {
    layout: { format: 'parquet' },
    notices: rows === 0 ? [`${name} has no rows: there are no records in it.`] : [],
    chunks: ({ source, limits, counted, signal }) => {
      const decoder = new Decoder();
      const close = (): void => {
        decoder.stop();
        seekable.done();
      };
      const answers = abortable(answersOf(seekable, decoder), close, signal);
      return cutLines(linesOf(answers, counted), { source, limits }, 1);
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

async function* linesOf(
  answers: AsyncIterable<DecoderAnswer>,
  counted: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const answer of answers) {
    if (answer.kind === 'group') counted(answer.bytes);
    if (answer.kind === 'rows') yield answer.lines;
  }
}
