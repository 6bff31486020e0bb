import { accessError, ask, shapeMismatch } from '../api/ask.js';
import { IMPORT_SHAPE } from '../api/post-documents.js';
import { retryAfterMs } from '../api/transport/backoff.js';
import {
  type Answer,
  type Exchange,
  errorMessages,
  oneLineExcerpt,
} from '../api/transport/exchange.js';
import type { Transport } from '../api/transport/http-transport.js';
import type { Batch } from '../model/documents.js';
import {
  AccessError,
  AuthenticationError,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';
import type { AccessRefusal, DeliverySettings } from './context.js';

/** Result of a request for its documents. Failures are values, never thrown. */
export interface Verdict {
  readonly kind: VerdictKind;
  /** Reason, without a full stop; empty if accepted. */
  readonly message: string;
  /** Something other than the service answered, and would answer every further request too. */
  readonly unexpectedResponder?: true;
  /** The service refused several documents at once, and may have stored some: `kind` is `unknown`. */
  readonly partlyRefused?: true;
  readonly cause?: AccessError;
}

type VerdictKind =
  | 'accepted'
  /** The service refused the documents and stored none. */
  | 'rejected'
  /** The service is overloaded and stored none. */
  | 'throttled'
  /** The credentials or the monitoring are refused: nothing more can be sent. */
  | 'no-access'
  | 'unsent'
  /** The documents may have been stored. */
  | 'unknown';

/** Next step for a batch after its request, and effect on the sending rate. */
interface ResponseDecision {
  readonly step: 'finish' | 'retry' | 'split';
  readonly verdict: Verdict;
  /** The service needs fewer requests. */
  readonly overloaded: boolean;
  /** The service may be down, or something else answered. */
  readonly failed: boolean;
  readonly tooLarge: boolean;
  readonly retryAfterMs: number | undefined;
}

/** @param now when the answer came, in milliseconds since 1970 */
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
  const mayBePartial = kind === 'rejected' && count > 1 && step === 'finish';
  // A timeout is a sign of overload; a broken connection isn't.
  const isSlow = exchange.kind === 'no-answer' && exchange.timedOut === true;
  // A service that answers 503 to everything is down; one that answers 429 is up.
  const isDown = kind === 'throttled' && status >= 500;
  return {
    step,
    verdict: mayBePartial ? { kind: 'unknown', message, partlyRefused: true } : verdict,
    overloaded: isSlow || kind === 'throttled' || status === 503,
    failed: kind === 'unknown' || kind === 'unsent' || isDown,
    tooLarge,
    retryAfterMs: answer && kind !== 'accepted' ? retryAfterMs(answer, now) : undefined,
  };
}

/** @param refusalStoresNothing whether none of several documents is stored if the service refuses them */
function stepAfter(
  { kind }: Verdict,
  count: number,
  refusalStoresNothing: boolean,
): ResponseDecision['step'] {
  if (kind === 'unsent' || kind === 'throttled') return 'retry';
  return kind === 'rejected' && count > 1 && refusalStoresNothing ? 'split' : 'finish';
}

/**
 * Statuses about credentials: decided before the body is read, by the service or in front of it.
 */
const CREDENTIALS_STATUSES = [401, 403, 407];
/**
 * Statuses that, without an error object, come from something else and recur, such as a redirect to
 * a login page.
 */
const FOREIGN_STATUSES = [404, 405, 410, 411, 415, 421, 426, 451, 511];
const MAX_MESSAGE_CHARACTERS = 2_000;

/**
 * Classifies the result of an import request. A success is only a 2xx answer in JSON with
 * `accepted: true` and exactly as many `documents` as were sent, to a request that was sent
 * completely. Nothing was stored of a request that was throttled (see `isThrottled`) or refused: an
 * error object with a 4xx status (except 408), or, with any body, a status about credentials or
 * size (413). Every other result is unknown.
 * @param sent number of documents in the request
 */
