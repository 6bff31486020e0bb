import { type Exchange, errorMessages } from '../api/exchange.js';
import type { Batch } from '../model/documents.js';
import { classifyAnswer, type Verdict } from './classify-answer.js';
import { retryAfterMs } from './pacing/retry-after.js';

/** What an answer means for the batch and for those that come after it. */
export interface Judgement {
  /** What to do with the batch. */
  readonly step: 'settle' | 'again' | 'cut';
  readonly verdict: Verdict;
  /** The service has too much to do. */
  readonly pressed: boolean;
  /** It can't be told that the service is up and itself. */
  readonly failed: boolean;
  /** The service refuses batches of this size. */
  readonly tooLarge: boolean;
  /** It says so by its status, so it has not even read the batch. */
  readonly unread: boolean;
  /** How long it wants to be left alone, in milliseconds. */
  readonly comeBackMs: number | undefined;
}

/** `documents[3]` is one of them, and its own fields may be too long. */
const OF_A_BATCH = /\b(?:documents?\b(?!\[)|(?:batch|body|request|payload|entity|call)\b)/i;
const TOO_LARGE =
  /\b(?:too (?:large|big|many|long)|larger than|more than|exceeds?|at most|maximum)\b/i;

/**
 * Judges what came of a request.
 * @param now when it came, in milliseconds since 1970
 */
export function judgeAnswer(
  exchange: Exchange,
  batch: Batch,
  pressureStatuses: readonly number[],
  now: number,
): Judgement {
  const verdict = classifyAnswer(exchange, batch.count);
  const pressed = isPressed(exchange, pressureStatuses) && verdict.kind !== 'accepted';
  return {
    step: stepAfter(verdict, batch, pressed),
    verdict,
    pressed,
    failed: verdict.kind === 'unknown' || verdict.kind === 'unsent',
    tooLarge: !pressed && saysTooLarge(exchange),
    unread: exchange.kind === 'answer' && exchange.status === 413,
    comeBackMs:
      exchange.kind === 'answer' && verdict.kind !== 'accepted'
        ? retryAfterMs(exchange, now)
        : undefined,
  };
}

function stepAfter({ kind }: Verdict, { count }: Batch, pressed: boolean): Judgement['step'] {
  switch (kind) {
    case 'unsent':
      return 'again';
    case 'rejected':
      if (pressed) return 'again';
      return count > 1 ? 'cut' : 'settle';
    case 'no-access':
      return pressed ? 'again' : 'settle';
    case 'accepted':
    case 'unknown':
      return 'settle';
    default:
      return kind satisfies never;
  }
}

/** Whoever takes too long has too much to do; a connection that breaks says nothing of the kind. */
function isPressed(exchange: Exchange, pressureStatuses: readonly number[]): boolean {
  if (exchange.kind === 'not-sent') return false;
  if (exchange.kind === 'no-answer') return exchange.timedOut === true;
  return pressureStatuses.includes(exchange.status);
}

function saysTooLarge(exchange: Exchange): boolean {
  if (exchange.kind !== 'answer' || exchange.status < 400 || exchange.status > 499) return false;
  if (exchange.status === 413) return true;
  const said = errorMessages(exchange.json) ?? [];
  return said.some((message) => OF_A_BATCH.test(message) && TOO_LARGE.test(message));
}
