import {
  AuthenticationError,
  NotFoundError,
  type Refused,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';
import { isObject } from '../model/record.js';
import type { Warn } from './checks.js';
import type { CallOptions } from './client.js';
import { retryAfterMs } from './transport/backoff.js';
import { type Answer, errorMessages, excerpt } from './transport/exchange.js';
import { type Call, formBody, type Transport } from './transport/http-transport.js';

/** A call, and what its answer must be like. */
export interface ApiRequest extends Omit<Call, 'signal'> {
  /** What the answer must hold; without it any JSON will do. */
  readonly shape?: AnswerShape;
}

const ENDS_IN_VERSION = '? It ends in the version, as in …/5.0';

/**
 * Asks the service once, and gives its answer or throws the error that says why there is none
 * (see `Client`).
 */
export async function ask<T>(
  transport: Transport,
  question: ApiRequest,
  { signal }: CallOptions = {},
): Promise<T> {
  signal?.throwIfAborted();
  const exchange = await transport.send({ ...question, signal });
  const asked = `${question.method} ${transport.baseUrl}${question.path}`;
  if (exchange.kind === 'answer') return usableAnswer(exchange, question.shape, asked) as T;
  signal?.throwIfAborted();
  const { kind, message, ...failure } = exchange;
  if (kind === 'not-sent') {
    const remedy = 'Is the address right, and does the service run?';
    throw new ServiceDownError(`${asked} could not be sent: ${message}. ${remedy}`, failure);
  }
  const { changes = false } = question;
  const remedy = changes
    ? 'It may have been carried out all the same: look before you send it again.'
    : 'Try again later.';
  const options = { ...failure, mayHaveBeenApplied: changes };
  throw new ServiceDownError(`${asked} got no answer: ${message}. ${remedy}`, options);
}

function usableAnswer(answer: Answer, shape: AnswerShape | undefined, asked: string): unknown {
  const { status, json } = answer;
  const messages = errorMessages(json);
  if (status < 200 || status > 299 || messages !== undefined)
    throw refusal(answer, messages, asked);
  const wrong = answer.unusable ?? (shape && misfit(json, shape));
  if (wrong !== undefined) throw notAsTheService(answer, wrong, asked);
  return json;
}

/** What to do about a refusal of access, by its status. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Check the user name and the API key.',
  403: 'Check the user name and the API key, and what this user may do.',
  404: `Is the id right, and the base URL${ENDS_IN_VERSION}`,
};

/** The error for what the service does not want to do, by the status of its answer. */
function refusal(
  answer: Answer,
  messages: readonly string[] | undefined,
  asked: string,
): AuthenticationError | NotFoundError | ServiceError {
  const { status, unusable = 'its body is no error object' } = answer;
  const said = messages?.map((message) => excerpt(message, 500)).join('; ') ?? unusable;
  const message = `${asked} was refused with ${status}: ${said.replace(/\.$/, '')}.`;
  const remedy = REMEDIES[status];
  if (remedy !== undefined) return accessError(`${message} ${remedy}`, answer);
  return messages === undefined
    ? notAsTheService(answer, said, asked)
    : new ServiceError(message, factsOf(answer));
}

/** The error for a refusal of who asks, or of what is asked for. */
export function accessError(message: string, answer: Answer): AuthenticationError | NotFoundError {
  const facts = factsOf(answer);
  return answer.status === 404
    ? new NotFoundError(message, facts)
    : new AuthenticationError(message, facts);
}

/** The error for an answer that the service does not give. */
function notAsTheService(answer: Answer, wrong: string, asked: string): ServiceError {
  return new ServiceError(
    `${asked} was answered with ${answer.status}, and not as the service does: ${wrong}. Is the base URL right${ENDS_IN_VERSION}`,
    factsOf(answer),
  );
}

/** What errors hold of an answer. */
export function factsOf(answer: Answer): Refused & Pick<ServiceError, 'retryAfterMs'> {
  const { status, json } = answer;
  const messages = errorMessages(json) ?? [];
  return { status, messages, retryAfterMs: retryAfterMs(answer, Date.now()) };
}

/** What the calls of a client have in common. */
export interface Port {
  readonly transport: Transport;
  readonly filterMethod: 'POST' | 'GET';
  readonly warn: Warn;
}

/**
 * Asks a filtering endpoint (reference, "Conventions for filtering endpoints"): parameters as a form,
 * or in the address if the client is told so.
 */
export function askFiltered<T>(
  { transport, filterMethod }: Port,
  {
    parameters,
    ...question
  }: Pick<ApiRequest, 'path' | 'shape'> & { readonly parameters: URLSearchParams },
  options: CallOptions | undefined,
): Promise<T> {
  const carried = filterMethod === 'GET' ? { query: parameters } : { body: formBody(parameters) };
  return ask<T>(transport, { method: filterMethod, ...question, ...carried }, options);
}

/** The call of a filtering endpoint that takes a query and answers it at once. */
export function filteredCall<Query, Result>(
  port: Port,
  path: string,
  encode: (query: Query, warn: Warn) => URLSearchParams,
  shape?: AnswerShape,
): (query: Query, options?: CallOptions) => Promise<Result> {
  return async (query, options) => {
    const parameters = encode(query, port.warn);
    return askFiltered<Result>(port, { path, parameters, ...(shape && { shape }) }, options);
  };
}

/**
 * What an answer must hold for what looks at it; everything else passes as it comes. Each field is
 * of a kind, is an object of a shape, or a list of such. What ends in `?` may be `null` or missing.
 */
export interface AnswerShape {
  readonly [field: string]: FieldShape;
}

type FieldShape =
  | Kind
  | `${Kind}?`
  | { readonly list: AnswerShape; readonly optional?: true }
  | { readonly object: AnswerShape; readonly optional?: true };

type Kind = 'integer' | 'count' | 'number' | 'text' | 'boolean';

const KINDS: Readonly<
  Record<Kind, { readonly expected: string; readonly holds: (value: unknown) => boolean }>
> = {
  // Ids, and all else that is counted: what JavaScript can hold exactly.
  integer: { expected: 'a whole number', holds: Number.isSafeInteger },
  count: {
    expected: 'a whole number of at least 0',
    holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  number: { expected: 'a number', holds: Number.isFinite },
  text: { expected: 'text', holds: (value) => typeof value === 'string' },
  boolean: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
};

/** What of an answer does not fit, as half a sentence; `undefined` if it fits. */
export function misfit(json: unknown, shape: AnswerShape): string | undefined {
  return isObject(json) ? misfitIn(json, shape, '') : 'it is no object';
}

/** @param place where the object stands in the answer, with a full stop at its end */
function misfitIn(
  object: Readonly<Record<string, unknown>>,
  shape: AnswerShape,
  place: string,
): string | undefined {
  for (const [field, expected] of Object.entries(shape)) {
    const wrong = misfitOf(object[field] ?? undefined, expected, place + field);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function misfitOf(value: unknown, shape: FieldShape, place: string): string | undefined {
  if (typeof shape === 'string') {
    const { expected, holds } = KINDS[shape.replace('?', '') as Kind];
    const fits = holds(value) || (value === undefined && shape.endsWith('?'));
    return fits ? undefined : `its "${place}" is not ${expected}`;
  }
  if (value === undefined && shape.optional) return undefined;
  if ('object' in shape) {
    if (!isObject(value)) return `its "${place}" is not an object`;
    return misfitIn(value, shape.object, `${place}.`);
  }
  if (!Array.isArray(value) || !value.every(isObject)) {
    return `its "${place}" is not a list of objects`;
  }
  for (const [index, item] of value.entries()) {
    const wrong = misfitIn(item, shape.list, `${place}[${index}].`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const METRICS = { list: { name: 'text', value: 'number?' }, optional: true } as const;

/** What is looked at of an author. */
export const AUTHOR_SHAPE: AnswerShape = {
  id: 'integer',
  source: 'text?',
  name: 'text?',
  username: 'text?',
  about: 'text?',
  metrics: METRICS,
};

/** What is looked at of a document, by reconciliation and by commands that show it. */
export const DOCUMENT_SHAPE: AnswerShape = {
  id: 'integer',
  source: 'text?',
  sourceId: 'text?',
  title: 'text?',
  text: 'text?',
  language: 'text?',
  sentiment: 'text?',
  published: 'text?',
  metrics: METRICS,
  author: { object: { name: 'text?', username: 'text?' }, optional: true },
};
