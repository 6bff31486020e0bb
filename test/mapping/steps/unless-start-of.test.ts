import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from '../make-rule.js';

const RULE = { from: 'Title', unlessStartOf: '{Text}' };

function titleOf(title: string, text: string): string | undefined {
  return textOf(RULE, { Title: title, Text: text });
}

describe('unlessStartOf', () => {
  it.each([
    ['The room was clean', 'The room was clean. And quiet.'],
    ['The room was very cl…', 'The room was very clean'],
    ['THE ROOM  was\u00a0very clean', 'The room was\nvery clean'],
    ['The room was very cl', 'The room was very clean'],
    ['部屋はとても…', '部屋はとても清潔でした'],
    ['Wow…', 'Wow! What a view'],
  ])('leaves out %j before %j', (title, text) => {
    expect(titleOf(title, text)).toBeUndefined();
  });

  it.each([
    ['Never again…', 'We waited for an hour.'],
    ['The room was very clean and quiet', 'The room was very clean'],
    ['Lovely', ''],
  ])('keeps %j before %j', (title, text) => {
    expect(titleOf(title, text)).toBe(title);
  });

  it('leaves out any beginning of a text with an ellipsis, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
        fc.pre(text.trim() !== '' && !text.startsWith('.'));
        const title = `${text.slice(0, (at % text.length) + 1)}…`;
        expect(titleOf(title, text)).toBeUndefined();
      }),
    );
  });

  it('is answered for by else, and works on what strip has left', () => {
    const strip = {
      from: 'Title',
      strip: 'html',
      unlessStartOf: { from: 'Text', strip: 'html' },
    } as const;
    const record = { Title: '<b>Good</b>…', Text: '<p>Good stay</p>' };
    expect(textOf({ ...strip, else: 'no title' }, record)).toBe('no title');
  });
});
