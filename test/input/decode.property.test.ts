import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodePieces } from '../../src/input/encoding/decode.js';
import { encodingName } from '../../src/input/encoding/encoding-name.js';
import { gather } from '../../src/input/sample.js';
import { splitAtMarks, undecodableMark, withoutMarks } from '../../src/model/undecodable-marks.js';
import { encoderFor } from '../../src/report/rejects/rejects-encoder.js';
import { runs } from '../helpers/runs.js';

/** Bytes that stand at critical places: leads, trails, digits of GB 18030, line ends, quotes. */
const byte = fc.oneof(
  fc.integer({ min: 0, max: 0xff }),
  fc.integer({ min: 0x81, max: 0xfe }),
  fc.constantFrom(...Buffer.from('\n ",\\a0~')),
);
const file = fc.oneof(
  fc.array(byte, { maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('\ufffd')))
    .map((texts) => iconv.encode(texts.join(''), 'gb18030')),
);

async function decoded(bytes: Buffer, encoding: string, piece: number): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, n) =>
    Uint8Array.from(bytes.subarray(n * piece, (n + 1) * piece)),
  );
  return await gather(decodePieces(pieces, encoding));
}

/** One name for each encoding of whole bytes that can be stated. */
function byteEncodings(): readonly string[] {
  const names = new Set<string>();
  iconv.encodingExists('utf-8');
  const known = Object.keys((iconv as unknown as { encodings: object }).encodings);
  for (const name of known.filter((one) => !one.startsWith('_'))) {
    try {
      names.add(encodingName(name));
    } catch {}
  }
  return [...names].filter((name) => !/^(utf|ucs)-?\d/u.test(name));
}

describe('what can not be decoded', () => {
  it('is told with its bytes and their place, in every encoding, however the file is cut', async () => {
    const encodings = byteEncodings();
    expect(encodings.length).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          ...encodings,
          ...['gb18030', 'shift_jis', 'big5', 'euc-jp', 'windows-1252'],
        ),
        file,
        fc.integer({ min: 1, max: 9 }),
        async (encoding, bytes, piece) => {
          const utf8 = await decoded(bytes, encoding, piece);
          const whole = iconv.decode(bytes, encoding, { stripBOM: false });
          expect(withoutMarks(utf8).toString()).toBe(whole);
          for (const { bytes: broken, offset = -1 } of splitAtMarks(utf8).marks) {
            expect(bytes.subarray(offset, offset + 1)).toEqual(broken);
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('leaves nothing out of marks but what stands in the file as �', async () => {
    const replacement = iconv.encode('\ufffd', 'gb18030');
    expect((await decoded(replacement, 'gb18030', 3)).toString()).toBe('\ufffd');
    for (const encoding of byteEncodings().filter((name) => name !== 'gb18030')) {
      const all = Buffer.from(Array.from({ length: 0x80 }, (_, n) => [0x80 + n, 0x20]).flat());
      expect((await decoded(all, encoding, 7)).includes('\ufffd'), encoding).toBe(false);
    }
  });

  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be', 'windows-1252'])(
    'is written back as it was, in %s',
    async (encoding) => {
      const size = Number(/utf-(\d+)/u.exec(encoding)?.[1] ?? 8) / 8;
      const unit = fc.oneof(
        fc.array(byte, { minLength: size, maxLength: size }).map((one) => Buffer.from(one)),
        fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => iconv.encode(text, encoding)),
        fc.constant(iconv.encode('\ufffd', size === 1 ? 'ascii' : encoding)),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(unit), fc.integer({ min: 1, max: 9 }), async (units, piece) => {
          // The head of a file gets a byte order mark.
          const encode = encoderFor(encoding);
          encode(Buffer.from('\ufeff'));
          const bytes = Buffer.concat(units);
          const utf8 = await decoded(bytes, encoding, piece);
          expect(Buffer.from(encode(utf8)).toString('hex')).toBe(bytes.toString('hex'));
          expect(splitAtMarks(utf8).between.join('').includes('\ufffd')).toBe(
            size > 1 && genuine(bytes, encoding),
          );
        }),
        { numRuns: runs(100) },
      );
    },
  );

  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'is filled up to a unit of no character, where the end of a file cuts one in %s',
    async (encoding) => {
      const encode = encoderFor(encoding);
      encode(Buffer.from('\ufeff'));
      const cut = iconv.encode('ab', encoding).subarray(0, -1);
      const kept = Buffer.from(encode(await decoded(cut, encoding, 5)));
      expect(kept.length).toBe(iconv.encode('ab', encoding).length);
      const again = await decoded(kept, encoding, 5);
      expect(withoutMarks(again).toString()).toBe('a\ufffd');
    },
  );
});

/** Whether a � stands in a file of UTF-16 or UTF-32. */
function genuine(bytes: Buffer, encoding: string): boolean {
  const replacement = iconv.encode('\ufffd', encoding);
  for (let at = 0; at < bytes.length; at += replacement.length) {
    if (replacement.equals(bytes.subarray(at, at + replacement.length))) return true;
  }
  return false;
}

it('a mark gives back any bytes and any place', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc.option(fc.maxSafeNat(), { nil: undefined }),
      fc.string({ unit: 'binary' }),
      (bytes, offset, text) => {
        const around = Buffer.from(text);
        const { between, marks } = splitAtMarks(
          Buffer.concat([around, undecodableMark(bytes, offset), around]),
        );
        expect(marks).toEqual([{ bytes: Buffer.from(bytes), offset }]);
        expect(between).toEqual([around, around]);
      },
    ),
    { numRuns: runs(200) },
  );
});
