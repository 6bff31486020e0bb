/** What the page asks for, and errors as answers. */
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

/** A mapping's text, saved or not. */
interface Text {
  readonly text: string;
}

/** A text, and the day from which its relative dates count back, unless it states one of its own. */
export interface DatedText extends Text {
  readonly asOf?: string | undefined;
}

/** The mapping and the version of the file as they were checked, and the monitoring to import into. */
export interface ImportedText extends DatedText {
  readonly stamp: string;
  readonly monitoring: number;
  /** Names the import, so that it can be cancelled, and no other tab's. */
  readonly job: string;
}

/** A field, and the columns chosen for it. */
interface ChosenColumns {
  /** Place of the field's rule in the mapping: `['document', 'metrics', 'score']`. */
  readonly path: MappingChange['path'];
  /**
   * Columns in the order of joining. None: a rule without a column of its own, as far as the field
   * has one (a detected language, a sentiment from the rating, an id from a hash).
   */
  readonly columns: readonly string[];
}

/** Bodies of the requests that `Answers` answers, by their names. */
export interface RequestBodies {
  readonly guess: object;
  readonly source: Text;
  readonly columns: Text;
  readonly edit: DatedText & {
    /** Applied in order, as one edit. */
    readonly changes?: readonly MappingChange[];
    /** The TODO that becomes a plain comment, with the label of its answer. */
    readonly dismiss?: string | undefined;
    readonly label?: string | undefined;
    /** A column and the one that replaces it everywhere. */
    readonly replace?: readonly [column: string, by: string];
    /** The label of a format; default: the best one. */
    readonly format?: string;
    /** Number of the record to show with the edit. */
    readonly record?: number | undefined;
  } & Partial<ChosenColumns>;
  readonly evaluate: DatedText & {
    /** Number of the record to show; default: the first that becomes a document. */
    readonly record?: number | undefined;
    /** The text before a change, to count the values that it changed. */
    readonly before?: string | undefined;
  };
  readonly propose: DatedText & ChosenColumns;
  readonly try: DatedText & { readonly path: MappingChange['path']; readonly rule: Rule };
  readonly values: Text & { readonly column: string };
  readonly records: DatedText & {
    /** Number of matching records to skip, for paging. */
    readonly from?: number;
    readonly limit?: number;
    /** Only records with this text in any value, ignoring case. */
    readonly search?: string;
    /** Only records with this outcome. */
    readonly only?: string | undefined;
    /** Only records with this problem: the message of one of the problems in the health. */
    readonly problem?: string | undefined;
  };
}

/** A kind of value in a body: its name in a message, and the test for it. */
type Kind = readonly [words: string, fits: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isPath = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((step) => isText(step) || isNumber(step));
const isChange = (value: unknown): boolean => isObject(value) && isPath(value['path']);

const TEXT: Kind = ['a string', isText];
const NUMBER: Kind = ['a whole number of at least 0', isNumber];

/** What the properties of bodies have to be that aren't strings; it is the same in all requests. */
const KINDS: Readonly<Record<string, Kind>> = {
  record: NUMBER,
  from: NUMBER,
  limit: NUMBER,
  monitoring: NUMBER,
  path: ['a list of keys and positions', isPath],
  rule: ['a rule', (value) => value !== null],
  columns: ['a list of strings', isTexts],
  replace: ['a list of two strings', (value) => isTexts(value) && Object(value).length === 2],
  changes: [
    'a list of changes, each with a path',
    (value) => Array.isArray(value) && value.every(isChange),
  ],
};

/**
 * Reads the body of a request.
 * @param required the properties that it has to have
 * @throws StudioError if a property is missing, or isn't what it has to be
 */
export async function readBody<T extends object>(
  c: StudioContext,
  required: readonly (keyof T & string)[],
): Promise<T> {
  const body = await readObject(c);
  for (const name of new Set([...required, ...Object.keys(body)])) {
    const [words, fits] = KINDS[name] ?? TEXT;
    if (!fits(body[name])) {
      throw new StudioError(400, `In the body of the request, ${name} must be ${words}.`);
    }
  }
  return body as T;
}

async function readObject(c: StudioContext): Promise<Readonly<Record<string, unknown>>> {
  // Browsers send this type to another origin only after a preflight request, which the studio refuses.
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new StudioError(415, 'The body must be application/json.');
  }
  const body = await readJson(c.env.incoming as IncomingMessage);
  if (!isObject(body)) throw new StudioError(400, 'The body must be a JSON object.');
  return body;
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
