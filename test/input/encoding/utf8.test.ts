import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkUtf8, isWellFormed } from '../../../src/input/encoding/utf8.js';
import { CODE_POINT } from '../../helpers/code-point.js';
import { runs } from '../../helpers/runs.js';

/** UTF-8 that may be cut off, with bytes in between that may belong to nothing. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: CODE_POINT, maxLength: 8 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 3 }).map((some) => Buffer.from(some)),
    ),
    { maxLength: 30 },
  )
  .chain((parts) => {
    const all = Buffer.concat(parts);
    return fc.nat(all.length).map((end) => all.subarray(0, end));
  });

test('bytes are well-formed if none of them is stray', () => {
  fc.assert(
    fc.property(bytes, fc.boolean(), (some, whole) => {
      expect(isWellFormed(some, whole)).toBe(checkUtf8(some, whole).stray === 0);
    }),
    { numRuns: runs(1_000) },
  );
});

test('a check that ends early has found enough, and nothing that is not there', () => {
  fc.assert(
    fc.property(bytes, fc.boolean(), fc.integer({ min: 1, max: 20 }), (some, whole, enough) => {
      const all = checkUtf8(some, whole);
      const found = checkUtf8(some, whole, enough);
      if (all.characters + all.stray < enough) expect(found).toEqual(all);
      else expect(found.characters + found.stray).toBeGreaterThanOrEqual(enough);
      expect(found.characters).toBeLessThanOrEqual(all.characters);
      expect(found.stray).toBeLessThanOrEqual(all.stray);
    }),
    { numRuns: runs(1_000) },
  );
});
