import { createRequire } from 'node:module';
import { eld as installed } from 'eld/small';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectLanguage } from '../../../src/mapping/steps/text.js';
import { runs } from '../../helpers/runs.js';

const { eld: built } = createRequire(import.meta.url)('../../../dist/mapping/steps/eld.cjs') as {
  readonly eld: typeof installed;
};

test.each([
  ['cs', 'Velmi příjemný hotel a milý personál.'],
  ['de', 'Sehr freundliches Personal und ein sauberes Zimmer.'],
  ['en', 'Very friendly staff and a clean room.'],
  ['fr', 'Personnel très aimable et chambre propre.'],
  // Other languages than those of most reviews have codes of their own, too.
  ['it', 'Camera pulita e personale molto gentile.'],
  ['sv', 'Mycket trevlig personal och rent rum.'],
])('a review in %s is recognised', (code, text) => {
  expect(detectLanguage(text)).toBe(code);
});

test.each(['', '👍👍👍', '5/5', 'ok', 'https://www.example.com/es/hotel-bueno'])(
  '%j tells no language',
  (text) => {
    expect(detectLanguage(text)).toBeUndefined();
  },
);

test('the detector that comes with docferry scores every text as its package does', () => {
  const words = fc.constantFrom('hotel', 'sehr', 'très', 'příjemný', 'não', 'чисто', '很好', 'ok');
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(words).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(built.detect(one).getScores()).toEqual(installed.detect(one).getScores());
    }),
    { numRuns: runs(2000) },
  );
});
