import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { repairEncoding } from '../../../src/mapping/steps/repair-encoding.js';
import { asLatin1, asWindows1252 } from '../../helpers/garbled.js';
import { ROOT } from '../../helpers/markdown.js';
import { runs } from '../../helpers/runs.js';

const LOCALES =
  'am ar az be bg bn ca cs cy da de el en es et eu fa fi fr ga gd gu ha haw he hi hr hu hy ig is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl pa pl pt ro ru si sk sl so sq sr sv sw ta te th tk tr uk ur uz vi yo zh'.split(
    ' ',
  );
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Names of countries and languages in a language, and days with their month. */
function wordsIn(locale: string): readonly string[] {
  const pairs = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
  const name = (type: 'region' | 'language', code: string): string =>
    new Intl.DisplayNames(locale, { type, fallback: 'none' }).of(code) ?? '';
  const day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', weekday: 'long' });
  return [
    ...pairs.flatMap((code) => [name('region', code.toUpperCase()), name('language', code)]),
    ...LETTERS.slice(0, 12).map((_, month) => day.format(new Date(2024, month, 3 + month))),
  ].filter((word) => /[^\0-\x7f]/u.test(word));
}

const WORDS = new Map(LOCALES.map((locale) => [locale, wordsIn(locale)]));

/** A word of one of the languages, as written or in capitals. */
const word = fc.constantFrom(...WORDS).chain(([locale, words]) =>
  fc.tuple(
    fc.constantFrom(...words),
    fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLocaleUpperCase(locale),
      (text: string) => text.toLocaleLowerCase(locale),
    ),
  ),
);

/** Punctuation around a word, or between two. */
const MARKED: readonly ((text: string) => string)[] = [
  ...[
    '…',
    '”',
    '’s',
    '“',
    '’',
    '™',
    '®',
    '°',
    '\u00a0!',
    '…”',
    '”…',
    '…»',
    '\u00a0€5',
    '\u00a0½',
  ].map((mark) => (text: string) => text + mark),
  ...['–', '—', '•', '…', '\u00a0– '].map((mark) => (text: string) => text + mark + text),
  ...[
    ['“', '”'],
    ['‘', '’'],
    ['„', '“'],
    ['«', '»'],
    ['«\u00a0', '\u00a0»'],
  ].map(
    ([open, close]) =>
      (text: string) =>
        `${open}${text}${close}`,
  ),
  (text) => text,
];

const marked = fc
  .tuple(word, fc.constantFrom(...MARKED))
  .map(([[text, inCase], mark]) => mark(inCase(text)));

const times = (damage: (text: string) => string, count: number, text: string): string =>
  Array.from({ length: count }).reduce<string>(damage, text);

