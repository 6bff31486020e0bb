import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trim } from '../../../src/mapping/steps/value.js';
import { CODE_POINT } from '../../helpers/code-point.js';

describe('trim', () => {
  test.each([
    ['\r\n x \t', 'x'],
    ['\u00a0x\u202f', 'x'],
    ['\u200bx\u200b\u2060\ufeff', 'x'],
    ['x\u0085', 'x'],
    ['', ''],
    [' \u200b ', ''],
  ])('takes space off both ends: %j', (text, expected) => {
    expect(trim(text)).toBe(expected);
  });

  test.each(['👩‍👩‍👧', '❤️', 'a\u200bb', 'a\u00a0b', 'ന്‍', 'می‌'])(
    'leaves what belongs to the text: %j',
    (text) => {
      expect(trim(` ${text} `)).toBe(text);
    },
  );

  test('takes at least what String.trim takes, and nothing from the middle', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), (text) => {
        const kept = trim(text);
        expect(text.includes(kept)).toBe(true);
        expect(kept.trim()).toBe(kept);
      }),
    );
  });
});
