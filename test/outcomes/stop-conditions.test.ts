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

  it('keeps the first reason', () => {
    const stops = new StopConditions({ kind: 'never' });
    stops.stop({ kind: 'no-access', message: 'revoked' });
    stops.stop({ kind: 'interrupted', message: 'Ctrl-C' });
    expect(stops.reason).toEqual({ kind: 'no-access', message: 'revoked' });
  });
});
