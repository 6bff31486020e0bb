import { describe, expect, it } from 'vitest';
import { AdaptiveConcurrency } from '../../../src/delivery/pacing/concurrency.js';

/** Plays windows against the limit: `limit` answers at once, `ms` after they were sent. */
class Play {
  readonly concurrency = new AdaptiveConcurrency();
  #now = 0;

  window(ms: number, { full = true } = {}): number {
    const answers = this.concurrency.limit;
    const sentAt = this.#now;
    this.#now += ms;
    for (let answer = 0; answer < answers; answer += 1) {
      this.concurrency.accepted({ documents: 500, sentAt, answeredAt: this.#now, full });
    }
    return this.concurrency.limit;
  }
}

describe('AdaptiveConcurrency', () => {
  it('starts with one and doubles up to 32 as long as that brings more', () => {
    const play = new Play();
    expect(play.concurrency.limit).toBe(1);
    expect([1, 2, 3, 4, 5, 6, 7].map(() => play.window(50))).toEqual([2, 4, 8, 16, 32, 32, 32]);
  });

  it('stops doubling where it brings nothing', () => {
    const play = new Play();
    // Eight at a time are as fast as four: the times double.
    expect([50, 50, 50, 100].map((ms) => play.window(ms))).toEqual([2, 4, 8, 4]);
  });

  it('is halved when the service throttles, finds its way back, and then grows by one', () => {
    const play = new Play();
    for (let window = 0; window < 4; window += 1) play.window(50);
    expect(play.concurrency.limit).toBe(16);
    play.concurrency.halve();
    expect(play.concurrency.limit).toBe(8);
    const limits = Array.from({ length: 10 }, () => play.window(50));
    expect(limits).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('never falls below one or rises above 32', () => {
    const play = new Play();
    for (let window = 0; window < 8; window += 1) play.concurrency.halve();
    expect(play.concurrency.limit).toBe(1);
    for (let window = 0; window < 60; window += 1) play.window(50);
    expect(play.concurrency.limit).toBe(32);
  });

  it('grows only where the limit was reached', () => {
    const play = new Play();
    for (let window = 0; window < 4; window += 1) play.window(50);
    play.concurrency.halve();
    for (let window = 0; window < 12; window += 1) play.window(50, { full: false });
    expect(play.concurrency.limit).toBe(8);
  });
});
