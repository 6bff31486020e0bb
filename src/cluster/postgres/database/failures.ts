/** What the errors of the database and of its driver mean. */

/** What the driver throws: an error of the server's (`code` is an SQLSTATE) or of the network. */
interface Failure {
  readonly code?: string;
  readonly message?: string;
}

/** Another session has taken over: raised by docferry's own function. */
const FENCED = 'DF001';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

/**
 * SQLSTATEs that pass by themselves: connections, shutting down and starting up, too many
 * connections, deadlocks, and what is full until somebody makes room.
 */
const PASSING = /^(08|57P0[123]|53|40001|40P01|55P03)/;
/** The driver's own, which have no code. */
const CUT_OFF =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/;

/** Whether the same may go well a little later. */
export function isPassing(error: unknown): boolean {
  const { code = '', message = '' } = error as Failure;
  return NETWORK.has(code) || PASSING.test(code) || (code === '' && CUT_OFF.test(message));
}

export function isFenced(error: unknown): boolean {
  return (error as Failure).code === FENCED;
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password: check user and password in the address',
  '28000': 'refuses the user: check the user in the address, and pg_hba.conf of the server',
  '3D000': 'has no such database: create it, or name another one',
  '25006': 'is read-only: give the address of the server that is written to',
  ENOTFOUND: "can't be found: check the host's name in the address",
};

/** Why it refuses this process, and the remedy, as half a sentence; `undefined`: it failed otherwise. */
export function refusalOf(error: unknown): string | undefined {
  const { code = '', message = '' } = error as Failure;
  if (/password must be a string|no password|SASL/i.test(message)) return REFUSALS['28P01'];
  if (code === '42501') {
    return `lacks a right (${message}): docferry makes a schema of its own there, so grant CONNECT and CREATE on the database (and, if others made the schema, rights on docferry and docferry_queue)`;
  }
  return REFUSALS[code];
}

/** Why it failed, as half a sentence. */
export function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error as Failure;
  if (code === 'ECONNREFUSED') {
    return "can't be reached: nothing listens there. Start Postgres, or check host and port";
  }
  if (/^53[12]00$/.test(code)) return `is full (${message}): make room, then resume the run`;
  if (code === '53300') {
    return `takes no more connections (${message}): raise its limit, or run fewer processes`;
  }
  if (code === '57P03') return `is not ready (${message}): resume the run when it is`;
  if (isPassing(error)) return `went away (${message || code}): resume the run when it is back`;
  return `failed: ${message || code}`;
}
