import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { SandboxContext } from '../answers.js';
import { Refusal } from '../refusal.js';
import { ExpressionError } from './expression.js';

/** Reads the JSON body of a call. Refuses with 415, 413 or 400. */
export async function readJson(c: SandboxContext, maxBytes: number): Promise<unknown> {
  requireType(c, 'application/json');
  const text = decode(await readBytes(c.env.incoming as IncomingMessage, maxBytes));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal('invalid', `The body is not valid JSON: ${(error as Error).message}`);
  }
}

/**
 * Maximum size of a form body. The reference sets no limit for filters; this one only protects
 * memory.
 */
const MAX_FORM_BYTES = 64 * 1024 * 1024;

/** Reads the form body of a call; a call without a body has no parameters. */
export async function readForm(c: SandboxContext): Promise<URLSearchParams> {
  const { headers } = c.env.incoming as IncomingMessage;
  const empty = (headers['content-length'] ?? '0') === '0' && !headers['transfer-encoding'];
  if (empty) return new URLSearchParams();
  requireType(c, 'application/x-www-form-urlencoded');
  return readEncoded(decode(await readBytes(c.env.incoming as IncomingMessage, MAX_FORM_BYTES)));
}

/** Reads the parameters of the query string, except `pretty`. */
export function readAddress(c: SandboxContext): URLSearchParams {
  const parameters = readEncoded(new URL(c.req.url).search.slice(1));
  parameters.delete('pretty');
  return parameters;
}

function readEncoded(text: string): URLSearchParams {
  try {
    // URLSearchParams doesn't reject malformed input.
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
    // Destroying the request here would close the connection before the response.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new Refusal('invalid', 'The body ended before it was complete.');
  }
  if (bytes > maxBytes) throw tooLarge;
  return Buffer.concat(chunks);
}

/** Decodes UTF-8. Checking the bytes first is several times faster than a fatal TextDecoder. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Reads a parameter; returns `null` for an invalid value, or throws an {@link ExpressionError} with
 * the reason.
 */
export type Reader<T> = (text: string) => T | null;

/** Parameters of one call, with a sentence for each that is invalid. */
export interface Parameters {
  readonly faults: string[];
  /** Returns the value of a parameter; `undefined` if it is missing or invalid. */
  read<T>(name: string, expected: string, reader: Reader<T>): T | undefined;
}

/** Checks the names of the parameters for missing, unknown and repeated ones. */
export function readParameters(
  given: URLSearchParams,
  required: readonly string[],
  optional: readonly string[],
): Parameters {
  const faults = checkNames(given, required, optional);
  return {
    faults,
    read: (name, expected, reader) => {
      const text = given.get(name);
      if (text === null) return undefined;
      try {
        const value = reader(text);
        if (value !== null) return value;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        faults.push(`${name} ${error.message}.`);
        return undefined;
      }
      faults.push(`${name} must be ${expected}, not ${JSON.stringify(text.slice(0, 60))}.`);
      return undefined;
    },
  };
}

function checkNames(
  given: URLSearchParams,
  required: readonly string[],
  optional: readonly string[],
): string[] {
  const faults = required.filter((name) => !given.has(name)).map((name) => `${name} is missing.`);
  for (const name of new Set(given.keys())) {
    const known = required.includes(name) || optional.includes(name);
    if (!known) faults.push(`${name.slice(0, 40)} is not a known parameter.`);
    else if (given.getAll(name).length > 1) faults.push(`${name} is given more than once.`);
  }
  return faults;
}

export function refuseFaults({ faults }: Parameters): void {
  if (faults.length > 0) throw new Refusal('invalid', faults);
}

export function readOffset(parameters: Parameters): number {
  const whole = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
  return parameters.read('offset', 'a whole number of at least 0', whole) ?? 0;
}

/** Reads a positive whole number in decimal digits; `null` for anything else. */
export function readId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