describe('repair: encoding', () => {
  test.each([
    ['cafÃ© trÃ¨s bon', 'café très bon'],
    ['lâ€™accueil Ã\u00a0 lâ€™hÃ´tel â€“ Ã©tÃ©', 'l’accueil à l’hôtel – été'],
    ['â€œGreatâ€\x9d hotelâ€¦ ðŸ˜€ðŸ‘\x8dðŸ\x8f»', '“Great” hotel… 😀👍🏻'],
    ['Hotels\u00e2\x80\u00a6 \u00f0\x9f\x91\x8d', 'Hotels… 👍'],
    ['Â£5, 10Â°C, 5â‚¬, Marriottâ„¢', '£5, 10°C, 5€, Marriott™'],
    ['XIIIÃ¨me siÃ¨cle, bluffÃ©Vieux Port', 'XIIIème siècle, blufféVieux Port'],
    ['Ð¾Ñ‡ÐµÐ½ÑŒ Ñ…Ð¾Ñ€Ð¾ÑˆÐ¾', 'очень хорошо'],
    ['Hawai\u00ca\u00bbi, cafe\u00cc\x81', 'Hawaiʻi, cafe\u0301'],
  ])('%j becomes %j', (text, repaired) => {
    expect(repairEncoding(text)).toBe(repaired);
  });

  test.each([
    ['twice', 'dÃƒÂ©jÃƒÂ\u00a0 vu', 'déjà vu'],
    ['as latin1, then as windows-1252', 'lÃ¢Â€Â™Ã©tÃƒÂ©', 'l’été'],
    ['in part', '« déjà », trÃ¨s bon marché\u00a0»', '« déjà », très bon marché\u00a0»'],
    ['with punctuation that may be right', 'CAFÃ‰ DA MANHÃƒâ€¦ Ã“TIMO', 'CAFÉ DA MANHÃ… ÓTIMO'],
  ])('repairs text that is garbled %s', (_, text, repaired) => {
    expect(repairEncoding(text)).toBe(repaired);
  });

  test.each([
    'NÃO, SÃO PAULO',
    '\u201cCAFÉ DA MANH\u00c3\u201d\u2026 IRM\u00c3\u2019s',
    'a letra \u201c\u00c3\u201d, \u00c3\u2026',
    'HYVÄ… PÅ–PÅ',
    'COSÌ… È “BUONO”, PERÒ…',
    'Úžasný, ÚŽASNÝ, LÔŽKO, PŘÍŠTĚ SNÍŽÍŠ, INDONÉŠTINA',
    'vidíš” náš“ máš…',
    '«\u00a0bon marché\u00a0», à\u00a0½ prix, à\u00a0«\u00a0Paris\u00a0»',
    'NESCAFÉ® NESTLÉ’S TÜV™ AHÅ™',
    'ROMÂNIA, MÂNÂ…',
  ])('%j is right and stays', (text) => {
    expect(repairEncoding(text)).toBe(text);
  });

  test.each(['F\ufffdbio', 'Fï¿½bio', 'cafÃ?', 'FÃbio', 'soâ€ long'])(
    '%j has lost bytes and stays',
    (text) => {
      expect(repairEncoding(text)).toBe(text);
    },
  );

  test('leaves words of many languages as they are', () => {
    fc.assert(
      fc.property(marked, (text) => {
        expect(repairEncoding(text)).toBe(text);
      }),
      { numRuns: runs(20_000) },
    );
  });

  test('restores words of many languages, garbled once or twice', () => {
    fc.assert(
      fc.property(
        fc.array(marked, { minLength: 6, maxLength: 12 }),
        fc.constantFrom(asWindows1252, asLatin1),
        fc.constantFrom(1, 2),
        (texts, damage, count) => {
          const text = texts.join(' ');
          expect(repairEncoding(times(damage, count, text))).toBe(text);
        },
      ),
      {
        numRuns: runs(2000),
        // The sign of damage before it is no letter of another script (seed 1336688059).
        examples: [[['ANDORRË…', ...Array<string>(7).fill('Camerŵn…')], asWindows1252, 1]],
      },
    );
  });

  test('leaves the texts of the samples as they are, and restores them', () => {
    const good = SAMPLES.flatMap((name) =>
      fieldsOf(readFileSync(path.join(ROOT, 'samples', `${name}.csv`))),
    );
    expect(good.length).toBeGreaterThan(50);
    expect(good.filter((text) => repairEncoding(text) !== text)).toEqual([]);
    expect(good.filter((text) => repairEncoding(asWindows1252(text)) !== text)).toEqual([]);
  });
});

const SAMPLES = [
  'google-reviews-de',
  'hotel-reviews',
  'mercadolivre',
  'tripadvisor-airlines-es',
  'tripadvisor-scrape-fr',
  'trustpilot-apify',
];

/** Texts beyond ASCII of a file, roughly. */
function fieldsOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8').replace('\ufeff', '');
  const read = text.includes('\ufffd') ? iconv.decode(bytes, 'windows-1252') : text;
  return read.split(/[\r\n\t]+|","|";"/u).filter((field) => /[^\0-\x7f]/u.test(field));
}

test('a chain of characters that shrinks with each pass is left alone, whatever its length', () => {
  const chain = `Ã${'ƒ'.repeat(200_000)}`;
  expect(repairEncoding(chain)).toBe(chain);
});
