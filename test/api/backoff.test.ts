import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, retryAfterMs } from '../../src/api/transport/backoff.js';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 250);

describe('backoffMs', () => {
  it('lies anywhere below a bound that doubles from half a second to 30 seconds', () => {
    expect([0, 1, 2, 5, 6, 7, 2_000].map((failures) => backoffMs(failures, 1))).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(backoffMs(3, 0)).toBe(0);
    expect(backoffMs(3, 0.25)).toBe(1_000);
  });
});

describe('retryAfterMs', () => {
  it('reads seconds', () => {
    expect(retryAfterMs({ retryAfter: '120' }, NOW)).toBe(120_000);
    expect(retryAfterMs({ retryAfter: ' 0 ' }, NOW)).toBe(0);
    expect(retryAfterMs({ retryAfter: '1.5' }, NOW)).toBe(1_500);
  });

  it('reads an HTTP date in either form that names its zone, against the time of the answer', () => {
    expect(retryAfterMs({ retryAfter: 'Thu, 01 Jan 2026 12:00:30 GMT' }, NOW)).toBe(29_750);
    expect(retryAfterMs({ retryAfter: 'Thursday, 01-Jan-26 12:00:30 GMT' }, NOW)).toBe(29_750);
    expect(retryAfterMs({ retryAfter: 'Thu, 01 Jan 2026 11:00:00 GMT' }, NOW)).toBe(0);
  });

  it('reads a date against the clock of the service, where that is told', () => {
    const answer = {
      retryAfter: 'Thu, 01 Jan 2026 09:30:10 GMT',
      date: 'Thu, 01 Jan 2026 09:30:00 GMT',
    };
    expect(retryAfterMs(answer, NOW)).toBe(10_000);
    expect(retryAfterMs({ ...answer, date: 'garbage' }, NOW)).toBe(0);
  });

  it.each([
    undefined,
    '',
    '-5',
    '1e3',
    'Infinity',
    'Thu Jan  1 12:00:30 2026',
    '2026-01-01T12:00:30Z',
    'Thu, 99 Jan 2026 12:00:30 GMT',
  ])('takes nothing from %j', (retryAfter) => {
    expect(retryAfterMs(retryAfter === undefined ? {} : { retryAfter }, NOW)).toBeUndefined();
  });

  it('gives a length of time or nothing, for whatever a header may hold', () => {
    const text = fc.oneof(fc.string(), fc.date().map(String), fc.integer().map(String));
    fc.assert(
      fc.property(text, text, (retryAfter, date) => {
        const ms = retryAfterMs({ retryAfter, date }, NOW);
        expect(ms === undefined || ms >= 0).toBe(true);
      }),
    );
  });
});
