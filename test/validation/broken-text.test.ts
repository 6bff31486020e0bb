import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenText } from '../../src/validation/schemas.js';
import { CODE_POINT } from '../helpers/code-point.js';

it('names every text that holds a lone surrogate', () => {
  const document = {
    text: 'ok 👍 \ud83d',
    tags: ['a', '\udc4d'],
    author: { username: 'Ana', annotations: [{ name: 'n', value: 'x\ud83dx' }] },
    metrics: [{ name: 'score', value: 1 }],
  };
  const problems = brokenText(document);
  expect(problems.map(({ kind, field }) => [kind, field])).toEqual([
    ['broken-text', 'text'],
    ['broken-text', 'tags[1]'],
    ['broken-text', 'author.annotations[0].value'],
  ]);
  expect(problems[0]?.message).toContain('\\ud83d at position 7');
});

it('finds a text broken exactly if UTF-8 would not give it back', () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), fc.nat(), (text, cut) => {
      const piece = text.slice(cut % (text.length + 1));
      const survives = Buffer.from(piece, 'utf8').toString('utf8') === piece;
      expect(brokenText({ text: piece }).length === 0).toBe(survives);
    }),
  );
});
