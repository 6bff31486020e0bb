import { accessError, ask, misfit } from '../api/ask.js';
import { IMPORT_SHAPE } from '../api/import-documents.js';
import { retryAfterMs } from '../api/transport/backoff.js';
import { type Answer, type Exchange, errorMessages, excerpt } from '../api/transport/exchange.js';
import type { Transport } from '../api/transport/http-transport.js';
import type { Batch } from '../model/documents.js';
import {
  AccessError,
  AuthenticationError,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';
import type { DeliverySettings } from './context.js';

/** What is known of a batch's documents after its request. Failures are values, never thrown. */
export interface Verdict {
  readonly kind: VerdictKind;
  /** Why, as half a sentence; empty for what was accepted. */
  readonly message: string;
  /** Something other than the service answered, and would answer the next request as well. */
  readonly unexpectedResponder?: true;
  /** The service refused several documents together, and may have taken some of them. */
  readonly refused?: true;
  /** The error for it, where it ends the run. */
  readonly cause?: AccessError;
}

type VerdictKind =
  /** The service says that it took all of them. */
  | 'accepted'
  /** The service says that it took none of them, for what they are. */
  | 'rejected'
  /** The service took none of them, as it has too much to do. */
  | 'throttled'
  /** The service refuses these credentials or this monitoring: nothing more can be sent. */
  | 'no-access'
  /** The request never left this machine. */
  | 'unsent'
  /** They may or may not have been taken. */
  | 'unknown';

/** What an answer means for the batch and for those that come after it. */
interface ResponseDecision {
  /** What to do with the batch. */
  readonly step: 'settle' | 'retry' | 'split';
  readonly verdict: Verdict;
  /** The service has too much to do. */
  readonly throttled: boolean;
  /** Whether the service may be down, or something else has answered. */
  readonly failed: boolean;
  /** The batch is larger than the service takes. */
  readonly tooLarge: boolean;
  /** How long it wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Decides what to do after a request.
 * @param now when its answer came, in milliseconds since 1970
 */
export function classifyResponse(
  exchange: Exchange,
  { count }: Pick<Batch, 'count'>,
  { throttleStatuses, refusals }: Pick<DeliverySettings, 'throttleStatuses' | 'refusals'>,
  now: number,
): ResponseDecision {
  const verdict = verdictOf(exchange, count, throttleStatuses);
  const { kind, message } = verdict;
  const answer = exchange.kind === 'answer' ? exchange : undefined;
  const status = answer?.status ?? 0;
  const tooLarge = kind === 'rejected' && status === 413;
  const step = stepAfter(verdict, count, tooLarge || refusals === 'atomic');
  const mayBePartial = kind === 'rejected' && count > 1 && step === 'settle';
  // A service that takes too long has too much to do; a broken connection says nothing of the kind.
  const isSlow = exchange.kind === 'no-answer' && exchange.timedOut === true;
  // One that answers 503 to everything is down; one that answers 429 is up.
  const isDown = kind === 'throttled' && status >= 500;
  return {
    step,
    verdict: mayBePartial ? { kind: 'unknown', message, refused: true } : verdict,
    throttled: isSlow || throttleStatuses.includes(status),
    failed: kind === 'unknown' || kind === 'unsent' || isDown,
    tooLarge,
    retryAfterMs: answer && kind !== 'accepted' ? retryAfterMs(answer, now) : undefined,
  };
}

/** @param takesNone whether the service took nothing of several documents that it refused */
function stepAfter({ kind }: Verdict, count: number, takesNone: boolean): ResponseDecision['step'] {
  if (kind === 'unsent' || kind === 'throttled') return 'retry';
  return kind === 'rejected' && count > 1 && takesNone ? 'split' : 'settle';
}

/** These are decided before the body is looked at, by the service or in front of it. */
const CREDENTIALS = [401, 403, 407];
/** Without an error object these come from elsewhere and don't pass, e.g. a login's redirect. */
const ELSEWHERE = [404, 405, 410, 411, 415, 421, 426, 451, 511];
const MAX_MESSAGE_CHARACTERS = 2_000;

/**
 * Tells what an import request's outcome means for its documents. Only a 2xx answer in JSON with
 * `accepted: true` and exactly as many `documents` as were sent, to a request that was sent to its
 * end, is a success. Nothing was taken of a request that was throttled (see `isThrottled`), or
 * refused: an error object with a 4xx status (except 408), and, whatever the body, a status about
 * credentials or about size (413). All else is uncertain.
 * @param sent how many documents the request carried
 */
export function verdictOf(
  exchange: Exchange,
  sent: number,
  throttleStatuses: readonly number[] = [429, 503],
): Verdict {
  if (exchange.kind === 'not-sent') return { kind: 'unsent', message: exchange.message };
  if (exchange.kind === 'no-answer') return unknown(`no answer came: ${exchange.message}`);
  const { status, json, unusable } = exchange;
  const messages = messagesOf(json);
  if (isThrottled(exchange, throttleStatuses)) {
    const message = `the service is throttling (${status})${colon(messages ?? unusable)}`;
    return { kind: 'throttled', message };
  }
  if (status >= 200 && status < 300) return verdictOfSuccess(exchange, sent, colon(messages));
  if (CREDENTIALS.includes(status)) return noAccess(exchange, messages);
  if (status === 413) return refusal(status, messages);
  if (messages === undefined) return notFromService(exchange);
  if (status < 400 || status >= 500 || status === 408) {
    return unknown(`the service answered ${status}${colon(messages)}`);
  }
  return status === 404 ? noAccess(exchange, messages) : refusal(status, messages);
}

function unknown(message: string): Verdict {
  return { kind: 'unknown', message };
}

/**
 * A throttle status says that nothing was taken, whatever its body: 429 of a gateway, for example.
 * A bare 503 also comes from a gateway whose service took the request and died.
 */
function isThrottled(
  { status, json, retryAfter }: Answer,
  throttleStatuses: readonly number[],
): boolean {
  if (!throttleStatuses.includes(status)) return false;
  return status !== 503 || retryAfter !== undefined || errorMessages(json) !== undefined;
}

function refusal(status: number, messages: string | undefined): Verdict {
  return { kind: 'rejected', message: `the service refused (${status})${colon(messages)}` };
}

function noAccess(answer: Answer, messages: string | undefined): Verdict {
  const { status, unusable } = answer;
  const who =
    messages === undefined ? 'something in front of the service, or itself,' : 'the service';
  const reason = `${who} refused (${status})${colon(messages ?? unusable)}`.replace(/\.$/, '');
  const message = `${reason}. Check the user name, the API key and the monitoring's id`;
  return { kind: 'no-access', message, cause: accessError(message, answer) };
}

function notFromService(answer: Answer): Verdict {
  const { status, unusable } = answer;
  const message = `the service answered ${status}${colon(unusable)}`;
  const passes = !ELSEWHERE.includes(status) && (status < 300 || status > 399);
  if (passes) return unknown(message);
  const cause = accessError(message, answer);
  return { kind: 'unknown', message, unexpectedResponder: true, cause };
}

function verdictOfSuccess(
  { status, json, early, unusable }: Answer,
  sent: number,
  messages: string,
): Verdict {
  if (early) return unknown(`the service answered ${status} before it had the whole request`);
  if (json === undefined) {
    return unknown(`the service answered ${status} without readable JSON${colon(unusable)}`);
  }
  const wrong = misfit(json, IMPORT_SHAPE);
  if (wrong !== undefined) {
    return unknown(`the service answered ${status}, and not as it does: ${wrong}${messages}`);
  }
  const { accepted, documents } = json as { accepted: boolean; documents: number };
  if (!accepted) {
    return unknown(`the service answered ${status} but did not say accepted${messages}`);
  }
  if (documents !== sent) {
    return unknown(`the service says it took ${documents} of ${sent} documents${messages}`);
  }
  return messages === ''
    ? { kind: 'accepted', message: '' }
    : unknown(`the service says accepted, and errors beside it${messages}`);
}

/** The messages of an error object, short enough to be repeated for each document. */
function messagesOf(json: unknown): string | undefined {
  const messages = errorMessages(json)?.join('; ');
  return messages === undefined ? undefined : excerpt(messages, MAX_MESSAGE_CHARACTERS);
}

function colon(text: string | undefined): string {
  return text === undefined ? '' : `: ${text}`;
}

/** Why nothing can be sent. */
export interface AccessRefusal {
  readonly kind: 'no-access' | 'service-down';
  readonly message: string;
  readonly cause: AccessError | ServiceDownError;
}

/**
 * Asks for the monitoring before the first document is sent, so that wrong credentials, a wrong id
 * or a service that is down show at once. `undefined`: go ahead. An abort ends the question.
 */
export async function checkAccess(
  transport: Transport,
  monitoring: number,
  signal: AbortSignal,
): Promise<AccessRefusal | undefined> {
  try {
    const path = `/monitorings/${monitoring}`;
    await ask(transport, { method: 'GET', path, shape: { id: 'integer' } }, { signal });
    return undefined;
  } catch (error) {
    const cause = causeOf(error, signal);
    const kind = cause instanceof AccessError ? 'no-access' : 'service-down';
    return { kind, message: cause.message.replace(/\.$/, ''), cause };
  }
}

/** @throws what is a mistake of the program */
function causeOf(error: unknown, signal: AbortSignal): AccessError | ServiceDownError {
  if (signal.aborted) return new ServiceDownError('the question for the monitoring was aborted');
  if (error instanceof AccessError || error instanceof ServiceDownError) return error;
  if (!(error instanceof ServiceError)) throw error;
  const { status, message } = error;
  const passes = status >= 500 || status === 408 || status === 429;
  if (passes) return new ServiceDownError(message, { cause: error });
  // Something else than the service, or one that has never seen these credentials.
  return new AuthenticationError(message, error);
}
