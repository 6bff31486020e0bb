import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { guessMapping } from '../../src/index.js';
import { ROOT } from '../helpers/markdown.js';

const SAMPLE = path.join(ROOT, 'samples/hotel-reviews.csv');

describe('the columns of a guess', () => {
  it('say how filled each is, and what its values are like', async () => {
    const { columns } = await guessMapping({ input: SAMPLE, ready: false });
    expect(columns.slice(0, 2)).toEqual([
      {
        name: 'Review ID',
        filled: 1,
        distinct: 24,
        examples: ['HR-1001', 'HR-1002', 'HR-1003', 'HR-1004', 'HR-1005'],
        usedBy: ['sourceId'],
      },
      expect.objectContaining({ name: 'Hotel', filled: 1 }),
    ]);
    expect(columns.find(({ name }) => name === 'City')?.filled).toBeLessThan(1);
  });
});
