import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/delivery/classify-answer.js';
import type { Counts } from '../../src/record.js';
import { Brake } from '../../src/run/brake.js';

const unknown: Verdict = { kind: 'unknown', message: 'no answer came' };
const accepted: Verdict = { kind: 'accepted' };

function counts(read: number, invalid: number, rejected = 0): Counts {
  const others = { skipped: 0, duplicate: 0, accepted: 0, unknown: 0, unsent: 0 };
  return { read, invalid, rejected, ...others };
}

describe('Brake', () => {
  it('takes the service to be down after three unusable answers in a row, not three in all', () => {
    const brake = new Brake({ kind: 'never' });
    for (const verdict of [unknown, unknown, accepted, unknown, unknown])
      brake.checkVerdict(verdict);
    expect(brake.stop).toBeUndefined();
    brake.checkVerdict(unknown);
    expect(brake.stop?.kind).toBe('service-down');
  });

  it('counts invalid and rejected records together, and stops above the limit, not at it', () => {
    const brake = new Brake({ kind: 'count', most: 3 });
    brake.checkErrors(counts(10, 2, 1));
    expect(brake.stop).toBeUndefined();
    brake.checkErrors(counts(10, 2, 2));
    expect(brake.stop).toMatchObject({ kind: 'too-many-errors' });
  });

  it('looks at a share only from a hundred records on', () => {
    const brake = new Brake({ kind: 'share', most: 0.05 });
    brake.checkErrors(counts(99, 99));
    expect(brake.stop).toBeUndefined();
    brake.checkErrors(counts(100, 5));
    expect(brake.stop).toBeUndefined();
    brake.checkErrors(counts(100, 6));
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
