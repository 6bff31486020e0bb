import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs } from '../../src/delivery/pacing/back-off.js';
import { Outage } from '../../src/delivery/pacing/outage.js';
import { RateLimit } from '../../src/delivery/pacing/rate-limit.js';
import { RetryBudget } from '../../src/delivery/pacing/retry-budget.js';

describe('backOffMs', () => {
  it('lies anywhere below a bound that doubles from half a second to 30 seconds', () => {
    expect([0, 1, 2, 5, 6, 7, 2_000].map((failures) => backOffMs(failures, 1))).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(backOffMs(3, 0)).toBe(0);
    expect(backOffMs(3, 0.25)).toBe(1_000);
  });
});

describe('RateLimit', () => {
  it('lets no more through than the rate, in any second, however they come', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 50 }), (gaps, rate) => {
        const limit = new RateLimit();
        let now = 0;
        const gone = gaps.map((gap) => {
          now += gap;
          return now + limit.take(now, rate);
        });
        for (const at of gone) {
          const within = gone.filter((other) => other >= at && other < at + 1_000 - 1e-6);
          expect(within.length).toBeLessThanOrEqual(rate);
        }
      }),
    );
  });

  it('keeps a slow rate, and has no limit at an infinite one', () => {
    const limit = new RateLimit();
    expect(limit.take(0, 0.5)).toBe(0);
    expect(limit.waitMs(500)).toBe(1_500);
    expect(limit.take(500, Number.POSITIVE_INFINITY)).toBe(1_500);
    expect(limit.take(2_000, Number.POSITIVE_INFINITY)).toBe(0);
    expect(limit.waitMs(2_000)).toBe(0);
  });
});

describe('RetryBudget', () => {
  it('always allows 32 a minute, and then a tenth of what is sent', () => {
    const budget = new RetryBudget();
    for (let retry = 0; retry < 32; retry += 1) {
      expect(budget.waitMs(0)).toBe(0);
      budget.sent(0, true);
    }
    expect(budget.waitMs(0)).toBeGreaterThan(0);
    for (let request = 0; request < 296; request += 1) budget.sent(1_000, false);
    expect(budget.waitMs(1_000)).toBeGreaterThan(0);
    budget.sent(1_000, false);
    expect(budget.waitMs(1_000)).toBe(0);
  });

  it('says when the next one may go, and never allows more within a minute', () => {
    const steps = fc.array(
      fc.record({ ms: fc.integer({ min: 0, max: 9_000 }), fresh: fc.nat({ max: 30 }) }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (steps) => {
        const budget = new RetryBudget();
        const sent: { at: number; retry: boolean }[] = [];
        const send = (at: number, retry: boolean) => {
          sent.push({ at, retry });
          budget.sent(at, retry);
        };
        let now = 0;
        for (const { ms, fresh } of steps) {
          now += ms;
          for (let request = 0; request < fresh; request += 1) send(now, false);
          now += budget.waitMs(now);
          expect(budget.waitMs(now)).toBe(0);
          send(now, true);
          const minute = sent.filter(({ at }) => at > now - 60_000);
          const retries = minute.filter(({ retry }) => retry).length;
          // What a slice of a second too much or too little was sent in may count or not.
          const most = sent.filter(({ at }) => at > now - 62_000).length;
          expect(retries).toBeLessThanOrEqual(Math.max(32, 0.1 * most));
        }
      }),
    );
  });
});

describe('Outage', () => {
  it('lasts from the first failure to the first success', () => {
    const outage = new Outage(1_000);
    expect(outage.failed(0)).toBe(false);
    expect(outage.failed(1_000)).toBe(false);
    outage.wentWell();
    expect(outage.failed(1_500)).toBe(false);
    expect(outage.failed(2_501)).toBe(true);
  });
});
