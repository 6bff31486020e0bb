import { describe, expect, it } from 'vitest';
import type { Counts } from '../../src/model/record.js';
import { Brake } from '../../src/outcomes/brake.js';

function counts(read: number, invalid: number, rejected = 0): Counts {
  const others = { skipped: 0, duplicate: 0, accepted: 0, unknown: 0, unsent: 0 };
  return { read, invalid, rejected, ...others };
}

describe('Brake', () => {
  it('counts invalid and rejected records together, and stops above the limit, not at it', () => {
    const brake = new Brake({ kind: 'count', most: 3 });
    brake.checkErrors(counts(10, 2, 1));
    expect(brake.stop).toBeUndefined();
    brake.checkErrors(counts(10, 2, 2));
    expect(brake.stop).toMatchObject({ kind: 'too-many-errors' });
  });

  it('looks at a share only from a thousand records on', () => {
    const brake = new Brake({ kind: 'share', most: 0.05 });
    brake.checkErrors(counts(999, 999));
    expect(brake.stop).toBeUndefined();
    brake.checkErrors(counts(1000, 50));
    expect(brake.stop).toBeUndefined();
    brake.checkErrors(counts(1000, 51));
    expect(brake.stop?.kind).toBe('too-many-errors');
  });

  it('keeps the first reason', () => {
    const brake = new Brake({ kind: 'never' });
    brake.checkVerdict({ kind: 'no-access', message: 'revoked' });
    brake.pull({ kind: 'interrupted', message: 'Ctrl-C' });
    expect(brake.stop).toEqual({ kind: 'no-access', message: 'revoked' });
  });

  it('lets what was read before an input broke off be sent, and nothing else', () => {
    const broken = new Brake({ kind: 'never' });
    broken.pull({ kind: 'source', message: 'the gzip is cut off' });
    expect([broken.stopsReading, broken.stopsSending]).toEqual([true, false]);
    const interrupted = new Brake({ kind: 'never' });
    interrupted.pull({ kind: 'interrupted', message: 'Ctrl-C' });
    expect([interrupted.stopsReading, interrupted.stopsSending]).toEqual([true, true]);
  });
});
