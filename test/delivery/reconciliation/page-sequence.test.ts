import { describe, expect, it } from 'vitest';
import { PageSequence } from '../../../src/delivery/reconciliation/page-sequence.js';

const published = '2024-05-01T10:00:30Z';
const page = (ids: readonly number[], total: number) => ({
  documents: ids.map((id) => ({ id, source: 'RVW', sourceId: `s${id}`, published })),
  total,
});

/** Adds pages, and tells for each what was asked and how it ended. */
function sequence(pages: readonly ReturnType<typeof page>[], reach = Number.POSITIVE_INFINITY) {
  const pageSequence = new PageSequence(reach);
  return pages.map((one) => {
    const { offset } = pageSequence;
    const { fresh, end } = pageSequence.add(one);
    return [offset, fresh.map(({ id }) => id), end?.kind];
  });
}

describe('pages', () => {
  it('begin with the last document of the page before, until the total is reached', () => {
    expect(sequence([page([9, 8, 7], 5), page([7, 6, 5], 5)])).toEqual([
      [0, [9, 8, 7], undefined],
      [2, [6, 5], 'complete'],
    ]);
  });

  it('of a single document follow each other', () => {
    expect(sequence([page([9], 2), page([8], 2)])).toEqual([
      [0, [9], undefined],
      [1, [8], 'complete'],
    ]);
  });

  it('of nothing are complete', () => {
    expect(sequence([page([], 0)])).toEqual([[0, [], 'complete']]);
  });

  it('are unsteady when one document went and another came, so that the total is the same', () => {
    // Instead of 9 there is 1: what was at offset 3 is now at 2, where 7 is expected.
    expect(sequence([page([9, 8, 7], 6), page([6, 5, 4], 6)]).at(-1)).toEqual([
      2,
      [6, 5, 4],
      'unsteady',
    ]);
    expect(sequence([page([9], 3), page([9], 3)]).at(-1)).toEqual([1, [9], 'unsteady']);
  });

  it('are unsteady when the total changes, or is less than they hold', () => {
    expect(sequence([page([9, 8], 4), page([8, 7], 5)]).at(-1)).toEqual([1, [8, 7], 'unsteady']);
    expect(sequence([page([9, 8, 7], 2)])).toEqual([[0, [9, 8, 7], 'unsteady']]);
  });

  it('are too deep when they end before the total, or the total is beyond the reach', () => {
    expect(sequence([page([9, 8], 4), page([8], 4)]).at(-1)).toEqual([1, [], 'too-deep']);
    expect(sequence([page([9, 8], 4), page([], 4)]).at(-1)).toEqual([1, [], 'too-deep']);
    expect(sequence([page([9, 8], 40)], 20)).toEqual([[0, [9, 8], 'too-deep']]);
  });

  it('can not be used with nothing of a total', () => {
    expect(sequence([page([], 3)])).toEqual([[0, [], 'failed']]);
  });

  it('that can not be had are a failure at the beginning, and too deep later', () => {
    const pages = new PageSequence(Number.POSITIVE_INFINITY);
    expect(pages.failure('no').kind).toBe('failed');
    pages.add(page([9, 8], 4));
    expect(pages.failure('no')).toMatchObject({ kind: 'too-deep', reach: 2, message: 'no' });
  });

  it('tell how many documents share the minute of the last', () => {
    const pages = new PageSequence(Number.POSITIVE_INFINITY);
    expect(pages.oldest).toBeUndefined();
    pages.add(page([9, 8], 4));
    pages.add(page([8, 7], 4));
    expect(pages.oldest).toEqual({ at: Date.parse('2024-05-01T10:00:00Z'), documents: 3 });
  });
});
