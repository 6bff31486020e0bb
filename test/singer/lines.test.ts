import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, splitLines } from '../../src/singer/lines.js';

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function linesOf(pieces: readonly (string | Uint8Array)[], most?: number): Promise<Line[]> {
  const lines: Line[] = [];
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  for await (const some of splitLines(inPieces(bytes), most)) lines.push(...some);
  return lines;
}

const texts = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);

describe('readLines', () => {
  it('gives the same lines however the bytes are cut', async () => {
    const words = fc.array(fc.constantFrom('a', 'ñ', '🙂', '{"x":1}', '\r', '\n', ' '));
    await fc.assert(
      fc.asyncProperty(words, fc.array(fc.nat(40)), async (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''));
        const ends = [...new Set(cuts)].toSorted((a, b) => a - b);
        const pieces = [0, ...ends].map((from, index) => bytes.subarray(from, ends[index]));
        expect(await linesOf(pieces)).toEqual(await linesOf([bytes]));
      }),
    );
  });

  it('numbers all lines, and leaves out blank ones', async () => {
    expect(await linesOf(['{}\n\n  \r\n{"a":1}'])).toEqual([
      { number: 1, text: '{}', isCutOff: false },
      { number: 4, text: '{"a":1}', isCutOff: true },
    ]);
  });

  it('gives what comes before a line that is too long, and names that', async () => {
    const read: string[] = [];
    const reading = async (): Promise<void> => {
      const pieces = inPieces(['ab\n', 'cd\nefg', 'hij'].map((text) => Buffer.from(text)));
      for await (const some of splitLines(pieces, 5)) read.push(...texts(some));
    };
    await expect(reading()).rejects.toThrow(/^Line 3 has more than /);
    expect(read).toEqual(['ab', 'cd']);
  });

  it('names a line that is not UTF-8', async () => {
    await expect(linesOf(['{}\n', Buffer.from([0x22, 0xe9, 0x22, 0x0a])])).rejects.toThrow(
      'Line 2 is not UTF-8',
    );
  });
});
