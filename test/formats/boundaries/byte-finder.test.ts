import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteFinder } from '../../../src/formats/boundaries/lines.js';
import { runs } from '../../helpers/runs.js';

describe('a byte finder', () => {
  it('finds what indexOf finds, in whatever order it is asked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0x61, 0x61, 0x61, 0x0a), { maxLength: 40 }),
        fc.array(fc.nat(42), { maxLength: 30 }),
        (content, positions) => {
          const bytes = Buffer.from(content);
          const finder = new ByteFinder(0x0a);
          finder.load(bytes);
          for (const position of positions) {
            const found = bytes.indexOf(0x0a, position);
            expect(finder.next(position)).toBe(
              found < 0 || position > bytes.length ? bytes.length : found,
            );
          }
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});
