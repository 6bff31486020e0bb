/** Encodings that nobody states: found by the text that they give, or asked for. */
import iconv from 'iconv-lite';
import { beforeEach, describe, expect, it } from 'vitest';
import { guessMapping, importDocuments, validateDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { startServer } from '../../helpers/http-server.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { longTest } from '../../helpers/runs.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import TEXTS from './reviews.json' with { type: 'json' };

/** What people write in reviews, in many languages. */
const REVIEWS: Readonly<Record<string, readonly string[]>> = TEXTS;

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

/** Each encoding with languages that it is used for. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'windows-1250': 'pl cs hu',
  'windows-1251': 'ru uk bg',
  'windows-1252': 'fr de es',
  'windows-1253': 'el',
  'windows-1254': 'tr',
  'windows-1255': 'he',
  'windows-1256': 'ar',
  'windows-1257': 'lt lv et',
  'iso-8859-1': 'de es it',
  'iso-8859-2': 'pl cs hr',
  'iso-8859-5': 'ru bg',
  'iso-8859-7': 'el',
  'iso-8859-9': 'tr',
  'iso-8859-15': 'fr de et',
  'koi8-r': 'ru bg',
  cp850: 'fr de es',
  macroman: 'fr it en',
  shift_jis: 'ja',
  'euc-jp': 'ja',
  gb18030: 'zh',
  big5: 'tw',
  'euc-kr': 'ko',
  'utf-16le': 'ja ru fr',
};

/** Three texts: of a language each; else a part of the reviews of one, another part, and all. */
function textsFor(encoding: string): readonly (readonly string[])[] {
  const reviews = (LANGUAGES[encoding] ?? '').split(' ').map((one) => REVIEWS[one] ?? []);
  const [all = []] = reviews;
  const parts = [all, all.slice(0, -1), all.slice(1)];
  const texts = reviews.length < 3 ? [...reviews.slice(1), ...parts].slice(0, 3) : reviews;
  // What an encoding lacks is not written in it.
  return texts.map((text) =>
    text.map((line) => iconv.decode(iconv.encode(line, encoding), encoding)),
  );
}

function table(
  texts: readonly string[],
  marks: readonly string[] = ['1', '2', '3', '4', '5'],
): string {
  const rows = texts.map((text, at) => `${at + 1},"${text}",${marks[at % marks.length]}\n`);
  return `id,text,rating\n${rows.join('')}`;
}

const MAPPING = minimalMapping();

const TRIED = Object.keys(LANGUAGES).flatMap((encoding) =>
  textsFor(encoding).map((texts, at) => [encoding, at, table(texts)] as const),
);

/** What an encoding is found as; `asked` if it is one of those that are named instead. */
async function found(text: string, encoding: string): Promise<'found' | 'asked' | 'wrong'> {
  const bytes = iconv.encode(text, encoding);
  const gives = (name: string | null | undefined): boolean =>
    typeof name === 'string' && iconv.decode(bytes, name) === text;
  try {
    const report = await validateDocuments({ input: [bytes], mapping: MAPPING, threads: 0 });
    return gives(report.inputs[0]?.encoding) ? 'found' : 'wrong';
  } catch (error) {
    const { message } = error as Error;
    const named = message.matchAll(/^ {2}([\w-]+): /gmu);
    return [...named].some(([, name]) => gives(name)) ? 'asked' : 'wrong';
  }
}

describe('the encoding of reviews', () => {
  longTest('is nearly always found, and else asked for', async () => {
    const results = await Promise.all(
      TRIED.map(async ([encoding, at, text]) => [await found(text, encoding), encoding, at]),
    );
    expect(results.length).toBeGreaterThanOrEqual(60);
    expect(results.filter(([result]) => result === 'wrong')).toEqual([]);
    expect(results.filter(([result]) => result === 'asked').length).toBeLessThan(9);
  });

  it.each([
    ['windows-1250', 'Jiří Dvořák'],
    ['windows-1250', 'Łukasz Świątek'],
    ['windows-1251', 'Иван'],
    ['koi8-r', 'Иван'],
    ['windows-1254', 'Ayşe Yıldız'],
    ['windows-1257', 'Živilė'],
    ['macroman', 'Zoë'],
    ['windows-1252', 'Zoë'],
  ])('is not taken for windows-1252 for a name in English text: %s, %s', async (encoding, name) => {
    const rows = `id,text,name\n1,"Great product, fast delivery",${name}\n2,It broke after a week,Ann\n`;
    expect(await found(rows, encoding)).not.toBe('wrong');
  });

  it.each([
    ['shift_jis', 'ja'],
    ['euc-jp', 'ja'],
    ['gb18030', 'zh'],
    ['big5', 'tw'],
    ['euc-kr', 'ko'],
  ])('is found beside ratings that are drawn with signs: %s', async (encoding, language) => {
    for (const marks of [
      ['★★★★★', '★★★☆☆'],
      ['●●●●○', '●○○○○'],
      ['◎', '○', '△'],
    ]) {
      const text = table(REVIEWS[language] ?? [], marks);
      expect(await found(text, encoding), marks.join(' ')).toBe('found');
    }
  });

  it('is named in a notice with the language, and is written into a guessed mapping', async () => {
    const input = put(folder, 'r.csv', iconv.encode(table(REVIEWS['pl'] ?? []), 'windows-1250'));
    const report = await validateDocuments({ input, mapping: MAPPING });
    expect(report.notices).toEqual([
      `${input} is not UTF-8: it is read as windows-1250, in which its text looks like Polish. If letters come out wrong, set its encoding.`,
    ]);
    const { mapping } = await guessMapping({ input });
    expect(mapping).toContain('encoding: windows-1250');
  });
});

describe('an encoding that is not clear', () => {
  const text = table(REVIEWS['et'] ?? []);
  const bytes = iconv.encode(text, 'windows-1257');

  it('is asked for before anything is sent, with a line in each that may be it', async () => {
    const input = put(folder, 'r.csv', bytes);
    const server = await startServer((_, response) => void response.end());
    const connection = { baseUrl: server.baseUrl, username: 'u', apiKey: 'k' };
    const options = { input, mapping: MAPPING, monitoring: 1, connection, stateDir: folder };
    await expect(importDocuments(options)).rejects.toThrow(
      new RegExp(
        `${input} is not UTF-8, and its encoding is unclear\\. It could be\n  windows-1257: ".*šokeeriv.*"\n  windows-1252: ".*ðokeeriv.*"\nSet the one that reads correctly: --encoding windows-1257, or encoding: windows-1257 under input in the mapping\\.`,
      ),
    );
    expect(server.requests).toEqual([]);
    const stated = { ...MAPPING, input: { encoding: 'windows-1257' } } as const;
    const report = await validateDocuments({ input, mapping: stated });
    expect(report).toMatchObject({
      counts: { invalid: 0 },
      inputs: [{ encoding: 'windows-1257' }],
    });
  });

  it.each([
    ['a file', () => put(folder, 'r.csv', bytes)],
    ['pieces', () => [bytes]],
  ])('is a TODO in a guessed mapping, and no finding: %s', async (_, input) => {
    const guess = await guessMapping({ input: input() });
    expect(guess.input).not.toHaveProperty('encoding');
    expect(guess.mapping).not.toMatch(/^input: .*encoding/mu);
    const comments = guess.mapping.replaceAll('\n# ', ' ');
    expect(comments).toMatch(
      /TODO: the file is not UTF-8, .*šokeeriv.*put `encoding: windows-1257` under input.*ðokeeriv.*put `encoding: windows-1252` under/,
    );
    expect(guess.records).toMatchObject({ read: 4, valid: 4 });
  });
});
