import {
  AuthenticationError,
  NotFoundError,
  type Refused,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';
import { type AnswerShape, misfit } from './answer-shape.js';
import type { Warn } from './checks.js';
import type { CallOptions } from './client.js';
import { retryAfterMs } from './transport/backoff.js';
import { type Answer, errorMessages } from './transport/exchange.js';
import { type Call, formBody, type Transport } from './transport/http-transport.js';
import { excerpt } from './transport/read-answer.js';

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
