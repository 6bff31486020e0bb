import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Text } from '../../../src/formats/csv/utf8-text.js';
import { runs } from '../../helpers/runs.js';

test('a text is the one that was encoded, whatever its letters are', () => {
  const letters = fc.constantFrom(
    'a',
    '"',
    '\r\n',
    '\0',
    'é',
    'ÿ',
    'Ā',
    '’',
    '…',
    '中',
    '😀',
    '\ufeff',
  );
  const texts = fc.oneof(
    fc.string({ unit: letters }),
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(utf8Text(Buffer.from(text, 'utf8'))).toBe(text);
    }),
    { numRuns: runs(2_000) },
  );
});
