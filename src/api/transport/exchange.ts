import { maxHeaderSize } from 'node:http';
import { inspect, promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { excerpt, UNPRINTABLE } from '../../model/text.js';
import type { Mask } from './connection.js';

/**
 * Result of one request. Whether a request without an answer was applied can't be known, so the two
 * kinds of failure are separate.
 */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** `undefined` if the body isn't JSON or is too large. */
      readonly json: unknown;
      /** Reason why the answer can't be the service's, whatever its status; a clause. */
      readonly unusable?: string;
      /** It came before the whole request was sent, so it can't refer to all of it. */
      readonly early?: true;
      readonly retryAfter?: string;
      /** The header field `Date`, if there is a `Retry-After`. */
      readonly date?: string;
    }
  /** Nothing was sent: name resolution, the connection or TLS failed. */
  | ({ readonly kind: 'not-sent' } & Failure)
  /** Sent, at least in part, without a complete answer. */
  | ({
      readonly kind: 'no-answer';
      readonly timedOut?: boolean;
    } & Failure);

interface Failure {
  readonly message: string;
  /** Error code of Node.js or undici; absent after an abort or a timeout. */
  readonly code?: string;
  readonly cause?: unknown;
}

export type Answer = Extract<Exchange, { kind: 'answer' }>;

/** Messages of the service's error object; `undefined` if this isn't one. */
export function errorMessages(json: unknown): readonly string[] | undefined {
  if (typeof json !== 'object' || json === null || !('errors' in json)) return undefined;
  if (!Array.isArray(json.errors) || json.errors.length === 0) return undefined;
  const messages = json.errors.map((error: unknown) =>
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined,
  );
  return messages.every((message) => typeof message === 'string') ? messages : undefined;
}

export class TimeoutError extends Error {}

/** Codes of errors that happen before any byte of the request is written. */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_\w+|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\w*HANDSHAKE_FAILURE|ERR_SSL_\w*PROTOCOL_VERSION)$/;
/** Codes of errors that happen before only if connecting failed, rather than an open connection. */
const WHEN_CONNECTING = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/**
 * Converts an error of the transport to a result.
 * @param waiting the request's body wasn't read, so nothing of it was sent
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
  const timedOut = error instanceof TimeoutError;
  return { kind: 'no-answer', ...failure, ...(timedOut && { timedOut }) };
}

/** Hides credentials in an error: it may contain the answer, which may repeat the request. */
function masked(error: unknown, mask: Mask): unknown {
  const shown = inspect(error, { depth: null, maxStringLength: null });
  return mask(shown) === shown ? error : new Error(mask(messageOf(error, '')));
}

/**
 * Message of an error. If several addresses failed, that of the first: their common error has none.
 */
function messageOf(error: unknown, code: string): string {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return `the answer has headers of more than ${maxHeaderSize / 1024} KiB, which something in front of the service may add (${code}); NODE_OPTIONS=--max-http-header-size=65536 raises the limit`;
  }
  const [reason, question] = REASONS[code] ?? [];
  if (reason === undefined) return textOf(error, code);
  return `${reason} (${textOf(error, code)})${question === undefined ? '' : `; ${question}?`}`;
}

const NO_TLS = ["the server doesn't speak TLS there", 'did you mean http://'] as const;

/** Reasons and questions for common errors of the system and of TLS. */
const REASONS: Readonly<Record<string, readonly [reason: string, question?: string]>> = {
  ECONNREFUSED: ['no server accepts connections there'],
  ENOTFOUND: ['the host is unknown'],
  EAI_AGAIN: ["the host can't be looked up", 'is there a network'],
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  EPROTO: NO_TLS,
};

function textOf(error: unknown, code: string): string {
  // OpenSSL's own text has addresses in memory and files of its source.
  if (/SSL|EPROTO/.test(code)) return code;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error && first.message !== '' ? first.message : code;
  return code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
}

function causeOf(error: unknown): { code: string; syscall: string | undefined } {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (!('code' in at) || typeof at.code !== 'string') continue;
    const syscall = 'syscall' in at && typeof at.syscall === 'string' ? at.syscall : undefined;
    return { code: at.code, syscall };
  }
  return { code: '', syscall: undefined };
}

interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads a whole answer, and notes if it can't be the service's.
 * @param maxBytes maximum size of the body
 * @throws Error if the connection breaks, or the call is aborted
 */
export async function readAnswer(
  response: Response,
  mask: Mask,
  maxBytes: number,
): Promise<Answer> {
  const status = response.statusCode;
  const answer = { kind: 'answer', status, ...retryFields(response) } as const;
  const body = await readBody(response, mask, maxBytes);
  if (typeof body !== 'string') return { ...answer, json: undefined, ...body };
  const json = parseJson(body, status, mask);
  const unusable = redirection(response, mask) ?? (json === undefined ? notJson(body, mask) : null);
  return unusable === null ? { ...answer, json } : { ...answer, json, unusable };
}

function retryFields({ headers }: Response): { retryAfter?: string; date?: string } {
  const { 'retry-after': retryAfter, date } = headers;
  if (typeof retryAfter !== 'string') return {};
  return typeof date === 'string' ? { retryAfter, date } : { retryAfter };
}

/** Reads a body as text, or returns why it can't be read. */
async function readBody(
  { headers, body }: Response,
  mask: Mask,
  maxBytes: number,
): Promise<string | { readonly unusable: string }> {
  const tooLarge = { unusable: `its body is larger than ${maxBytes / 1024 ** 2} MiB` };
  let bytes = await readBounded(body, maxBytes);
  if (bytes === undefined) return tooLarge;
  const encoding = oneLineExcerpt(mask(String(headers['content-encoding'] ?? '').toLowerCase()));
  const decompress = DECOMPRESS.get(encoding);
  if (decompress === undefined) return { unusable: `its body is compressed as "${encoding}"` };
  try {
    bytes = await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge;
    return { unusable: `its body can't be decompressed (${encoding})` };
  }
  // Drops a byte order mark.
  return new TextDecoder().decode(bytes);
}

const asIs = async (bytes: Buffer): Promise<Buffer> => bytes;

/** By `Content-Encoding`: a gateway may compress unasked. */
const DECOMPRESS: ReadonlyMap<
  string,
  (bytes: Buffer, limit: { readonly maxOutputLength: number }) => Promise<Buffer>
> = new Map([
  ['', asIs],
  ['identity', asIs],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function readBounded(body: Response['body'], maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Parses JSON. Hides credentials in the texts of a refusal, because they end up in messages. */
function parseJson(text: string, status: number, mask: Mask): unknown {
  try {
    const json: unknown = JSON.parse(text);
    if (status < 300 && errorMessages(json) === undefined) return json;
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? mask(value) : value));
  } catch {
    return undefined;
  }
}

function redirection({ statusCode, headers }: Response, mask: Mask): string | undefined {
  if (statusCode < 300 || statusCode > 399) return undefined;
  const location = headers['location'];
  return typeof location === 'string'
    ? `it redirects to ${oneLineExcerpt(mask(location))}, and redirects are not followed`
    : 'it redirects, and redirects are not followed';
}

function notJson(text: string, mask: Mask): string {
  // Masked before it is cut, or part of a key could remain.
  return text === '' ? 'its body is empty' : `its body isn't JSON: "${oneLineExcerpt(mask(text))}"`;
}

/** Shortens an external text to one line that is safe to print. */
export function oneLineExcerpt(text: string, characters = 200): string {
  const line = text
    .slice(0, characters * 10)
    .replace(/\s+/g, ' ')
    .replace(UNPRINTABLE, '')
    .trim();
  return excerpt(line, characters);
}
