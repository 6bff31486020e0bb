import type { Chunk } from '../../model/chunk.js';
import { asBuffer } from '../../model/chunk.js';
import type { ChunkWatch } from '../format.js';

const LINE_ENDS = new Set([undefined, 0x0a, 0x0d]);
/** The last byte of a byte order mark, which each of the exports in a file may begin with. */
const MARK_END = 0xbf;

/**
 * Counts the lines that repeat the header, as where several exports were put into one file. A
 * mapping skips them.
 * @param header its bytes, without the line end
 */
export function repeatedHeaders(name: string, header: Buffer): ChunkWatch {
  let count = 0;
  let ended = false;
  return {
    async *watched(chunks) {
      count = 0;
      ended = false;
      try {
        for await (const chunk of chunks) {
          count += repeatsIn(chunk, header);
          yield chunk;
        }
      } finally {
        ended = true;
      }
    },
    remarks: () =>
      count === 0 || !ended
        ? []
        : [
            `${name} repeats its header in ${count === 1 ? '1 line' : `${count} lines`}, as ${count + 1} exports in one file do: such lines are skipped.`,
          ],
  };
}

function repeatsIn(chunk: Chunk, header: Buffer): number {
  if (chunk.kind !== 'bytes') return 0;
  const bytes = asBuffer(chunk.bytes);
  let count = 0;
  for (let at = bytes.indexOf(header); at >= 0; at = bytes.indexOf(header, at + 1)) {
    const before = bytes[at - 1];
    const isLine = LINE_ENDS.has(before) || before === MARK_END;
    if (isLine && LINE_ENDS.has(bytes[at + header.length])) count += 1;
  }
  return count;
}
