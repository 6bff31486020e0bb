import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Mask } from './connection.js';
import { type Answer, errorMessages } from './exchange.js';

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
