import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordColumn, wordsOf } from '../../src/sandbox/words.js';
import { wordsIn } from './oracle/words.js';

test.each([
  ['Muy buena atención', ['muy', 'buena', 'atencion']],
  ['ATENCIÓN atencio\u0301n', ['atencion', 'atencion']],
  ['hotel₿ hotel🤩hotel', ['hotel', 'hotel', 'hotel']],
  ["l'hôtel-restaurant_42", ['l', 'hotel', 'restaurant', '42']],
  ['İstanbul, ŽLUŤOUČKÝ', ['istanbul', 'zlutoucky']],
  ["ΑΣ'Α ας", ['ασ', 'α', 'ασ']],
  ['東京, ½', ['東京', '½']],
  ['a\0b\ud800c', ['a', 'b', 'c']],
  ['👍 \0', []],
])('%j has the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('the words of any text are its letters and digits, one by one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(wordsOf(text)).toEqual(wordsIn(text));
    }),
  );
});

test('in a column every word has a space on both sides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(wordColumn(text)).toBe(
        wordsIn(text)
          .map((word) => ` ${word}`)
          .join('') + (wordsIn(text).length > 0 ? ' ' : ''),
      );
    }),
  );
});
