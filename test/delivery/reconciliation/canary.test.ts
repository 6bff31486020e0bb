import { describe, expect, it } from 'vitest';
import {
  afterAnswer,
  afterSending,
  type CanaryState,
} from '../../../src/delivery/reconciliation/canary.js';

const OF_REFUSED = { message: 'bad', refused: true, endedMs: 1 };
const OF_UNANSWERED = { message: 'reset', refused: false, endedMs: 1 };

const NONE: CanaryState = { kind: 'none' };
const SENDING: CanaryState = { kind: 'sending', refused: 3 };
const UNANSWERED: CanaryState = { kind: 'unanswered', sinceMs: 0 };
const NEXT: CanaryState = { kind: 'sending', refused: 4 };

describe('the state of canaries', () => {
  it('is kept when a further one is sent', () => {
    expect(afterSending(NONE)).toEqual({ kind: 'sending', refused: 0 });
    expect(afterSending(SENDING)).toBe(SENDING);
    expect(afterSending(UNANSWERED)).toBe(UNANSWERED);
  });

  it.each([
    ['a refused one', 'rejected', OF_UNANSWERED, SENDING, NEXT],
    ['one of a refused batch without an answer', 'unknown', OF_REFUSED, SENDING, NEXT],
    [
      'a refused one after unanswered ones',
      'rejected',
      OF_UNANSWERED,
      UNANSWERED,
      { ...NEXT, refused: 1 },
    ],
    ['one refused after a different one was accepted', 'rejected', OF_REFUSED, NONE, NONE],
    ['an unanswered one', 'unknown', OF_UNANSWERED, SENDING, { ...UNANSWERED, sinceMs: 1 }],
    ['a further unanswered one', 'unknown', OF_UNANSWERED, UNANSWERED, UNANSWERED],
    ['an accepted one', 'accepted', OF_UNANSWERED, UNANSWERED, NONE],
    ['a different document that is accepted', 'accepted', undefined, SENDING, NONE],
    ['a different document that is refused', 'rejected', undefined, SENDING, SENDING],
  ] as const)('after %s', (_, kind, canaryFor, before, after) => {
    expect(afterAnswer(before, kind, canaryFor)).toEqual(after);
  });
});
