/** Columns that are taken for the review's id or asked about, and made ids that several records share. */
import { describe, expect, it } from 'vitest';
import { type Guess, guessMapping } from '../../src/index.js';
import { followEdits } from './printed-edits.js';

const ENDS = ['and we slept well', 'though the lift was slow', 'so we left a day early'];

/** A guess from forty reviews of three inns, with these columns first. */
function guessWith(columns: Readonly<Record<string, (n: number) => unknown>>): Promise<Guess> {
  const input = Array.from({ length: 40 }, (_, n) => ({
    ...Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value(n)])),
    hotel: `Inn ${n % 3}`,
    stars: 1 + (n % 5),
    review: `On evening ${n} the band played until ${n % 12}, ${ENDS[n % 3]}`,
  }));
  return guessMapping({ input, ready: false });
}

const idOf = ({ fields }: Guess) => fields.find(({ field }) => field === 'sourceId');

describe('a column that is called id and unique', () => {
  it.each([
    ['id', (n: number) => `k${n}`],
    ['Review ID', (n: number) => 'ABCDEFGH'.charAt(n % 8) + 'ABCDE'.charAt(n % 5)],
  ])('is the id: %s', async (name, value) => {
    const guess = await guessWith({ [name]: value });
    expect(idOf(guess)?.columns).toEqual([name]);
    expect(guess.records).toMatchObject({ valid: 40, duplicate: 0 });
  });

  it.each(['id', 'Review No'])('is a question if it counts the records: %s', async (name) => {
    const guess = await guessWith({ [name]: (n) => n + 1 });
    expect(guess.mapping).toMatch(/sourceId: \{ hash/);
    expect(idOf(guess)?.todo).toMatch(/only numbers the records, and may restart/);
    expect(followEdits(guess.mapping)).toContain(`sourceId: "{${name}}"`);
  });
});

describe('a column of the day of the export and a number for each record', () => {
  it.each([
    (n: number) => `20261120-${n + 1}`,
    (n: number) => `1763634600-${n}`,
    (n: number) => `${n + 1}/20.11.2026`,
  ])('is no id but a question: %s', async (value) => {
    const guess = await guessWith({ id: value });
    expect(guess.mapping).toMatch(/sourceId: \{ hash/);
    expect(idOf(guess)?.todo).toMatch(/only numbers the records, and may restart/);
  });

  it.each([(n: number) => `20261120-${(n * 7919) % 9999}`, (n: number) => `HR-${1001 + n}`])(
    'is an id if days or numbers are those of reviews: %s',
    async (value) => {
      expect(idOf(await guessWith({ id: value }))?.columns).toEqual(['id']);
    },
  );
});

describe('a column', () => {
  it('of short unique codes, of which its name says too little, is a question', async () => {
    const guess = await guessWith({ ref: (n) => `z${n}` });
    expect(idOf(guess)?.todo).toMatch(/whether "ref" is the review's id: its name doesn't show it/);
  });

  it.each(['Booking number', 'Order ID'])(
    'of unique bookings or orders is the id: %s',
    async (name) => {
      const guess = await guessWith({ [name]: (n) => `B${448000 + n * 37}` });
      expect(idOf(guess)?.columns).toEqual([name]);
    },
  );
});

describe('a made id', () => {
  const visitor = (n: number): string => ['Ana', 'Ben', 'Cleo', 'Dora'][n % 4] ?? '';
  const table = (rows: readonly object[]): Promise<Guess> =>
    guessMapping({ input: rows, ready: false });
  const rows = Array.from({ length: 40 }, (_, n) => ({
    visitor: visitor(n),
    stars: 1 + (n % 5),
    review: `On evening ${n} the band played until ${n % 12}, ${ENDS[n % 3]}`,
    counter: `desk ${n % 6} of the hall`,
  }));
  const [first, second] = rows;

  it('that two different records share is a question', async () => {
    const guess = await table([...rows, { ...first, counter: 'desk 9 of the yard' }]);
    expect(guess.records).toMatchObject({ valid: 40, duplicate: 1 });
    expect(idOf(guess)?.todo).toMatch(/1 of 41 reviews shares the id of a different review/);
  });

  it('that many records share is none if they differ only in when they were exported', async () => {
    const at = (minute: number): string => `2024-06-01 10:${10 + minute}:00`;
    const again = rows.slice(0, 15).map((row, n) => ({ ...row, 'Scraped At': at(40 + (n % 9)) }));
    const guess = await table([
      ...rows.map((row, n) => ({ ...row, 'Scraped At': at(n) })),
      ...again,
    ]);
    expect(guess.records).toMatchObject({ valid: 40, duplicate: 15 });
    expect(idOf(guess)?.todo).toBeNull();
    expect(idOf(guess)?.evidence).toMatch(
      /15 records repeat an earlier one, but for what is about the export/,
    );
  });

  it('that reviews of different days share is no repeat', async () => {
    const guess = await table(
      rows.map((row, n) =>
        n % 8 === 0
          ? { author: 'Anonymous', stars: 5, review: 'Great!', when: `${n + 1} days ago` }
          : { author: row.visitor, stars: row.stars, review: row.review, when: `${n} days ago` },
      ),
    );
    expect(guess.records.duplicate).toBe(4);
    expect(idOf(guess)).toMatchObject({ confidence: 'low' });
    expect(idOf(guess)?.evidence).not.toMatch(/repeat an earlier one/);
  });

  it('that a few equal records share is no question', async () => {
    const guess = await table([...rows, { ...first }, { ...second }]);
    expect(guess.records).toMatchObject({ valid: 40, duplicate: 2 });
    expect(idOf(guess)?.todo).toBeNull();
  });
});
