/** Error thrown by the driver: of the server (`code` is an SQLSTATE) or of the network. */
interface Failure {
  readonly code?: string;
  readonly message?: string;
}

/** SQLSTATE raised by docferry's function when another session has taken over. */
const FENCED = 'DF001';

const NETWORK_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

/**
 * SQLSTATEs worth a retry: connection failures, shutdown and startup, time limits of idle sessions
 * and transactions, which end the connection, too many connections, deadlocks, full disks.
 */
const TRANSIENT = /^(08|57P0[1235]|25P0[34]|53|40001|40P01|55P03)/;
/** Messages of driver errors that have no code. */
const DISCONNECTED =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/;

export function isTransient(error: unknown): boolean {
  const { code = '' } = error as Failure;
  return NETWORK_ERRORS.has(code) || TRANSIENT.test(code) || isDriverError(error);
}

/** Tests for an error of the driver, which says that a connection is gone, but not why. */
export function isDriverError(error: unknown): boolean {
  const { code = '', message = '' } = error as Failure;
  return code === '' && DISCONNECTED.test(message);
}

export function isFenced(error: unknown): boolean {
  return (error as Failure).code === FENCED;
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password: check user and password in the address',
  '28000': 'refuses the user: check the user in the address, and pg_hba.conf of the server',
  '3D000': 'has no such database: create it, or name a different one',
  '25006': 'is read-only: give the address of the primary',
  ENOTFOUND: "can't be found: check the host's name in the address",
};

/**
 * Explains in a clause why the database refuses this process, with the remedy; `undefined` for other
 * failures.
 */
export function refusalOf(error: unknown): string | undefined {
  const { code = '', message = '' } = error as Failure;
  if (/password must be a string|no password|SASL/i.test(message)) return REFUSALS['28P01'];
  if (/does not support SSL/.test(message)) return NO_TLS;
  if (/CERT|UNABLE_TO_VERIFY/.test(code)) return certificateRefusal(code, message);
  if (code === '42501') {
    return `lacks a right (${message}): docferry creates its own schema there, so grant CONNECT and CREATE on the database (and, if others made the schema, rights on docferry)`;
  }
  return REFUSALS[code];
}

const NO_TLS =
  'has no TLS, which sslmode in the address requires: switch ssl on in the server, or leave sslmode out if the network is private';

function certificateRefusal(code: string, message: string): string {
  return `has a certificate that can't be verified (${message || code}): name its authority with sslrootcert=FILE in the address, use the host's name in it, or encrypt only, with sslmode=require`;
}

/** Explains in a clause why a statement failed, with the remedy. */
export function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error as Failure;
  if (code === 'ECONNREFUSED') {
    return "can't be reached: nothing is listening there. Start Postgres, or check host and port";
  }
  if (/^53[12]00$/.test(code)) return `is full (${message}): make room, then resume the run`;
  if (code === '53300') {
    return `takes no more connections (${message}): raise its limit, or run fewer processes`;
  }
  if (code === '57P03') return `is not ready (${message}): resume the run when it is`;
  if (/^(57P05|25P0[34])$/.test(code)) {
    return `ends connections too soon (${message}): raise that limit for the user in the address, then resume the run`;
  }
  if (isTransient(error)) return `went away (${message || code}): resume the run when it is back`;
  return `failed: ${message || code}`;
}
