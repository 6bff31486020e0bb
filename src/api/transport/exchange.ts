import { maxHeaderSize } from 'node:http';
import { inspect } from 'node:util';
import type { Mask } from './connection.js';

/**
 * What came of one request, as a value. Whether a request that got no answer was applied can't be
 * known from here, so the two ways to fail are kept apart.
 */
export type Exchange =
  /** The service answered. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** `undefined` when the body is no JSON, or was too large. */
      readonly json: unknown;
      /** Why the answer can't be what the service gives, whatever its status, as half a sentence. */
      readonly unusable?: string;
      /** It came before the request had been sent to its end, so nobody can have read all of it. */
      readonly early?: true;
      /** The header field `Retry-After`, as it came: when the service may be asked again. */
      readonly retryAfter?: string;
      /** The header field `Date`, beside `retryAfter`: the time of the answer by the service's clock. */
      readonly date?: string;
    }
  /** The request never left: the name, the connection or TLS failed. */
  | ({ readonly kind: 'not-sent' } & Failure)
  /** It was sent, at least in part, and no whole answer came. */
  | ({
      readonly kind: 'no-answer';
      /** It took longer than it may. */
      readonly timedOut?: boolean;
    } & Failure);

/** Why there is no answer. */
interface Failure {
  readonly message: string;
  /** As Node.js or undici name it; none of what was aborted or took too long. */
  readonly code?: string;
  readonly cause?: unknown;
}

/** The exchange in which the service answered. */
export type Answer = Extract<Exchange, { kind: 'answer' }>;

/** The messages of the service's error object, or `undefined` if this is none. */
export function errorMessages(json: unknown): readonly string[] | undefined {
  if (typeof json !== 'object' || json === null || !('errors' in json)) return undefined;
  if (!Array.isArray(json.errors) || json.errors.length === 0) return undefined;
  const messages = json.errors.map((error: unknown) =>
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined,
  );
  return messages.every((message) => typeof message === 'string') ? messages : undefined;
}

/** A call took longer than it may. */
export class TimeoutError extends Error {}

/** Codes of errors that come before a single byte of the request has been written … */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_\w+|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\w*HANDSHAKE_FAILURE|ERR_SSL_\w*PROTOCOL_VERSION)$/;
/** … and of errors that do so only when connecting failed, not when a connection broke. */
const WHEN_CONNECTING = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/**
 * Tells from what the transport threw whether the request had left.
 * @param waiting nobody has asked for its body, so that it won't leave any more
 */
export function failedExchange(error: unknown, mask: Mask, waiting: boolean): Exchange {
  const { code, syscall } = causeOf(error);
  const message = mask(messageOf(error, code));
  const unsent =
    waiting ||
    BEFORE_SENDING.test(code) ||
    (WHEN_CONNECTING.test(code) && (syscall ?? 'connect') === 'connect');
  const failure = { message, ...(code !== '' && { code }), cause: masked(error, mask) };
  if (unsent) return { kind: 'not-sent', ...failure };
  return {
    kind: 'no-answer',
    ...failure,
    ...(error instanceof TimeoutError && { timedOut: true }),
  };
}

/** An error may hold what was answered, and in it what was sent. */
function masked(error: unknown, mask: Mask): unknown {
  const shown = inspect(error, { depth: null, maxStringLength: null });
  return mask(shown) === shown ? error : new Error(mask(messageOf(error, '')));
}

/** Several addresses refused at once come as one error without a message of its own. */
function messageOf(error: unknown, code: string): string {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return `the answer has headers of more than ${maxHeaderSize / 1024} KiB, which something in front of the service may add (${code}); NODE_OPTIONS=--max-http-header-size=65536 raises the limit`;
  }
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error && first.message !== '' ? first.message : code;
  return code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
}

/** The code and system call of the error itself, or of what caused it. */
function causeOf(error: unknown): { code: string; syscall: string | undefined } {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (!('code' in at) || typeof at.code !== 'string') continue;
    const syscall = 'syscall' in at && typeof at.syscall === 'string' ? at.syscall : undefined;
    return { code: at.code, syscall };
  }
  return { code: '', syscall: undefined };
}
