import type { Mask } from './credentials-mask.js';
import { TimeoutError } from './deadline.js';
import type { Exchange } from './exchange.js';

/** Codes of errors that come before a single byte of the request has been written … */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_\w+|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\w*HANDSHAKE_FAILURE|ERR_SSL_\w*PROTOCOL_VERSION)$/;
/** … and of errors that do so only when connecting failed, not when a connection broke. */
const WHEN_CONNECTING = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/** Tells from what the transport threw whether the request had left. */
export function failedExchange(error: unknown, mask: Mask): Exchange {
  const { code, syscall } = causeOf(error);
  const message = mask(messageOf(error, code));
  const unsent =
    BEFORE_SENDING.test(code) ||
    (WHEN_CONNECTING.test(code) && (syscall ?? 'connect') === 'connect');
  if (unsent) return { kind: 'not-sent', message };
  return { kind: 'no-answer', message, ...(error instanceof TimeoutError && { timedOut: true }) };
}

/** Several addresses refused at once come as one error without a message of its own. */
function messageOf(error: unknown, code: string): string {
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
