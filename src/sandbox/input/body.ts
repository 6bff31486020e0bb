import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { SandboxContext } from '../answers.js';
import { Refusal } from '../refusal.js';

/** The JSON body of a call. Refuses with 415, 413 or 400. */
export async function readJson(c: SandboxContext, maxBytes: number): Promise<unknown> {
  requireType(c, 'application/json');
  const text = decode(await readBytes(c.env.incoming as IncomingMessage, maxBytes));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal('invalid', `The body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Filters may be of any size, says the reference: this only keeps a slip from filling the memory. */
const MAX_FORM_BYTES = 64 * 1024 * 1024;

/** The form body of a call, percent-decoded; a call without a body has no parameters. */
export async function readForm(c: SandboxContext): Promise<URLSearchParams> {
  const { headers } = c.env.incoming as IncomingMessage;
  const empty = (headers['content-length'] ?? '0') === '0' && !headers['transfer-encoding'];
  if (empty) return new URLSearchParams();
  requireType(c, 'application/x-www-form-urlencoded');
  return readEncoded(decode(await readBytes(c.env.incoming as IncomingMessage, MAX_FORM_BYTES)));
}

/** The parameters in the call's address, but for `pretty`. */
export function readAddress(c: SandboxContext): URLSearchParams {
  const parameters = readEncoded(new URL(c.req.url).search.slice(1));
  parameters.delete('pretty');
  return parameters;
}

function readEncoded(text: string): URLSearchParams {
  try {
    // URLSearchParams itself takes whatever comes.
    decodeURIComponent(text);
  } catch {
    throw new Refusal('invalid', 'The parameters are not percent-encoded UTF-8.');
  }
  return new URLSearchParams(text);
}

function requireType(c: SandboxContext, expected: string): void {
  const given = c.req.header('content-type') ?? '';
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(given)?.[1] ?? 'utf-8';
  if (given.split(';')[0]?.trim().toLowerCase() !== expected || !/^utf-?8$/i.test(charset)) {
    const found = given === '' ? 'there is none' : `not ${given.slice(0, 60)}`;
    throw new Refusal('wrongType', `The Content-Type must be ${expected} in UTF-8, ${found}.`);
  }
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal('wrongType', `The body must not be compressed (${encoding.slice(0, 40)}).`);
  }
}

async function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = new Refusal('tooLarge', `The body is larger than ${maxBytes} bytes.`);
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Destroying the request on the way out would cut the connection before the answer.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new Refusal('invalid', 'The body ended before it was whole.');
  }
  if (bytes > maxBytes) throw tooLarge;
  return Buffer.concat(chunks);
}

/** The bytes are checked first: the decoder that complains is several times as slow. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = '\u{feff}';
