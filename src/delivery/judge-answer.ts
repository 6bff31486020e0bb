import { misfit } from '../api/answer-shape.js';
import { IMPORT_SHAPE } from '../api/import-documents.js';
import { type Answer, type Exchange, errorMessages } from '../api/transport/exchange.js';
import { excerpt } from '../api/transport/read-answer.js';
import type { Batch } from '../model/documents.js';
import { retryAfterMs } from './pacing/backoff.js';

/** What is known of a batch's documents after its request. Failures are values, never thrown. */
export interface Verdict {
  readonly kind: VerdictKind;
  /** Why, as half a sentence; empty for what was accepted. */
  readonly message: string;
  /** Whoever answered is not the service, and the next request would be answered the same. */
  readonly notTheService?: true;
  /** The service refused several documents together, and may have taken some of them. */
  readonly refused?: true;
}

type VerdictKind =
  /** The service says that it took all of them. */
  | 'accepted'
  /** The service says that it took none of them. */
  | 'rejected'
  /** The service refuses these credentials or this monitoring: nothing more can be sent. */
  | 'no-access'
  /** The request never left this machine. */
  | 'unsent'
  /** They may or may not have been taken. */
  | 'unknown';

/** What an answer means for the batch and for those that come after it. */
export interface Judgement {
  /** What to do with the batch. */
  readonly step: 'settle' | 'again' | 'cut';
  readonly verdict: Verdict;
  /** The service has too much to do. */
  readonly throttled: boolean;
  /** It can't be told that the service is up and itself. */
  readonly failed: boolean;
  /** The service refuses batches of this size. */
  readonly tooLarge: boolean;
  /** It says so by its status, so it has not even read the batch. */
  readonly unread: boolean;
  /** How long it wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Judges what came of a request.
 * @param now when it came, in milliseconds since 1970
 */
export function judgeAnswer(
  exchange: Exchange,
  batch: Batch,
  throttleStatuses: readonly number[],
  now: number,
): Judgement {
  const verdict = classifyAnswer(exchange, batch.count);
  const throttled = isThrottled(exchange, throttleStatuses) && verdict.kind !== 'accepted';
  return {
    step: stepAfter(verdict, batch, throttled),
    verdict,
    throttled,
    failed: verdict.kind === 'unknown' || verdict.kind === 'unsent',
    tooLarge: !throttled && saysTooLarge(exchange),
    unread: exchange.kind === 'answer' && exchange.status === 413,
    retryAfterMs:
      exchange.kind === 'answer' && verdict.kind !== 'accepted'
        ? retryAfterMs(exchange, now)
        : undefined,
  };
}

function stepAfter({ kind }: Verdict, { count }: Batch, throttled: boolean): Judgement['step'] {
  switch (kind) {
    case 'unsent':
      return 'again';
    case 'rejected':
      if (throttled) return 'again';
      return count > 1 ? 'cut' : 'settle';
    case 'no-access':
      return throttled ? 'again' : 'settle';
    case 'accepted':
    case 'unknown':
      return 'settle';
    default:
      return kind satisfies never;
  }
}

/** Whoever takes too long has too much to do; a connection that breaks says nothing of the kind. */
function isThrottled(exchange: Exchange, throttleStatuses: readonly number[]): boolean {
  if (exchange.kind === 'not-sent') return false;
  if (exchange.kind === 'no-answer') return exchange.timedOut === true;
  return throttleStatuses.includes(exchange.status);
}

/** `documents[3]` is one of them, and its own fields may be too long. */
const OF_A_BATCH = /\b(?:documents?\b(?!\[)|(?:batch|body|request|payload|entity|call)\b)/i;
const TOO_LARGE =
  /\b(?:too (?:large|big|many|long)|larger than|more than|exceeds?|at most|maximum)\b/i;

function saysTooLarge(exchange: Exchange): boolean {
  if (exchange.kind !== 'answer' || exchange.status < 400 || exchange.status > 499) return false;
  if (exchange.status === 413) return true;
  const said = errorMessages(exchange.json) ?? [];
  return said.some((message) => OF_A_BATCH.test(message) && TOO_LARGE.test(message));
}

/** Who asks is refused before anybody looks at what is sent, by the service or in front of it. */
const CREDENTIALS = [401, 403, 407];
/** Without an error object these come from elsewhere, and don't pass: such as a login's redirect. */
const ELSEWHERE = [404, 405, 410, 411, 415, 421, 426, 451, 511];
const MAX_MESSAGE_CHARACTERS = 2_000;

/**
 * Tells what an import request's outcome means for its documents. Only a 2xx answer in JSON with
 * `accepted: true` and exactly as many `documents` as were sent, to a request that was sent to its
 * end, is a success. A refusal is an error object with a 4xx status (408 aside), and, whatever its
 * body, a status about credentials or about size (413). All else is uncertain.
 * @param sent how many documents the request carried
 */
export function classifyAnswer(exchange: Exchange, sent: number): Verdict {
  switch (exchange.kind) {
    case 'not-sent':
      return { kind: 'unsent', message: exchange.message };
    case 'no-answer':
      return { kind: 'unknown', message: `no answer came: ${exchange.message}` };
    case 'answer':
      return classifyStatus(exchange, sent);
    default:
      return exchange satisfies never;
  }
}

function classifyStatus(answer: Answer, sent: number): Verdict {
  const { status, json } = answer;
  if (status >= 200 && status < 300) return classifySuccess(answer, sent);
  const said = messagesOf(json);
  if (CREDENTIALS.includes(status)) return noAccess(answer, said);
  if (status === 413) return refusal(status, said);
  if (said === undefined) return notTheService(answer);
  if (status < 400 || status >= 500 || status === 408) {
    return { kind: 'unknown', message: `the service answered ${status}${colon(said)}` };
  }
  return status === 404 ? noAccess(answer, said) : refusal(status, said);
}

function refusal(status: number, said: string | undefined): Verdict {
  return { kind: 'rejected', message: `the service refused (${status})${colon(said)}` };
}

function noAccess({ status, unusable }: Answer, said: string | undefined): Verdict {
  const who = said === undefined ? 'something in front of the service, or itself,' : 'the service';
  const reason = `${who} refused (${status})${colon(said ?? unusable)}`.replace(/\.$/, '');
  const remedy = "Check the user name, the API key and the monitoring's id";
  return { kind: 'no-access', message: `${reason}. ${remedy}` };
}

function notTheService({ status, unusable }: Answer): Verdict {
  const message = `the service answered ${status}${colon(unusable)}`;
  const passes = !ELSEWHERE.includes(status) && (status < 300 || status > 399);
  return passes ? { kind: 'unknown', message } : { kind: 'unknown', message, notTheService: true };
}

function classifySuccess({ status, json, early, unusable }: Answer, sent: number): Verdict {
  if (early) {
    const message = `the service answered ${status} before it had the whole request`;
    return { kind: 'unknown', message };
  }
  if (json === undefined) {
    const message = `the service answered ${status} without readable JSON${colon(unusable)}`;
    return { kind: 'unknown', message };
  }
  const said = colon(messagesOf(json));
  const wrong = misfit(json, IMPORT_SHAPE);
  if (wrong !== undefined) {
    const message = `the service answered ${status}, and not as it does: ${wrong}${said}`;
    return { kind: 'unknown', message };
  }
  const { accepted, documents } = json as { accepted: boolean; documents: number };
  if (accepted && documents === sent) return { kind: 'accepted', message: '' };
  const message = accepted
    ? `the service says it took ${documents} of ${sent} documents`
    : `the service answered ${status} but did not say accepted`;
  return { kind: 'unknown', message: `${message}${said}` };
}

/** What an error object says, short enough to be said of each document. */
function messagesOf(json: unknown): string | undefined {
  const said = errorMessages(json)?.join('; ');
  return said === undefined ? undefined : excerpt(said, MAX_MESSAGE_CHARACTERS);
}

function colon(said: string | undefined): string {
  return said === undefined ? '' : `: ${said}`;
}
