/** Validates request bodies, and turns errors into answers. */
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { MappingChange, Rule } from '../index.js';
import { DocferryError, MappingError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import { withProgramName } from '../report/program-name.js';

interface StudioEnv {
  readonly Bindings: HttpBindings;
}

export type StudioApp = Hono<StudioEnv>;
type StudioContext = Context<StudioEnv>;

/** Validates a value of a body; `name` is its place in messages. */
type Read<T> = (name: string, value: unknown) => T;

const text: Read<string> = expecting('a string', (value) => typeof value === 'string');
const path: Read<MappingChange['path']> = listOf(
  expecting(
    'a key or an index',
    (value) => typeof value === 'string' || Number.isSafeInteger(value),
  ),
);
const change: Read<MappingChange> = (name, given) => {
  const { path: place, value } = isObject(given) ? given : {};
  return { path: path(`${name}.path`, place), ...(value === undefined ? {} : { value }) };
};

/** The only field of most bodies: a mapping's text, saved or not. */
export const TEXT = { text };

/** A text, and the day from which its relative dates count back, unless it states one of its own. */
export const DATED_TEXT = { text, asOf: optional(text) };

/** The mapping as it was checked, and the monitoring to import into. */
export const IMPORTED_TEXT = { ...DATED_TEXT, monitoring: wholeNumber(1) };

/** The fields of the bodies that `Answers` answers, by the request's name. */
export const BODIES = {
  guess: {},
  source: TEXT,
  columns: TEXT,
  edit: {
    ...DATED_TEXT,
    /** Applied in order, as one edit. */
    changes: optional(listOf(change)),
    /** The TODO that becomes a plain comment, with the label of its answer. */
    dismiss: optional(text),
    label: optional(text),
    /** A column and the one that replaces it everywhere. */
    replace: optional(listOf(text)),
    /** Columns chosen for a field as in `propose`, and the label of a format; default: the best one. */
    path: optional(path),
    columns: optional(listOf(text)),
    format: optional(text),
    /** Number of the record to show with the edit. */
    record: optional(wholeNumber(1)),
  },
  evaluate: {
    ...DATED_TEXT,
    /** Number of the record to show; default: the first that becomes a document. */
    record: optional(wholeNumber(1)),
    /** The text before a change, to count the values that it changed. */
    before: optional(text),
  },
  propose: {
    ...DATED_TEXT,
    /** Place of the field's rule in the mapping: `['document', 'metrics', 'score']`. */
    path,
    /**
     * Columns in the order of joining. None: a rule without a column of its own, as far as the field
     * has one (a detected language, a sentiment from the rating, an id from a hash).
     */
    columns: listOf(text),
  },
  try: {
    ...DATED_TEXT,
    path,
    rule: expecting<Rule>('a rule', (value) => value !== undefined && value !== null),
  },
  values: { text, column: text },
  records: {
    ...DATED_TEXT,
    /** Number of matching records to skip, for paging; default 0. */
    from: optional(wholeNumber(0)),
    /** Default and maximum: 50. */
    limit: optional(wholeNumber(1)),
    /** Only records with this text in any value, ignoring case. */
    search: optional(text),
    /** Only records with this outcome. */
    only: optional(text),
    /** Only records with this problem: the message of one of the problems in the health. */
    problem: optional(text),
  },
} as const;

type Fields = Readonly<Record<string, Read<unknown>>>;
type ValuesOf<F extends Fields> = { readonly [N in keyof F]: ReturnType<F[N]> };

/** Name of a request that `Answers` answers. */
export type Answered = keyof typeof BODIES;

/** A body as it is read. */
export type RequestBody<K extends Answered> = ValuesOf<(typeof BODIES)[K]>;

/** A body as it is sent: what may be `undefined` may be left out. */
export type SentBody<K extends Answered> = WithOptional<RequestBody<K>>;

type WithOptional<T> = {
  readonly [N in keyof T as undefined extends T[N] ? never : N]: T[N];
} & { readonly [N in keyof T as undefined extends T[N] ? N : never]?: T[N] };

function expecting<T>(what: string, isExpected: (value: unknown) => boolean): Read<T> {
  return (name, value) => {
    if (isExpected(value)) return value as T;
    throw new StudioError(400, `${name} must be ${what}.`);
  };
}

function wholeNumber(least: number): Read<number> {
  return expecting(
    `a whole number, at least ${least}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least,
  );
}

function optional<T>(read: Read<T>): Read<T | undefined> {
  return (name, value) => (value === undefined ? undefined : read(name, value));
}

function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (name, value) => {
    if (!Array.isArray(value)) throw new StudioError(400, `${name} must be a list.`);
    return value.map((one, at) => read(`${name}[${at}]`, one));
  };
}

/**
 * Reads the fields of a body and ignores others.
 * @throws StudioError
 */
export async function readBody<F extends Fields>(
  c: StudioContext,
  fields: F,
): Promise<ValuesOf<F>> {
  // Browsers send this type to another origin only after a preflight request, which the studio refuses.
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new StudioError(415, 'The body must be application/json.');
  }
  const body = await readJson(c.env.incoming as IncomingMessage);
  if (!isObject(body)) throw new StudioError(400, 'The body must be a JSON object.');
  const values = Object.entries(fields).map(([name, read]) => [name, read(name, body[name])]);
  return Object.fromEntries(values) as ValuesOf<F>;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Reads a body; `undefined` if it isn't JSON. */
async function readJson(incoming: IncomingMessage): Promise<unknown> {
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
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
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
    return new StudioError(422, withProgramName(error.message), { mistakes: error.mistakes });
  }
  if (error instanceof DocferryError) return new StudioError(422, withProgramName(error.message));
  process.emitWarning(`The studio failed: ${(error as Error | undefined)?.stack ?? String(error)}`);
  return new StudioError(500, 'The studio failed. The terminal it runs in shows the reason.');
}
