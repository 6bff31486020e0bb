import { maxHeaderSize } from 'node:http';
import { inspect, promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
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

/** The service's own answers are five deep. */
const MAX_DEPTH = 100;

/** What arrived, as undici gives it. */
interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads an answer to its end, and says why if it can't be what the service gives.
 * @param maxBytes how large its body may be
 * @throws Error if the connection breaks, or the call is aborted
 */
export async function readAnswer(
  response: Response,
  mask: Mask,
  maxBytes: number,
): Promise<Answer> {
  const status = response.statusCode;
  const answer = { kind: 'answer', status, ...comeBack(response) } as const;
  const body = await readBody(response, mask, maxBytes);
  if ('unusable' in body) return { ...answer, json: undefined, unusable: body.unusable };
  const { text } = body;
  const json = parseJson(text, status, mask);
  const unusable = redirection(response, mask) ?? (json === undefined ? noJson(text, mask) : null);
  return unusable === null ? { ...answer, json } : { ...answer, json, unusable };
}

/** When to come back, and what time it is, by the service's own clock. */
function comeBack({ headers }: Response): { retryAfter?: string; date?: string } {
  const { 'retry-after': retryAfter, date } = headers;
  if (typeof retryAfter !== 'string') return {};
  return typeof date === 'string' ? { retryAfter, date } : { retryAfter };
}

/**
 * Whether JSON is nested deeper than who looks at it can go: told before it is parsed, as each level
 * costs memory. Says nothing of what is no JSON.
 */
function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length && depth <= most; at += 1) {
    const unit = text[at] as string;
    if (unit === '"') inText = !inText;
    else if (!inText) depth += STEPS[unit] ?? 0;
    else if (unit === '\\') at += 1;
  }
  return depth > most;
}

/** What brackets do to the depth. */
const STEPS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Reads a body as text, or says why it can't be one. */
async function readBody(
  { headers, body }: Response,
  mask: Mask,
  maxBytes: number,
): Promise<{ readonly text: string } | { readonly unusable: string }> {
  const tooLarge = { unusable: `its body is larger than ${maxBytes / 1024 ** 2} MiB` };
  let bytes = await readBounded(body, maxBytes);
  if (bytes === undefined) return tooLarge;
  const encoding = excerpt(mask(String(headers['content-encoding'] ?? '').toLowerCase()));
  const decompress = DECOMPRESS.get(encoding);
  if (decompress === undefined) return { unusable: `its body is compressed as "${encoding}"` };
  try {
    bytes = await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge;
    return { unusable: `its body can't be decompressed (${encoding})` };
  }
  // Without a byte order mark.
  const text = new TextDecoder().decode(bytes);
  return isDeeperThan(text, MAX_DEPTH)
    ? { unusable: `its body is nested more than ${MAX_DEPTH} deep` }
    : { text };
}

const asIs = async (bytes: Buffer): Promise<Buffer> => bytes;

/** By the field `Content-Encoding`: a gateway may compress although it was not asked to. */
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

/** What the service says of a failure ends in messages, so what it says there is masked. */
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
    ? `it redirects to ${excerpt(mask(location))}, and redirects are not followed`
    : 'it redirects, and redirects are not followed';
}

function noJson(text: string, mask: Mask): string {
  // Masked before it is cut, or the cut could leave half a key.
  return text === '' ? 'its body is empty' : `its body is no JSON: "${excerpt(mask(text))}"`;
}

/** Controls, lone surrogates, and what changes the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from outside as one short line that is safe to print. */
export function excerpt(text: string, characters = 200): string {
  const line = text
    .slice(0, characters * 10)
    .replace(/\s+/g, ' ')
    .replace(UNPRINTABLE, '')
    .trim();
  const shown = Array.from(line);
  return shown.length <= characters ? line : `${shown.slice(0, characters).join('')}…`;
}
