import {
  AuthenticationError,
  NotFoundError,
  type Refused,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';
import { isObject } from '../model/record.js';
import { sentence } from '../model/text.js';
import { isInteger } from './checks.js';
import type { CallOptions } from './client.js';
import { retryAfterMs } from './transport/backoff.js';
import { type Answer, errorMessages, oneLineExcerpt } from './transport/exchange.js';
import { type Call, formBody, type Transport } from './transport/http-transport.js';

export interface ApiRequest extends Omit<Call, 'signal'> {
  /** Expected shape; without it, any JSON is accepted. */
  readonly shape?: AnswerShape;
}

/** The service as messages name it. */
type Service = Pick<Transport, 'baseUrl' | 'version'>;

/** A version, or what follows it in the address of a call. */
const BEHIND_BASE = /^(v?\d(\.\d+)*|monitorings|documents|authors)$/i;

/** Asks a question, unless the base URL doesn't end in the version, which may then be the cause. */
function questionAbout({ baseUrl, version = '5.0' }: Service, question: string): string {
  if (baseUrl.endsWith(`/${version}`)) return question;
  const { origin, pathname } = new URL(baseUrl);
  const parts = pathname.split('/').slice(1).filter(Boolean);
  const end = parts.findIndex((part) => BEHIND_BASE.test(part));
  const before = end < 0 ? parts : parts.slice(0, end);
  const likely = [origin, ...before, version].join('/');
  return `The base URL ${baseUrl} doesn't end in the version, ${version}: is it ${likely}?`;
}

/** Calls the service once, and returns its answer or throws an error (see `Client`). */
export async function ask<T>(
  transport: Transport,
  question: ApiRequest,
  { signal }: CallOptions = {},
): Promise<T> {
  signal?.throwIfAborted();
  const exchange = await transport.send({ ...question, signal });
  const asked = `${question.method} ${transport.baseUrl}${question.path}`;
  if (exchange.kind === 'answer') {
    return usableAnswer(exchange, question.shape, { asked, service: transport }) as T;
  }
  signal?.throwIfAborted();
  const { kind, message, ...failure } = exchange;
  if (kind === 'not-sent') {
    const remedy = 'Is the address right, and is the service running?';
    throw new ServiceDownError(
      `${asked} could not be sent: ${sentence(message)} ${remedy}`,
      failure,
    );
  }
  const { changes = false } = question;
  const remedy = changes
    ? 'It may have been applied: check before you send it again.'
    : 'Try again later.';
  const options = { ...failure, mayHaveBeenApplied: changes, remedy };
  throw new ServiceDownError(`${asked} got no answer: ${message}.`, options);
}

/** A call in messages. */
interface Asked {
  /** Method and address. */
  readonly asked: string;
  readonly service: Service;
}

function usableAnswer(answer: Answer, shape: AnswerShape | undefined, asked: Asked): unknown {
  const { status, json } = answer;
  const messages = errorMessages(json);
  if (status < 200 || status > 299 || messages !== undefined)
    throw refusal(answer, messages, asked);
  const wrong = answer.unusable ?? (shape && shapeMismatch(json, shape));
  if (wrong !== undefined) throw unexpectedAnswer(answer, wrong, asked);
  return json;
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Check the user name and the API key.',
  403: "Check the user name, the API key, and this user's permissions.",
};

/** Remedy for a refused access; `undefined` for other refusals. */
function accessRemedy(status: number, service: Service, isForeign: boolean): string | undefined {
  if (status === 404) return questionAbout(service, 'Is the id right, and the base URL?');
  const remedy = REMEDIES[status];
  if (remedy === undefined) return undefined;
  // A service, or a gateway, may refuse credentials at any address that it doesn't know.
  const question = questionAbout(service, isForeign ? BASE_URL_QUESTION : '');
  return `${remedy} ${question}`.trimEnd();
}

const BASE_URL_QUESTION = 'Is the base URL right?';

function refusal(
  answer: Answer,
  messages: readonly string[] | undefined,
  { asked, service }: Asked,
): AuthenticationError | NotFoundError | ServiceError {
  const { status, unusable = "its body isn't an error object" } = answer;
  const clauses = messages?.map((message) => oneLineExcerpt(message, 500).replace(/\.$/, ''));
  const reason = clauses?.join('; ') ?? unusable;
  const message = `${asked} was refused with ${status}: ${reason}.`;
  const remedy = accessRemedy(status, service, messages === undefined);
  if (remedy !== undefined) return accessError(`${message} ${remedy}`, answer);
  return messages === undefined
    ? unexpectedAnswer(answer, reason, { asked, service })
    : new ServiceError(message, factsOf(answer));
}

/** Makes the error for refused credentials, or for a resource that doesn't exist. */
export function accessError(message: string, answer: Answer): AuthenticationError | NotFoundError {
  const facts = factsOf(answer);
  return answer.status === 404
    ? new NotFoundError(message, facts)
    : new AuthenticationError(message, facts);
}

/** Makes the error for an answer that doesn't look like the service's. */
function unexpectedAnswer(answer: Answer, wrong: string, { asked, service }: Asked): ServiceError {
  const { status } = answer;
  const remedy = status >= 500 ? 'Try again later.' : questionAbout(service, BASE_URL_QUESTION);
  return new ServiceError(
    `${asked} was answered with ${status}, but not in the service's format: ${wrong}.`,
    { ...factsOf(answer), remedy },
  );
}

export function factsOf(answer: Answer): Refused & Pick<ServiceError, 'retryAfterMs'> {
  const { status, json } = answer;
  const messages = errorMessages(json) ?? [];
  return { status, messages, retryAfterMs: retryAfterMs(answer, Date.now()) };
}

export interface ClientContext {
  readonly transport: Transport;
  readonly filterMethod: 'POST' | 'GET';
}

/**
 * Calls a filtering endpoint (reference, "Conventions for filtering endpoints") with parameters as
 * a form, or in the address if the client is set to do so.
 */
export function askFiltered<T>(
  { transport, filterMethod }: ClientContext,
  {
    parameters,
    ...question
  }: Pick<ApiRequest, 'path' | 'shape'> & { readonly parameters: URLSearchParams },
  options: CallOptions | undefined,
): Promise<T> {
  const carried = filterMethod === 'GET' ? { query: parameters } : { body: formBody(parameters) };
  return ask<T>(transport, { method: filterMethod, ...question, ...carried }, options);
}

export function filteredCall<Query, Result>(
  context: ClientContext,
  path: string,
  encode: (query: Query) => URLSearchParams,
  shape?: AnswerShape,
): (query: Query, options?: CallOptions) => Promise<Result> {
  return async (query, options) => {
    const parameters = encode(query);
    return askFiltered<Result>(context, { path, parameters, ...(shape && { shape }) }, options);
  };
}

/**
 * Required fields of an answer; other fields are passed through. A field has a kind, is an object
 * of a shape, or a list of such objects. One whose name ends in `?` may be `null` or missing.
 */
export interface AnswerShape {
  readonly [field: string]: FieldShape;
}

type FieldShape = keyof typeof KINDS | AnswerShape | readonly [AnswerShape];

/** Name of each kind in messages, and its test. */
const KINDS = {
  // Ids: integers that JavaScript represents exactly.
  integer: ['a whole number', Number.isSafeInteger],
  count: ['a whole number of at least 0', (value: unknown) => isInteger(value, 0)],
  number: ['a number', Number.isFinite],
  text: ['text', (value: unknown) => typeof value === 'string'],
  boolean: ['true or false', (value: unknown) => typeof value === 'boolean'],
} as const;
const OBJECT = ['an object', isObject] as const;
const isListOfObjects = (value: unknown) => Array.isArray(value) && value.every(isObject);
const LIST = ['a list of objects', isListOfObjects] as const;

/**
 * Describes how a value differs from a shape, as a clause; `undefined` if it doesn't.
 * @param path of the value in the answer; empty for all of it
 */
export function shapeMismatch(value: unknown, shape: FieldShape, path = ''): string | undefined {
  const composite = Array.isArray(shape) ? LIST : OBJECT;
  const [expected, holds] = typeof shape === 'string' ? KINDS[shape] : composite;
  if (!holds(value)) return `${path === '' ? 'it' : `its "${path}"`} is not ${expected}`;
  for (const part of partsOf(value, shape, path)) {
    const wrong = shapeMismatch(...part);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

type Part = readonly [value: unknown, shape: FieldShape, path: string];

/** Lists the elements of a list, or the fields that a shape names, except missing ones that may be. */
function partsOf(value: unknown, shape: FieldShape, path: string): readonly Part[] {
  if (typeof shape === 'string') return [];
  if (Array.isArray(value)) {
    const [element] = shape as readonly [AnswerShape];
    return value.map((item, index) => [item, element, `${path}[${index}]`]);
  }
  return Object.entries(shape).flatMap(([name, expected]): readonly Part[] => {
    const field = name.replace('?', '');
    const inner = (value as Readonly<Record<string, unknown>>)[field] ?? undefined;
    const isLeftOut = inner === undefined && name.endsWith('?');
    return isLeftOut ? [] : [[inner, expected, path === '' ? field : `${path}.${field}`]];
  });
}

const METRICS = [{ name: 'text', 'value?': 'number' }] as const;

export const AUTHOR_SHAPE: AnswerShape = {
  id: 'integer',
  'source?': 'text',
  'name?': 'text',
  'username?': 'text',
  'about?': 'text',
  'metrics?': METRICS,
};

/** Fields of a document that reconciliation and commands read. */
export const DOCUMENT_SHAPE: AnswerShape = {
  id: 'integer',
  'source?': 'text',
  'sourceId?': 'text',
  'title?': 'text',
  'text?': 'text',
  'language?': 'text',
  'sentiment?': 'text',
  'published?': 'text',
  'metrics?': METRICS,
  'author?': { 'name?': 'text', 'username?': 'text' },
};
