import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripHtml } from '../../../src/mapping/steps/strip-html.js';

describe('strip: html', () => {
  test.each([
    ['yuck!<br />However', 'yuck!\nHowever'],
    ['a<br><br><br><br>b', 'a\n\nb'],
    ['<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['see <a href="http://x.y/?a>b">this</a>!', 'see this!'],
    ['a<!-- <b>hidden</b> -->b', 'ab'],
    ['<style>p { color: red }</style>a<script>if (a < b) alert()</script>b', 'ab'],
    ['<tr><td>a</td><td>b</td></tr>', 'a b'],
    ['Fish &amp; Chips &lt;3 &eacute;&#39;&#x1F600;', "Fish & Chips <3 é'😀"],
    ['&lt;b&gt;bold&lt;/b&gt;', '<b>bold</b>'],
    ['<!DOCTYPE html><html><body>x</body></html>', 'x'],
  ])('%j becomes %j', (html, text) => {
    expect(stripHtml(html).trim()).toBe(text);
  });

  test.each([
    'a < b and c > d',
    '<john@example.com>',
    'x <y and z> w',
    'an open <b tag',
    '<script never closes',
    'http://x.y/?a=1&copy=2',
    '',
  ])('%j is no markup and stays', (text) => {
    expect(stripHtml(text)).toBe(text);
  });

  test('keeps every text that holds neither < nor &', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replace(/[<&]/gu, '');
        expect(stripHtml(plain)).toBe(plain);
        expect(stripHtml(`<b>${plain}</b>`)).toBe(plain);
      }),
    );
  });

  test('takes time in proportion to the text, however the markup is broken', () => {
    const size = 200_000;
    for (const piece of ['<a ', '<a ="', '<!--', '<script>', '<', '&', '<b x="\'">', '<br> ']) {
      const text = piece.repeat(size / piece.length);
      expect(stripHtml(text).length).toBeLessThanOrEqual(text.length);
    }
  });
});
