/** The edits that questions print, followed as printed, end in a valid mapping that does what the answer says. */

import { describe, expect, it } from 'vitest';
import { guessMapping, type ImportedDocument, previewDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { todosIn } from '../../src/mapping/mapping-text.js';
import { collect } from '../helpers/collect.js';
import { newFolder, put } from '../helpers/files.js';
import { followEdits, followed, withoutEdit } from './printed-edits.js';

const WALKS = [
  'We followed the river to the old mill and back',
  'The path was flooded and nobody had told us',
  'A guide who knows each bird by its song',
  'Too many steps for my knees, but what a view',
  'We got lost twice because a sign was missing',
  'The picnic at the top was worth all the sweat',
  'Our dog was welcome and got water at each stop',
  'The group was too large and too loud for me',
  'I would do it again in autumn, with better boots',
  'The bus back came an hour late and was full',
  'A short round for families, easy with a pram',
  'The map they hand out is older than the road',
];
const LATER = WALKS.map((_, n) => `Weeks later ${WALKS[(n + 5) % 12]?.toLowerCase()}, still`);
const NAMES = 'Ada Ben Cleo Dan Eva Finn Gro Hal Ines Jan Kai Lou'.split(' ');

type Cell = (n: number) => unknown;
type Cells = Readonly<Record<string, Cell>>;

const walk: Cell = (n) => WALKS[n];
const day: Cell = (n) => `2024-0${1 + (n % 9)}-1${n % 10}`;
const plain: Cells = { hiker: (n) => NAMES[n], stars: (n) => 1 + (n % 5), date: day };

const quoted = (value: unknown): string => `"${String(value ?? '').replaceAll('"', '""')}"`;

function csv(cells: Cells): string {
  const row = (values: readonly unknown[]): string => `${values.map(quoted).join(',')}\n`;
  const rows = WALKS.map((_, n) => row(Object.values(cells).map((cell) => cell(n))));
  return row(Object.keys(cells)) + rows.join('');
}

interface Answered {
  readonly documents: readonly ImportedDocument[];
  readonly invalid: number;
}

async function mapped(input: string, text: string): Promise<Answered> {
  const mapping = parseMapping(text, 'guessed.yaml');
  const all = await collect(previewDocuments({ input, mapping }));
  const valid = all.filter(({ problems }) => problems.length === 0);
  return {
    documents: valid.flatMap(({ document }) => document ?? []),
    invalid: all.length - valid.length,
  };
}

const score = ({ metrics }: ImportedDocument): number | undefined =>
  metrics?.find(({ name }) => name === 'score')?.value;

/** Follows the question that a pattern matches. */
async function answered(input: string, asks: RegExp): Promise<Answered> {
  const { mapping } = await guessMapping({ input, ready: false });
  const question = todosIn(mapping).find(({ text }) => asks.test(text));
  expect(question?.text, mapping).toBeDefined();
  return await mapped(input, followed(mapping, question?.text ?? ''));
}

const table = (cells: Cells): string => put(newFolder(), 'walks.csv', csv(cells));

describe('an edit, followed as printed,', () => {
  it('takes 0 for a rating, and for a bad one', async () => {
    const input = table({ ...plain, stars: (n) => n % 6, review: walk });
    const { documents } = await answered(input, /0 means "not rated"/);
    expect(documents.map(score).slice(0, 3)).toEqual([1, 1.8, 2.6]);
    expect(documents[0]?.sentiment).toBe('R');
  });

  it('exchanges day and month', async () => {
    const input = table({ ...plain, date: (n) => `0${1 + (n % 9)}/02/2024`, review: walk });
    const { documents } = await answered(input, /which number is the day/);
    expect(documents[2]?.published).toMatch(/^2024-03-02/);
  });

  it('states the year of dates without one, in the order that numbers above 12 show', async () => {
    const input = table({ ...plain, date: (n) => `1${n % 10}.0${1 + (n % 9)}.`, review: walk });
    const { documents } = await answered(input, /have no year/);
    expect(documents[4]?.published).toMatch(/^\d{4}-05-14/);
  });

  it('offers both orders of dates without a year that show none', async () => {
    const input = table({ ...plain, date: (n) => `0${1 + (n % 9)}.02.`, review: walk });
    const first = await answered(input, /and the day comes first/);
    expect(first.documents[2]?.published).toMatch(/^\d{4}-02-03/);
    const second = await answered(input, /and the month comes first/);
    expect(second.documents[2]?.published).toMatch(/^\d{4}-03-02/);
  });

  it('adds a column to the text, and no longer skips records that have only that one', async () => {
    const input = table({
      ...plain,
      review: (n) => (n === 0 ? '' : WALKS[n]),
      qualm: (n) => LATER[n]?.split(' ').slice(2, 5).join(' '),
    });
    const { documents } = await answered(input, /"qualm" belongs to the text/);
    expect(documents).toHaveLength(12);
    expect(documents[1]?.text).toMatch(/told us\n\n\w+ \w+ \w+$/u);
  });

  it('removes a field, and its parent where nothing else is in it', async () => {
    const input = table({ name: (n) => NAMES[n % 7], stars: plain['stars'] as Cell, review: walk });
    const { mapping } = await guessMapping({ input, ready: false });
    const { documents, invalid } = await mapped(input, followEdits(mapping));
    expect({ invalid, count: documents.length }).toEqual({ invalid: 0, count: 12 });
  });

  it('takes the other of two flags for the good one', async () => {
    const input = table({ hiker: walk, positive: (n) => (n % 2 ? 'true' : 'false'), review: walk });
    const { documents } = await answered(input, /is the positive value/);
    expect(documents.slice(0, 2).map(({ sentiment }) => sentiment)).toEqual(['B', 'R']);
  });

  it('names columns with blanks, quotes and braces as the file does', async () => {
    const name = 'what  "we"  {thought}';
    const input = table({ ...plain, review: walk, [name]: (n) => `fair enough ${NAMES[n]}` });
    const { documents } = await answered(input, /belongs to the text/);
    expect(documents[1]?.text).toBe(`${WALKS[1]}\n\nfair enough Ben`);
  });
});

describe('the edits of several questions about one rule', () => {
  it('keep the order of day and month when the others are left out', async () => {
    const date: Cell = (n) => (n === 3 ? '31/31/2024' : `0${1 + (n % 9)}/02/2024`);
    const input = table({ ...plain, date, review: walk });
    const { mapping } = await guessMapping({ input, ready: false });
    expect(mapping.replaceAll(/\n *# /gu, ' ')).toContain(
      'put `date: "M/d/yyyy"` in the rule of published',
    );
    const questions = todosIn(mapping).map(({ text }) => text);
    for (const order of [questions, questions.toReversed()]) {
      const { published } = parseMapping(order.reduce(followed, mapping), 'guessed.yaml').document;
      expect(published).toMatchObject({ date: 'M/d/yyyy', else: '', onError: 'else' });
    }
  });

  const few: Cell = (n) => LATER[n]?.split(' ').slice(2, 5).join(' ');
  it.each<readonly [string, Cell, object]>([
    ['put a column into the text', few, { from: ['review', 'qualm'], blank: true, in: ['-'] }],
    ['take one out of the text', (n) => LATER[n], { from: 'review', blank: true, in: ['-'] }],
  ])('leave out deleted reviews and %s, in any order', async (_, qualm, blank) => {
    const status: Cell = (n) => (n < 4 ? 'deleted' : 'published');
    const input = table({ ...plain, status, review: (n) => (n > 9 ? '-' : WALKS[n]), qualm });
    const { mapping } = await guessMapping({ input, ready: false });
    const questions = todosIn(mapping).map(({ text }) => text);
    for (const order of [questions, questions.toReversed()]) {
      const { skip } = parseMapping(order.reduce(followed, mapping), 'guessed.yaml');
      expect(new Set(skip)).toEqual(new Set([blank, { from: 'status', in: ['deleted'] }]));
    }
  });
});

describe('every question', () => {
  it.each<readonly [string, Cells]>([
    ['a survey', { When: day, 'Anything else?': walk, 'Overall (1-5)': (n) => n % 6 }],
    [
      'unknown names',
      { a: walk, b: (n) => NAMES[n], c: (n) => n % 6, d: (n) => `0${1 + (n % 9)}/02/24` },
    ],
    [
      'a sentiment nobody can read',
      { ...plain, sentiment: (n) => ['ja!', 'nee!', 'och'][n % 3], review: walk },
    ],
  ])('of %s has an edit, and all edits together give a valid mapping', async (_, cells) => {
    const input = table(cells);
    const { mapping } = await guessMapping({ input, ready: false });
    expect(todosIn(mapping).length).toBeGreaterThan(0);
    expect(withoutEdit(mapping)).toEqual([]);
    const { documents, invalid } = await mapped(input, followEdits(mapping));
    expect({ invalid, count: documents.length }).toEqual({ invalid: 0, count: 12 });
  });
});
