import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodePieces, encodingName, ReplacementCount } from '../../src/input/encoding/decode.js';
import { readAll } from '../../src/input/pieces.js';
import { encoderFor } from '../../src/report/rejects/rejects-file.js';
import { runs } from '../helpers/runs.js';
import { inPieces } from './read-all.js';

/** Bytes that stand at critical places: leads, trails, digits of GB 18030, line ends, quotes. */
const byte = fc.oneof(
  fc.integer({ min: 0, max: 0xff }),
  fc.integer({ min: 0x81, max: 0xfe }),
  fc.constantFrom(...Buffer.from('\n ",\\a0~')),
);
const file = fc.array(byte, { maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const pieceSize = fc.integer({ min: 1, max: 9 });

/** One name for each encoding that can be stated. */
function encodings(): readonly string[] {
  const names = new Set<string>();
  iconv.encodingExists('utf-8');
  const known = Object.keys((iconv as unknown as { encodings: object }).encodings);
  for (const name of known.filter((one) => !one.startsWith('_'))) {
    try {
      names.add(encodingName(name));
    } catch {}
  }
  names.delete('utf-8');
  return [...names];
}

function decodedAtOnce(bytes: Buffer, encoding: string): string {
  return encoding.startsWith('utf-16')
    ? new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
    : iconv.decode(bytes, encoding, { stripBOM: false });
}

describe('a source in another encoding than UTF-8', () => {
  it('is the same text however it is cut, and its characters that are none are counted', async () => {
    const names = encodings();
    expect(names.length).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          ...names,
          ...['gb18030', 'shift_jis', 'big5', 'euc-jp', 'windows-1252', 'utf-16le', 'utf-16be'],
        ),
        file,
        pieceSize,
        async (encoding, bytes, size) => {
          const replaced = new ReplacementCount();
          const pieces = decodePieces(inPieces(Uint8Array.from(bytes), size), encoding);
          const text = (await readAll(replaced.counted(pieces))).toString();
          // A lone surrogate that an encoding has is none in UTF-8.
          expect(text).toBe(Buffer.from(decodedAtOnce(bytes, encoding)).toString());
          const count = text.split('\ufffd').length - 1;
          const [remark] = replaced.remarks('r.csv', encoding);
          if (count === 0) expect(remark).toBeUndefined();
          else
            expect(remark).toMatch(new RegExp(`^r\\.csv: ${count} characters? can't be decoded`));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be', 'windows-1252', 'gb18030'])(
    'has its rejects written back as they were, in %s',
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme' }), pieceSize, async (text, size) => {
          const bytes = iconv.encode(text.replaceAll('\ufeff', ''), encoding);
          // The head of a file gets a byte order mark.
          const encode = encoderFor(encoding);
          encode(Buffer.from('\ufeff'));
          const utf8 = await readAll(decodePieces(inPieces(bytes, size), encoding));
          expect(Buffer.from(encode(utf8)).equals(bytes)).toBe(true);
        }),
        { numRuns: runs(100) },
      );
    },
  );
});
