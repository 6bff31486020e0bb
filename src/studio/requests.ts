/** What requests hold, looked at before anybody relies on it. */
import type { IncomingMessage } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DocferryError, MappingError } from '../model/errors.js';
import { omitUndefined } from '../model/options.js';
import type { StudioContext } from './app.js';
import type { EditRequest, PreviewRequest } from './wire.js';

/** Whether a value has entries. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

async function readBody(c: StudioContext): Promise<Readonly<Record<string, unknown>>> {
  // Pages elsewhere can't send this type without asking first.
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new StudioRefusal(415, 'The body must be application/json.');
  }
  const body = parsed(await readBytes(c.env.incoming as IncomingMessage));
  if (isObject(body)) return body;
  throw new StudioRefusal(400, 'The body must be a JSON object.');
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const MAX_BODY_BYTES = 1024 * 1024;

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Destroying the request on the way out would cut the connection before the answer.
  for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new StudioRefusal(413, 'The request is larger than 1 MB, which no mapping needs.');
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The text of a mapping, and the file as the page knows it. */
interface TextRequest {
  readonly text: string;
  readonly stamp?: string | undefined;
}

/** @throws StudioRefusal */
export async function readText(c: StudioContext): Promise<TextRequest> {
  const { text, stamp } = await readBody(c);
  return { text: textOf('text', text), stamp: optional('stamp', stamp, textOf) };
}

/** @throws StudioRefusal */
export async function readPlace(c: StudioContext): Promise<{ text: string; offset: number }> {
  const { text, offset } = await readBody(c);
  return { text: textOf('text', text), offset: numberFrom(0)('offset', offset) };
}

/** @throws StudioRefusal */
export async function readEdit(c: StudioContext): Promise<EditRequest> {
  const { text, change } = await readBody(c);
  const { path, value } = isObject(change) ? change : {};
  const isStep = (step: unknown): boolean =>
    typeof step === 'string' || (Number.isSafeInteger(step) && (step as number) >= 0);
  if (!Array.isArray(path) || path.length === 0 || !path.every(isStep)) {
    throw new StudioRefusal(400, 'change.path must be a list of keys and indexes.');
  }
  return {
    text: textOf('text', text),
    change: { path, ...(value === undefined ? {} : { value }) },
  };
}

const MAX_LIMIT = 50;

/** @throws StudioRefusal */
export async function readPreviewRequest(c: StudioContext): Promise<PreviewRequest> {
  const { text, stamp, from, limit, search, invalid, record } = await readBody(c);
  const given = omitUndefined({
    stamp: optional('stamp', stamp, textOf),
    from: optional('from', from, numberFrom(0)),
    search: optional('search', search, textOf),
    record: optional('record', record, numberFrom(1)),
  });
  return {
    ...given,
    text: textOf('text', text),
    limit: Math.min(optional('limit', limit, numberFrom(1)) ?? MAX_LIMIT, MAX_LIMIT),
    invalid: invalid === true,
  };
}

type Read<T> = (name: string, value: unknown) => T;

function optional<T>(name: string, value: unknown, read: Read<T>): T | undefined {
  return value === undefined ? undefined : read(name, value);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new StudioRefusal(400, `${name} must be a text.`);
}

function numberFrom(least: number): Read<number> {
  return (name, value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    throw new StudioRefusal(400, `${name} must be a whole number, at least ${least}.`);
  };
}

/** What the studio answers instead of doing what it was asked. */
export class StudioRefusal extends Error {
  readonly status: ContentfulStatusCode;
  /** What the page gets beside the sentence. */
  readonly details: object;

  constructor(status: ContentfulStatusCode, message: string, details: object = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** What an answer says of a failure; a mapping's mistakes come with their places. */
export function refusalOf(error: unknown): StudioRefusal {
  if (error instanceof StudioRefusal) return error;
  if (error instanceof MappingError) {
    return new StudioRefusal(422, error.message, { mistakes: error.mistakes });
  }
  if (error instanceof DocferryError) return new StudioRefusal(422, error.message);
  process.emitWarning(`The studio failed: ${detail(error)}`);
  return new StudioRefusal(500, 'The studio failed; the terminal in which it runs says why.');
}

function detail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
