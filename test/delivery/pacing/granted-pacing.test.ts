import { describe, expect, it } from 'vitest';
import { GrantedPacing } from '../../../src/delivery/pacing/granted-pacing.js';
import type { Pace } from '../../../src/delivery/pacing/pace.js';
import type { RequestSample } from '../../../src/delivery/pacing/pacing.js';

function paceOf(turn: number, what: Partial<Pace> = {}): Pace {
  const grants = { me: { concurrency: 5, rate: null } };
  const fine = { pausedMs: 0, breaker: 'closed', prober: null, trouble: '', gaveUp: null } as const;
  return { turn, grants, ...fine, ...what };
}

function answered(at: number, what: Partial<RequestSample> = {}): RequestSample {
  const nothing = { accepted: false, throttled: false, failed: false, unsent: false };
  const times = { documents: 1, sentAt: at - 10, answeredAt: at, full: true };
  return { ...nothing, ...times, retryAfterMs: undefined, message: 'no', ...what };
}

function pacingOf(urgent = () => {}): GrantedPacing {
  return new GrantedPacing('me', () => 0, urgent);
}

describe('GrantedPacing', () => {
  it('waits for its first grant, and says that more may go when it comes', () => {
    const pacing = pacingOf();
    let woken = 0;
    pacing.begin(() => {
      woken += 1;
    });
    expect(pacing.clearance(60_000)).toMatchObject({ kind: 'wait' });
    pacing.granted(paceOf(1, { grants: { other: { concurrency: 9, rate: null } } }), 60_000);
    expect(pacing.clearance(60_000)).toMatchObject({ kind: 'wait' });
    pacing.granted(paceOf(2), 60_000);
    expect([pacing.clearance(60_000), pacing.concurrency, woken]).toEqual([{ kind: 'send' }, 5, 1]);
  });

  it('continues with one request at a time three seconds after the last new pace', () => {
    const pacing = pacingOf();
    pacing.granted(paceOf(1), 0);
    pacing.granted(paceOf(1), 2_900);
    expect([pacing.clearance(2_999), pacing.concurrency]).toEqual([{ kind: 'send' }, 5]);
    expect([pacing.clearance(3_000), pacing.concurrency]).toEqual([{ kind: 'send' }, 1]);
    pacing.granted(paceOf(2), 4_000);
    expect([pacing.clearance(4_000), pacing.concurrency]).toEqual([{ kind: 'send' }, 5]);
  });

  it('heeds at once a pause that the service asks for, and says that it is urgent, once', () => {
    let urgent = 0;
    const pacing = pacingOf(() => {
      urgent += 1;
    });
    pacing.granted(paceOf(1), 0);
    for (const at of [1_000, 1_001]) {
      pacing.started(at - 10);
      pacing.answered(answered(at, { throttled: true, retryAfterMs: 11_000 - at }));
    }
    pacing.granted(paceOf(2), 1_500);
    expect(pacing.clearance(1_500)).toEqual({ kind: 'wait', ms: 9_500 });
    expect(pacing.report(1_500)).toMatchObject({ pausedMs: 9_500, inFlight: 0 });
    expect(urgent).toBe(1);
  });

  it('probes only if it is the prober, and sends again once another one has found it up', () => {
    const pacing = pacingOf();
    pacing.granted(paceOf(1, { breaker: 'open', prober: 'other' }), 0);
    expect(pacing.clearance(2_500)).toMatchObject({ kind: 'wait' });
    pacing.granted(paceOf(2, { breaker: 'open', prober: 'me' }), 2_500);
    expect(pacing.clearance(2_500)).toEqual({ kind: 'probe' });
    pacing.granted(paceOf(3), 2_600);
    expect(pacing.clearance(2_600)).toEqual({ kind: 'send' });
  });

  it('goes by a new rate at once, also with what waits already', () => {
    const pacing = pacingOf();
    const grants = (rate: number) => ({ grants: { me: { concurrency: 5, rate } } });
    pacing.granted(paceOf(1, grants(0.1)), 0);
    pacing.started(0);
    expect(pacing.clearance(0)).toEqual({ kind: 'wait', ms: 10_000 });
    pacing.granted(paceOf(2, grants(10)), 1_000);
    expect(pacing.clearance(1_000)).toEqual({ kind: 'wait', ms: 90 });
  });

  it('reports what was answered since the last report, in times that count from there', () => {
    const pacing = pacingOf();
    pacing.granted(paceOf(7), 0);
    pacing.started(990);
    pacing.answered(answered(1_000, { accepted: true }));
    const { samples, turn, peak } = pacing.report(1_500);
    expect({ turn, peak }).toEqual({ turn: 7, peak: 1 });
    expect(samples).toEqual([answered(-500, { accepted: true })]);
    expect(pacing.report(1_600)).toMatchObject({ samples: [], peak: 0, started: 0 });
  });

  it('keeps no more samples than a report should hold, whoever collects them', () => {
    const pacing = pacingOf();
    for (let at = 1; at <= 5_000; at += 1) {
      pacing.started(at);
      pacing.answered(answered(at, { accepted: true }));
    }
    const { samples } = pacing.report(5_000);
    expect(samples.length).toBe(1_024);
    expect(samples.at(-1)?.answeredAt).toBe(0);
  });
});
