/** Validates request bodies, and turns errors into answers. */
import type { IncomingMessage } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { MappingChange, Rule } from '../index.js';
import { DocferryError, MappingError } from '../model/errors.js';
import { omitUndefined } from '../model/options.js';
import type { StudioContext } from './app.js';
import type {
  EditRequest,
  EvaluateRequest,
  ProposeRequest,
  RecordsRequest,
  TryRequest,
} from './wire.js';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

async function readBody(c: StudioContext): Promise<Readonly<Record<string, unknown>>> {
  // Browsers send this type to another origin only after a preflight request, which the studio refuses.
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new StudioError(415, 'The body must be application/json.');
  }
  const body = parsed(await readBytes(c.env.incoming as IncomingMessage));
  if (isObject(body)) return body;
  throw new StudioError(400, 'The body must be a JSON object.');
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
  // Destroying the request on early exit would close the connection before the answer is sent.
  for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new StudioError(413, 'The request is larger than 1 MB. No mapping needs that much.');
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** A mapping's text, and the version of the file that the page last saw. */
interface TextRequest {
  readonly text: string;
  readonly stamp?: string | undefined;
}

/** @throws StudioError */
export async function readText(c: StudioContext): Promise<TextRequest> {
  const { text, stamp } = await readBody(c);
  return { text: textOf('text', text), stamp: optional('stamp', stamp, textOf) };
}

/** @throws StudioError */
export async function readPosition(c: StudioContext): Promise<{ text: string; offset: number }> {
  const { text, offset } = await readBody(c);
  return { text: textOf('text', text), offset: numberFrom(0)('offset', offset) };
}

/** @throws StudioError */
export async function readEdit(c: StudioContext): Promise<EditRequest> {
  const { text, changes = [], dismiss } = await readBody(c);
  if (!Array.isArray(changes)) throw new StudioError(400, 'changes must be a list.');
  return {
    text: textOf('text', text),
    changes: changes.map((one, at) => changeOf(`changes[${at}]`, one)),
    ...omitUndefined({ dismiss: optional('dismiss', dismiss, numberFrom(1)) }),
  };
}

function changeOf(name: string, change: unknown): MappingChange {
  const { path, value } = isObject(change) ? change : {};
  return { path: pathOf(`${name}.path`, path), ...(value === undefined ? {} : { value }) };
}

function pathOf(name: string, path: unknown): MappingChange['path'] {
  const isStep = (step: unknown): boolean =>
    typeof step === 'string' || (Number.isSafeInteger(step) && (step as number) >= 0);
  if (Array.isArray(path) && path.length > 0 && path.every(isStep)) return path;
  throw new StudioError(400, `${name} must be a list of keys and indexes.`);
}

/** @throws StudioError */
export async function readEvaluateRequest(c: StudioContext): Promise<EvaluateRequest> {
  const { text, stamp, record } = await readBody(c);
  return {
    text: textOf('text', text),
    ...omitUndefined({
      stamp: optional('stamp', stamp, textOf),
      record: optional('record', record, numberFrom(1)),
    }),
  };
}

/** @throws StudioError */
export async function readProposeRequest(c: StudioContext): Promise<ProposeRequest> {
  const { text, field, columns } = await readBody(c);
  if (!Array.isArray(columns)) throw new StudioError(400, 'columns must be a list.');
  return {
    text: textOf('text', text),
    field: textOf('field', field),
    columns: columns.map((column, at) => textOf(`columns[${at}]`, column)),
  };
}

/** @throws StudioError */
export async function readTryRequest(c: StudioContext): Promise<TryRequest> {
  const { text, path, rule } = await readBody(c);
  if (rule === undefined || rule === null) throw new StudioError(400, 'rule is missing.');
  return { text: textOf('text', text), path: pathOf('path', path), rule: rule as Rule };
}

const MAX_LIMIT = 50;
const OUTCOMES = ['valid', 'invalid', 'skipped', 'duplicate'] as const;

/** @throws StudioError */
export async function readRecordsRequest(
  c: StudioContext,
): Promise<Required<Pick<RecordsRequest, 'from' | 'limit'>> & RecordsRequest> {
  const { text, stamp, from, limit, search, only, problem } = await readBody(c);
  const outcome = OUTCOMES.find((one) => one === only);
  if (only !== undefined && outcome === undefined) {
    throw new StudioError(400, `only must be one of ${OUTCOMES.join(', ')}.`);
  }
  return {
    text: textOf('text', text),
    from: optional('from', from, numberFrom(0)) ?? 0,
    limit: Math.min(optional('limit', limit, numberFrom(1)) ?? MAX_LIMIT, MAX_LIMIT),
    ...omitUndefined({
      stamp: optional('stamp', stamp, textOf),
      search: optional('search', search, textOf),
      problem: optional('problem', problem, textOf),
      only: outcome,
    }),
  };
}

type Read<T> = (name: string, value: unknown) => T;

function optional<T>(name: string, value: unknown, read: Read<T>): T | undefined {
  return value === undefined ? undefined : read(name, value);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new StudioError(400, `${name} must be a string.`);
}

function numberFrom(least: number): Read<number> {
  return (name, value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    throw new StudioError(400, `${name} must be a whole number, at least ${least}.`);
  };
}

/** An error that the studio answers a request with. */
export class StudioError extends Error {
  readonly status: ContentfulStatusCode;
  /** Further fields of the answer, next to `message`. */
  readonly details: object;

  constructor(status: ContentfulStatusCode, message: string, details: object = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** Turns any error into an answer; a mapping's mistakes are included with their positions. */
export function toStudioError(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  if (error instanceof MappingError) {
    return new StudioError(422, error.message, { mistakes: error.mistakes });
  }
  if (error instanceof DocferryError) return new StudioError(422, error.message);
  process.emitWarning(`The studio failed: ${detail(error)}`);
  return new StudioError(500, 'The studio failed. The terminal it runs in shows the reason.');
}

function detail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
