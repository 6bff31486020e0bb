import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import { inPieces } from './read-all.js';

const TEXTS = [
  'I’d come back',
  'Nothing to say about it',
  'Good coffee, bad chairs',
  'Très bon café',
];

async function encodingOf(bytes: Buffer): Promise<string | null | undefined> {
  const [source] = await openSources(inPieces(bytes, 65_536));
  return source?.detected.encoding;
}

/** A table whose column `short` is the text, cut in the middle of a character or not. */
function table(rows: number, short: (text: string, row: number) => Buffer): Buffer {
  const lines = Array.from({ length: rows }, (_, row) => {
    const text = TEXTS[row % TEXTS.length] as string;
    return Buffer.concat([Buffer.from(`${row},"${text}","`), short(text, row), Buffer.from('"\n')]);
  });
  return Buffer.concat([Buffer.from('id,text,short\n'), ...lines]);
}

const bytes = (...values: number[]): Buffer => Buffer.from(values);

describe('a file of UTF-8', () => {
  it.each([
    ['whose other column ends in half a character', () => bytes(0x67, 0xf0, 0x9f, 0x98)],
    ['whose other column holds random bytes', () => bytes(0x61, 0xff, 0x62, 0x81, 0x63, 0xe9)],
  ])('%s, in every record, is UTF-8', async (_, short) => {
    expect(await encodingOf(table(40, short))).toBe('utf-8');
  });

  it('is UTF-8 wherever the sample cuts a character', async () => {
    for (const before of [0, 1, 2, 3]) {
      const file = Buffer.from(`id,text\n${'x'.repeat(before)}1,${'😀é'.repeat(60_000)}\n`);
      expect(await encodingOf(file)).toBe('utf-8');
    }
  });
});

describe('a file of windows-1252', () => {
  const encode = (text: string): Buffer => iconv.encode(text, 'windows-1252');

  it.each([
    ['capitals before quotes', 'id,text\n1,« CAFÉ »\n2,LE CAFÉ” ÉTÉ…\n3,„Spaß“\n4,NESCAFÉ™\n'],
    ['French', `id,text\n${'1,"Très déçu, l’été “à” côté… 5 €"\n'.repeat(50)}`],
    [
      'some cells of doubly encoded text',
      `id,text\n${'1,"Très déçu, à côté"\n'.repeat(40)}${'2,"Itâ€™s cafÃ©"\n'.repeat(9)}`,
    ],
    [
      'some cells of UTF-8, in a table of several columns',
      `id,author,text\n${'1,Zoë,"Très déçu, à côté"\n'.repeat(40)}${'2,ZoÃ«,"Itâ€™s cafÃ©"\n'.repeat(5)}`,
    ],
  ])('is still found with %s', async (_, text) => {
    expect(await encodingOf(encode(text))).toBe('windows-1252');
  });
});
