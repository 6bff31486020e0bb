import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DateCounts, monthsOf } from '../../src/coverage/value-counts.js';
import { runs } from '../helpers/runs.js';

const dates = fc.array(
  fc.date({ min: new Date('0000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
  { maxLength: 900 },
);

function countsOf(all: readonly Date[]): DateCounts {
  const counts = new DateCounts();
  for (const date of all) counts.add(date.toISOString());
  return counts;
}

describe('counts of dates', () => {
  it('tell months in order, unless there are more than 600', () => {
    fc.assert(
      fc.property(dates, (all) => {
        const months = all.map((date) => date.toISOString().slice(0, 7)).toSorted();
        const different = [...new Set(months)];
        const expected = different.map((value) => ({
          value,
          count: months.lastIndexOf(value) - months.indexOf(value) + 1,
        }));
        const found = monthsOf(countsOf(all).summary());
        expect(found).toEqual(different.length > 600 ? [] : expected);
      }),
      { numRuns: runs(100) },
    );
  });

  it('tell the same whether dates come one by one or in parts, in any order', () => {
    fc.assert(
      fc.property(dates, fc.nat(900), (all, at) => {
        const merged = new DateCounts();
        merged.merge(structuredClone(countsOf(all.slice(at)).summary()));
        merged.merge(countsOf(all.slice(0, at)).summary());
        expect(monthsOf(merged.summary())).toEqual(monthsOf(countsOf(all).summary()));
      }),
      { numRuns: runs(100) },
    );
  });

  it('leave out months of years that are none', () => {
    const counts = new DateCounts();
    for (const date of ['+012024-05-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'])
      counts.add(date);
    expect(monthsOf(counts.summary())).toEqual([{ value: '2024-05', count: 1 }]);
    expect(counts.summary().years.counts).toHaveLength(2);
  });
});
