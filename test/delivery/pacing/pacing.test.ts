import { describe, expect, it } from 'vitest';
import type { RequestSample } from '../../../src/delivery/pacing/pacing.js';
import { Pacing } from '../../../src/delivery/pacing/pacing.js';

const SETTINGS = { concurrency: 7, maxOutageMs: 1_000 };

function answered(at: number, what: Partial<RequestSample>): RequestSample {
  const nothing = { accepted: false, overloaded: false, failed: false, unsent: false };
  const times = { documents: 1, sentAt: at - 1, answeredAt: at, sentAtLimit: true };
  return { ...nothing, ...times, retryAfterMs: undefined, message: 'no', ...what };
}

describe('Pacing', () => {
  it('pauses longer after each request that could not be sent, until one is accepted', () => {
    const pacing = new Pacing({ ...SETTINGS, maxOutageMs: 60_000 }, () => 0.5);
    const pauseAfter = (at: number): number => {
      pacing.answered(answered(at, { failed: true, unsent: true }));
      return pacing.pausedFor(at);
    };
    expect([1_000, 2_000, 3_000].map(pauseAfter)).toEqual([250, 500, 1_000]);
    pacing.answered(answered(5_000, { accepted: true }));
    expect(pauseAfter(6_000)).toBe(250);
  });

  it('counts requests that were in flight together as one sign', () => {
    const pacing = new Pacing({ ...SETTINGS, maxOutageMs: 60_000 }, () => 0.5);
    for (const at of [1_000, 1_001, 1_002]) {
      pacing.answered(answered(at, { sentAt: 900, failed: true, unsent: true }));
    }
    expect(pacing.pausedFor(1_000)).toBe(250);
  });

  it('pauses for a service that refuses requests as too many without a Retry-After', () => {
    const pacing = new Pacing(SETTINGS, () => 0.5);
    pacing.answered(answered(1_000, { overloaded: true }));
    expect(pacing.pausedFor(1_000)).toBe(0);
    pacing.answered(answered(1_010, { overloaded: true }));
    expect(pacing.pausedFor(1_010)).toBe(250);
  });
});
