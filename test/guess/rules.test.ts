import { describe, expect, it } from 'vitest';
import { guessMapping, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { documentsMade } from './documents-made.js';

const AREAS = ['harbour', 'station', 'museum', 'bridge', 'garden', 'market', 'castle', 'beach'];

/** A review that is like no other. */
function row(at: number, likes = at): string {
  const area = `${AREAS[at % 8]} and the ${AREAS[(at >> 3) % 8]}`;
  const text = `We walked from the ${area} on day ${at} and were glad of a quiet table there`;
  return `${5000 + at * 7},Guest ${at},${1 + (at % 5)},2024-0${1 + (at % 9)}-1${at % 10},${text},${likes}\n`;
}

async function guessed(csv: string): Promise<string> {
  const { mapping: yaml } = await guessMapping({
    input: put(newFolder(), 'x.csv', csv),
    ready: false,
  });
  return yaml;
}

const HEAD = 'review_id,author,rating,date,text,likes\n';
const rows = (count: number): string[] => Array.from({ length: count }, (_, at) => row(at));

describe('a guessed id', () => {
  it('is the column whose repeats agree on author, date and rating, though likes have grown', async () => {
    const again = Array.from({ length: 12 }, (_, at) => row(at, at + 100));
    const yaml = await guessed(HEAD + [...rows(40), ...again].join(''));
    expect(yaml).toContain('sourceId: "{review_id}"');
    expect(yaml).toContain('duplicates: same-review');
    expect(yaml.replace(/\n *# /g, ' ')).toMatch(/agree on author, date and rating/);
  });

  it('is no column whose repeats are other reviews', async () => {
    const others = Array.from({ length: 12 }, (_, at) =>
      row(at + 100).replace(/^\d+/, String(5000 + at * 7)),
    );
    const yaml = await guessed(HEAD + [...rows(40), ...others].join(''));
    expect(yaml).toContain('sourceId: { hash:');
    expect(yaml).not.toContain('duplicates:');
  });
});

describe('guessed likes', () => {
  it.each([
    ['"1,234"', '"12,034,567"', 1234, 12034567],
    ['"1 234"', '1’234', 1234, 1234],
    ['12', '"7, so far"', 12, 7],
  ])('read %s and %s', async (one, other, first, second) => {
    const csv =
      HEAD +
      rows(12).join('') +
      [one, other]
        .map((likes, at) => `${row(50 + at).replace(/,\d+\n$/u, '')},${likes}\n`)
        .join('');
    const input = put(newFolder(), 'likes.csv', csv);
    const { mapping } = await guessMapping({ input, ready: false });
    const likes = (await documentsMade(input, mapping)).map(
      (document) => document?.metrics?.find(({ name }) => name === 'likes')?.value,
    );
    expect(likes.slice(-2)).toEqual([first, second]);
  });
});

describe('a guessed hash', () => {
  const COLUMNS: Readonly<Record<string, (at: number) => string>> = {
    author: (at) => `Guest ${at}`,
    date: (at) => `2024-0${1 + (at % 9)}-1${at % 10}`,
    time: (at) => `1${at % 10}:3${at % 6}`,
    rating: (at) => String(1 + (at % 5)),
    text: (at) => `On day ${at} we walked from the ${AREAS[at % 8]} and were glad of a quiet table`,
  };
  const THINGS: Readonly<Record<string, (at: number) => string>> = {
    product_name: (at) => `The ${AREAS[at % 8]} lamp`,
    product_id: (at) => `B00${at % 8}`,
  };

  it.each([
    ['author', {}],
    ['date', {}],
    ['text', {}],
    ...Object.entries(THINGS).map(([name, value]) => [name, { [name]: value }] as const),
  ] as const)('makes two reviews of records that differ only in %s', async (name, things) => {
    const columns = Object.entries({ ...COLUMNS, ...things });
    const line = (at: number, other = at): string =>
      `${columns.map(([column, value]) => value(column === name ? other : at)).join(',')}\n`;
    const lines = Array.from({ length: 40 }, (_, at) => line(at));
    const csv = [`${columns.map(([column]) => column).join(',')}\n`, ...lines, line(3, 4)].join('');
    const input = put(newFolder(), 'x.csv', csv);
    const { mapping } = await guessMapping({ input, ready: false });
    expect(mapping).toContain('sourceId: { hash:');
    const { counts } = await validateDocuments({
      input,
      mapping: put(newFolder(), 'm.yaml', mapping),
      throwOn: 'never',
    });
    expect(counts).toMatchObject({ read: 41, unsent: 41 });
  });
});

describe('a guessed author', () => {
  const named = (name: string): string[] =>
    rows(40).map((line, at) => (at % 4 ? line : line.replace(/Guest \d+/, name)));

  it.each(['Anonymous', 'A Google user', '匿名希望'])(
    'is nobody where the name is %s',
    async (name) => {
      const input = put(newFolder(), 'x.csv', HEAD + named(name).join(''));
      const { mapping } = await guessMapping({ input, ready: false });
      const made = await documentsMade(input, mapping);
      const authors = made.map((document) => document?.author?.username);
      expect(authors.slice(0, 5)).toEqual([undefined, 'Guest 1', 'Guest 2', 'Guest 3', undefined]);
    },
  );
});

describe('a guessed text', () => {
  it.each([
    ['What could we improve?', 'Nothing', 'nothing.'],
    ['Was hat Ihnen nicht gefallen?', 'nichts', 'Keine Beanstandung'],
  ])('leaves out that there is no complaint: %s %s', async (question, one, other) => {
    const cells = rows(24).map((whole, at) => {
      const words = whole.split(',')[4] ?? '';
      const complaint = at % 3 === 0 ? `Too loud after ${at}` : at % 3 === 1 ? one : other;
      return `${9000 + at},${words},${complaint}`;
    });
    const yaml = await guessed(`id,review,${question}\n${cells.join('\n')}\n`);
    const input = cells.map((line) => {
      const [id, review, complaint] = line.split(',');
      return { id, review, [question]: complaint };
    });
    const texts = (await documentsMade(input, yaml)).map((document) => document?.text);
    expect(texts).toHaveLength(24);
    expect(texts[0]).toContain('Too loud after 0');
    expect(texts.filter((text) => /noth|nichts|Beanst|Rien|RAS/i.test(String(text)))).toEqual([]);
  });

  const titled = (title: (at: number) => string): string =>
    `id,title,text\n${rows(40)
      .map((line, at) => `${at + 70},${title(at)},${line.split(',')[4]}\n`)
      .join('')}`;

  it('leaves out titles that were cut from it, and no other', async () => {
    const yaml = await guessed(
      titled((at) =>
        at % 2 ? `Never the ${AREAS[at % 8]}…` : `${'We walked from the'.slice(0, 12 + (at % 5))}…`,
      ),
    );
    expect(yaml).toContain('{ from: title, unlessStartOf: "{text}" }');
  });
});

describe('a guessed rating in words', () => {
  const inWords = (words: readonly string[]): string =>
    words.map((word, at) => row(at).replace(/^(\d+,[^,]+),\d/, `$1,${word}`)).join('');

  it('loses no score in silence: a word that a later export has makes its record invalid', async () => {
    const folder = newFolder();
    const words = ['Very satisfied', 'Satisfied', 'Neutral', 'n/a'];
    const sample = Array.from({ length: 24 }, (_, at) => words[at % 4] as string);
    const input = put(folder, 'x.csv', HEAD + inWords(sample));
    const { mapping: yaml } = await guessMapping({ input, ready: false });
    const mapping = put(folder, 'm.yaml', yaml);
    const first = await validateDocuments({ input, mapping, throwOn: 'never' });
    expect(first.counts).toMatchObject({ read: 24, invalid: 0 });
    const later = put(folder, 'y.csv', HEAD + inWords([...sample, 'Dissatisfied']));
    const next = await validateDocuments({ input: later, mapping, throwOn: 'never' });
    expect(next.counts).toMatchObject({ read: 25, invalid: 1 });
    expect(next.causes).toMatchObject([
      { kind: 'unlisted-value', fields: { sentiment: 1, 'metrics.score': 1 }, columns: ['rating'] },
    ]);
  });
});
