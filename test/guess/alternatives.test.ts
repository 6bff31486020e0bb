import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMapping, editMapping, type Guess, guessMapping } from '../../src/index.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

const FOLDER = path.join(ROOT, 'test/guess/exports');
const SAMPLE = path.join(ROOT, 'samples/hotel-reviews.csv');
const EXPORTS = readdirSync(FOLDER)
  .filter((name) => /\.(csv|tsv|jsonl?)$/.test(name))
  .map((name) => path.join(FOLDER, name));

const alternativesOf = ({ fields }: Guess, wanted: string) =>
  fields.find(({ field }) => field === wanted)?.alternatives ?? [];

/** Forty reviews with two columns of dates and two of ratings. */
function doubtful(): Promise<Guess> {
  const input = Array.from({ length: 40 }, (_, n) => ({
    review_id: `rv-${1000 + n * 7}`,
    review: `The soup was cold on day ${n}, and it rained again over the old town.`,
    rating: String(1 + (n % 5)),
    review_date: `2024-05-${String((n % 28) + 1).padStart(2, '0')}`,
    date: `2024-04-${String((n % 28) + 1).padStart(2, '0')}`,
    language: 'en',
  }));
  return guessMapping({ input, ready: false });
}

describe('the alternatives of a field', () => {
  it('are the columns that came next, with rules of their own and what speaks for them', async () => {
    const [next] = alternativesOf(await doubtful(), 'published');
    expect(next).toMatchObject({ column: 'date', rule: { from: 'date', date: 'iso' } });
    expect(next?.evidence).toMatch(/^100% of the values in "date" are dates/);
  });

  it('are without a column only where a rule can do without one', async () => {
    const { fields } = await doubtful();
    const columnless = fields.filter(({ alternatives }) =>
      alternatives.some(({ column }) => column === null),
    );
    expect(columnless.map(({ field }) => field).toSorted()).toEqual(['language', 'sourceId']);
  });

  it('say nothing against the column that was chosen', async () => {
    const [hash] = alternativesOf(await doubtful(), 'sourceId');
    expect(hash?.evidence).toBe(
      'a hash of the columns that identify a review, the same in every export',
    );
  });

  it('can stand in the mapping, each in the place of its field', () => standIn(SAMPLE));

  longTest(
    'can do so for exports of all kinds',
    async () => {
      for (const file of EXPORTS) await standIn(file);
    },
    120_000,
  );
});

async function standIn(file: string): Promise<void> {
  const { mapping, fields, columns } = await guessMapping({ input: file, ready: false });
  for (const { field, alternatives } of fields) {
    for (const { rule, column } of alternatives) {
      const edited = editMapping(mapping, { path: ['document', ...field.split('.')], value: rule });
      expect(edited).not.toBe(mapping);
      const mistakes = checkMapping(edited).filter(({ severity }) => severity === 'error');
      expect(mistakes, `${file}: ${field} from ${column}`).toEqual([]);
      if (column !== null) expect(columns.map(({ name }) => name)).toContain(column);
    }
  }
}

describe('the columns of a guess', () => {
  it('say how filled each is, and what its values are like', async () => {
    const { columns } = await guessMapping({ input: SAMPLE, ready: false });
    expect(columns.slice(0, 2)).toEqual([
      {
        name: 'Review ID',
        filled: 1,
        distinct: 24,
        kinds: [{ kind: 'id', share: 1 }],
        length: 7,
        words: 1,
        examples: ['HR-1001', 'HR-1002', 'HR-1003', 'HR-1004', 'HR-1005'],
        usedBy: ['sourceId'],
      },
      expect.objectContaining({ name: 'Hotel', filled: 1 }),
    ]);
    expect(columns.find(({ name }) => name === 'City')?.filled).toBeLessThan(1);
  });

  it('are there of a mapping that was ready, too', async () => {
    const { ready, columns } = await guessMapping({ input: SAMPLE });
    expect(ready).not.toBeNull();
    expect(columns).toHaveLength(15);
  });
});

describe('guess --json', () => {
  longTest('prints the guess, and no mapping beside it', async () => {
    const { code, stdout } = await docferry(['guess', SAMPLE, '--json', '--no-ready'], {
      cwd: ROOT,
    });
    expect(code).toBe(0);
    const guess = await guessMapping({ input: SAMPLE, ready: false });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(guess)));
  });
});
