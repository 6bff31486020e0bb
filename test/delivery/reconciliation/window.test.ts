import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  covered,
  EVERYTHING,
  halves,
  mergeWindows,
  showWindow,
  windowAround,
  windowOf,
} from '../../../src/delivery/reconciliation/window.js';

const MINUTE = 60_000;
const windows = fc
  .tuple(fc.integer({ min: -2e7, max: 3e7 }), fc.integer({ min: 1, max: 1e6 }))
  .map(([from, minutes]) => ({ from: from * MINUTE, to: (from + minutes) * MINUTE }));

describe('a window', () => {
  it('is a day wider on both sides, in whole minutes', () => {
    const around = windowAround({ from: '2024-05-01T10:00:30Z', to: '2024-05-03T10:00:30Z' });
    expect(showWindow(around)).toBe('2024-04-30 10:00 to 2024-05-04 10:01');
  });

  it.each([
    null,
    { from: 'yesterday', to: '2024-05-01T00:00:00Z' },
    { from: '2024-05-02T00:00:00Z', to: '2024-05-01T00:00:00Z' },
    { from: '+012024-05-02T00:00:00Z', to: '+012024-05-02T00:00:00Z' },
  ])('is everything where the times are not known or make no sense: %j', (published) => {
    expect(windowAround(published)).toEqual(EVERYTHING);
  });

  it('has the ends that can be written', () => {
    expect(showWindow(windowOf('0001-01-01T05:00:00Z'))).toBe(
      '0001-01-01 00:00 to 0001-01-02 05:00',
    );
    expect(showWindow(windowOf('9999-12-31T05:00:00Z'))).toBe(
      '9999-12-30 05:00 to 9999-12-31 23:59',
    );
  });

  it('is covered by its halves, which share a minute; a single minute has none', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const both = halves(window);
        const single = window.to - window.from < 2 * MINUTE;
        expect(both === undefined).toBe(single);
        if (both === undefined) return;
        const [first, second] = both;
        expect([first.from, second.to]).toEqual([window.from, window.to]);
        expect(first.to).toBe(second.from);
        expect(first.from < first.to && second.from < second.to).toBe(true);
      }),
    );
  });

  it('is covered by the windows that it was merged into, which do not overlap', () => {
    fc.assert(
      fc.property(fc.array(windows, { maxLength: 12 }), (all) => {
        const merged = mergeWindows(all);
        for (const window of all) expect(covered(window, merged)).toBe(true);
        for (const [at, { from }] of merged.entries()) {
          if (at > 0) expect(from).toBeGreaterThan(merged[at - 1]!.to);
        }
        const ends = new Set(all.flatMap(({ from, to }) => [from, to]));
        expect(merged.every(({ from, to }) => ends.has(from) && ends.has(to))).toBe(true);
      }),
    );
  });
});
