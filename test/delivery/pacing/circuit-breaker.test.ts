import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../src/delivery/pacing/pacing.js';

const FOREVER = { kind: 'wait', ms: Number.POSITIVE_INFINITY };

/** A breaker that opened at 1000 ms; the first probe is due a second later. */
function opened(): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (let failure = 0; failure < 5; failure += 1) breaker.failed(0, 1_000, 0);
  return breaker;
}

describe('CircuitBreaker', () => {
  it('opens after five failures in a row, and not before', () => {
    const breaker = new CircuitBreaker();
    for (let failure = 0; failure < 4; failure += 1) breaker.failed(0, 1_000, 0);
    breaker.succeeded();
    for (let failure = 0; failure < 4; failure += 1) breaker.failed(0, 1_000, 0);
    expect(breaker.decide(1_000)).toEqual({ kind: 'send' });
    breaker.failed(0, 1_000, 0);
    expect(breaker.decide(1_000)).toEqual({ kind: 'wait', ms: 1_000 });
  });

  it('waits longer after each failure, from 1 to 30 seconds', () => {
    const breaker = opened();
    const waits: number[] = [];
    let now = 2_000;
    for (let round = 0; round < 7; round += 1) {
      breaker.requestStarted(now);
      breaker.probed(false, now, 1);
      const decision = breaker.decide(now);
      const ms = decision.kind === 'wait' ? decision.ms : 0;
      waits.push(ms);
      now += ms;
    }
    expect(waits).toEqual([4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('learns nothing from requests that were in flight when it opened, unless they went well', () => {
    const breaker = opened();
    breaker.requestStarted(2_000);
    breaker.failed(0, 2_100, 0);
    expect(breaker.decide(2_100)).toEqual(FOREVER);
    breaker.succeeded();
    expect(breaker.decide(2_200)).toEqual({ kind: 'send' });
    breaker.probed(false, 2_300, 0);
    expect(breaker.decide(2_300)).toEqual({ kind: 'send' });
  });
});
