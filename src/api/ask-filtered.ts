import type { AnswerShape } from './answer-shape.js';
import { ask } from './ask.js';
import { formBody } from './body.js';
import type { Warn } from './check-monitoring.js';
import type { CallOptions } from './client.js';
import type { Transport } from './http-transport.js';

/** What the calls of a client have in common. */
export interface Port {
  readonly transport: Transport;
  readonly filterMethod: 'POST' | 'GET';
  readonly warn: Warn;
}

/** A call of a filtering endpoint (reference, "Conventions for filtering endpoints"). */
export interface FilteredQuestion {
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly shape?: AnswerShape;
}

/** Asks a filtering endpoint: parameters as a form, or in the address if the client is told so. */
export function askFiltered<T>(
  { transport, filterMethod }: Port,
  { parameters, ...question }: FilteredQuestion,
  options: CallOptions | undefined,
): Promise<T> {
  const carried = filterMethod === 'GET' ? { query: parameters } : { body: formBody(parameters) };
  return ask<T>(transport, { method: filterMethod, ...question, ...carried }, options);
}
