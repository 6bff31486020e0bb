import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../src/cli/output/progress-line.js';
import { byteSize, duration } from '../../../src/model/figures.js';
import { countsWith } from '../../report/fixtures.js';

const wide = (width: number) => ({ width, color: false });

const halfway = {
  counts: countsWith({ read: 12_345, accepted: 12_000, invalid: 45 }),
  bytesRead: 5_000_000,
  bytesTotal: 10_000_000,
  elapsedMs: 10_000,
};

describe('the progress line', () => {
  it('is a sentence without a width', () => {
    expect(progressLine(halfway)).toBe(
      '12,345 records, 10 s left, 1,235/s, 45 invalid or rejected, 12,000 accepted, 5.0 MB of 10 MB',
    );
  });

  it('draws a bar on a terminal', () => {
    expect(progressLine(halfway, wide(140))).toMatch(/^━{15}─{15} {2}50% {2}12,345 records {2}/);
  });

  it('keeps the bar at every width, and drops the least important figures', () => {
    expect(progressLine(halfway, wide(57))).toBe(
      '━━━━━━━━────────  50%  12,345 records  10 s left  1,235/s',
    );
    expect(progressLine(halfway, wide(30))).toMatch(/^━+─+ {2}50%$/);
    expect(progressLine(halfway, wide(16))).toBe('━━━━━──────  50%');
  });

  it('tells no percentage and no time left when the size is unknown', () => {
    const line = progressLine({ ...halfway, bytesTotal: null }, wide(140));
    expect(line).toBe('12,345 records  1,235/s  45 invalid or rejected  12,000 accepted  5.0 MB');
  });

  it('fits every terminal, whatever the figures', () => {
    const figures = fc.record({
      counts: fc.nat().map((read) => countsWith({ read, accepted: read, unknown: read % 3 })),
      bytesRead: fc.nat(),
      bytesTotal: fc.option(fc.nat()),
      elapsedMs: fc.nat(),
    });
    fc.assert(
      fc.property(figures, fc.integer({ min: 0, max: 200 }), (progress, width) => {
        expect(progressLine(progress, wide(width)).length).toBeLessThanOrEqual(width);
        expect(progressLine(progress, wide(width))).not.toMatch(/NaN|Infinity|undefined/);
      }),
    );
  });
});

describe('figures', () => {
  it.each<[number, string]>([
    [0, '0 B'],
    [1_000, '1.0 kB'],
    [9_950, '10 kB'],
    [999_500, '1.0 MB'],
  ])('%i bytes read as %s', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text);
  });

  it.each<[number, string]>([
    [0, '0.0 s'],
    [9_950, '10 s'],
    [59_500, '1 min 0 s'],
    [3_599_500, '1 h 0 min'],
  ])('%i ms read as %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});
