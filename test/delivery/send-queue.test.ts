import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RetryBudget } from '../../src/delivery/send-queue.js';

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
