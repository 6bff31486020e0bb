import { describe, expect, it } from 'vitest';
import type { Counts } from '../../src/model/record.js';
import { StopConditions } from '../../src/outcomes/stop-conditions.js';

function counts(read: number, invalid: number, rejected = 0): Counts {
  const others = { skipped: 0, duplicate: 0, accepted: 0, unknown: 0, unsent: 0 };
  return { read, invalid, rejected, ...others };
}

describe('StopConditions', () => {
  it('counts invalid and rejected records together, and stops above the limit, not at it', () => {
    const stops = new StopConditions({ kind: 'count', most: 3 });
    stops.checkErrors(counts(10, 2, 1));
    expect(stops.reason).toBeUndefined();
    stops.checkErrors(counts(10, 2, 2));
    expect(stops.reason).toMatchObject({ kind: 'too-many-errors' });
  });

  it('looks at a share only from a hundred records on, and says so below', () => {
    const stops = new StopConditions({ kind: 'share', most: 0.05 });
    stops.checkErrors(counts(99, 99));
    expect(stops.reason).toBeUndefined();
    expect(stops.unappliedLimit(counts(99, 5))[0]).toMatch(
      /5% counts only from 100 records on, and 5 of 99/,
    );
    expect(stops.unappliedLimit(counts(99, 4))).toEqual([]);
    stops.checkErrors(counts(100, 5));
    expect(stops.reason).toBeUndefined();
    stops.checkErrors(counts(100, 6));
    expect(stops.reason?.kind).toBe('too-many-errors');
  });

  it('keeps the first reason', () => {
    const stops = new StopConditions({ kind: 'never' });
    stops.stop({ kind: 'no-access', message: 'revoked' });
    stops.stop({ kind: 'interrupted', message: 'Ctrl-C' });
    expect(stops.reason).toEqual({ kind: 'no-access', message: 'revoked' });
  });

  it('lets what was read before an input ended early be sent, and nothing else', () => {
    const broken = new StopConditions({ kind: 'never' });
    broken.stop({ kind: 'source', message: 'the gzip is cut off' });
    expect([broken.stopsReading, broken.stopsSending]).toEqual([true, false]);
    const interrupted = new StopConditions({ kind: 'never' });
    interrupted.stop({ kind: 'interrupted', message: 'Ctrl-C' });
    expect([interrupted.stopsReading, interrupted.stopsSending]).toEqual([true, true]);
  });
});