export function verdictOf(
  exchange: Exchange,
  sent: number,
  throttleStatuses?: readonly number[],
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
  if (CREDENTIALS_STATUSES.includes(status)) return noAccess(exchange, messages);
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
 * Returns whether nothing was stored because of overload. The user's statuses mean so with any
 * body. So does 429 unless they leave it out, since a gateway may answer it. A bare 503 doesn't: it
 * may come from a gateway whose service took the request and died.
 */
function isThrottled(
  { status, json, retryAfter }: Answer,
  throttleStatuses: readonly number[] | undefined,
): boolean {
  if (throttleStatuses !== undefined) return throttleStatuses.includes(status);
  const isBare = retryAfter === undefined && errorMessages(json) === undefined;
  return status === 429 || (status === 503 && !isBare);
}

function refusal(status: number, messages: string | undefined): Verdict {
  return { kind: 'rejected', message: `the service refused (${status})${colon(messages)}` };
}

function noAccess(answer: Answer, messages: string | undefined): Verdict {
  const { status, unusable } = answer;
  const who = messages === undefined ? 'the service, or something in front of it,' : 'the service';
  const reason = `${who} refused (${status})${colon(messages ?? unusable)}`.replace(/\.$/, '');
  const message = `${reason}. Check the user name, the API key and the monitoring's id`;
  return { kind: 'no-access', message, cause: accessError(message, answer) };
}

function notFromService(answer: Answer): Verdict {
  const { status, unusable } = answer;
  const message = `the service answered ${status}${colon(unusable)}`;
  const isTemporary = !FOREIGN_STATUSES.includes(status) && (status < 300 || status > 399);
  if (isTemporary) return unknown(message);
  const cause = accessError(message, answer);
  return { kind: 'unknown', message, unexpectedResponder: true, cause };
}

function verdictOfSuccess(
  { status, json, early, unusable }: Answer,
  sent: number,
  messages: string,
): Verdict {
  if (early)
    return unknown(`the service answered ${status} before it had received the whole request`);
  if (json === undefined) {
    return unknown(`the service answered ${status} without readable JSON${colon(unusable)}`);
  }
  const wrong = shapeMismatch(json, IMPORT_SHAPE);
  if (wrong !== undefined) {
    return unknown(`the service answered ${status} in an unexpected form: ${wrong}${messages}`);
  }
  const { accepted, documents } = json as { accepted: boolean; documents: number };
  if (!accepted) {
    return unknown(`the service answered ${status} without accepting the request${messages}`);
  }
  if (documents !== sent) {
    return unknown(`the service acknowledged ${documents} of ${sent} documents${messages}`);
  }
  return messages === ''
    ? { kind: 'accepted', message: '' }
    : unknown(`the service accepted the request but reported errors${messages}`);
}

/** Messages of an error object, short enough to be repeated for each document. */
function messagesOf(json: unknown): string | undefined {
  const messages = errorMessages(json)?.join('; ');
  return messages === undefined ? undefined : oneLineExcerpt(messages, MAX_MESSAGE_CHARACTERS);
}

function colon(text: string | undefined): string {
  return text === undefined ? '' : `: ${text}`;
}

/**
 * Reads the monitoring before the first document is sent, so that wrong credentials, a wrong id or
 * a service that is down show at once.
 * @returns `undefined` if documents can be sent
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
    const message = cause.message.replace(/\.$/, '');
    return cause instanceof AccessError
      ? { kind: 'no-access', message, cause }
      : { kind: 'service-down', message, cause };
  }
}

/** @throws errors that only a bug can cause */
function causeOf(error: unknown, signal: AbortSignal): AccessError | ServiceDownError {
  if (signal.aborted) return new ServiceDownError('the check of the monitoring was interrupted');
  if (error instanceof AccessError || error instanceof ServiceDownError) return error;
  if (!(error instanceof ServiceError)) throw error;
  const { status, message, reason } = error;
  const isTemporary = status >= 500 || status === 408 || status === 429;
  if (isTemporary) return new ServiceDownError(reason, { cause: error, remedy: error.remedy });
  // Something other than the service answered, or a service that doesn't know these credentials.
  return new AuthenticationError(message, error);
}
