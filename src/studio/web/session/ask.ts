/** Client of the studio's API. */
import { useEffect, useState } from 'preact/hooks';
import type { MappingMistake } from '../../../index.js';
import type { StudioAnswer } from '../../answers.js';
import type { RequestBodies } from '../../requests.js';
import type { JobLine, SavedMapping } from '../../wire.js';
import { token } from './address.js';
import { noteAnswer, useServer } from './server.js';

interface Refusal {
  readonly message: string;
  readonly mistakes?: readonly MappingMistake[];
  /** In a conflict (412), the mapping file on the disk; `null` if there is none. */
  readonly saved?: SavedMapping | null;
}

/** A failed request: the server answered with an error, or not at all. */
export class AnswerError extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly answer: Refusal;

  constructor(status: number, answer: Refusal) {
    super(answer.message);
    this.status = status;
    this.answer = answer;
  }
}

interface RequestOptions {
  /** Default: `POST` with a body, else `GET`. */
  readonly method?: 'PUT';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** @throws AnswerError */
export async function ask<K extends keyof RequestBodies>(
  name: K,
  body: RequestBodies[K],
  signal?: AbortSignal,
): Promise<StudioAnswer<K>> {
  return await request(`/api/${name}`, { body, signal });
}

/**
 * Sends a request and returns the JSON of its answer.
 * @throws AnswerError
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  return (await response.json()) as T;
}

/**
 * Starts a job and passes on its lines until it ends.
 * @throws AnswerError
 */
export async function followJob(
  path: string,
  options: RequestOptions,
  onLine: (line: JobLine) => void,
): Promise<void> {
  const { body } = await send(path, options);
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(JSON.parse(line) as JobLine);
  }
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers, signal = null } = options;
  const authorization = `Bearer ${token()}`;
  const response = await fetch(path, {
    method,
    headers: { ...headers, authorization, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw notedRefusal(0, { message: 'The studio does not answer.' });
  });
  if (!response.ok) throw notedRefusal(response.status, (await response.json()) as Refusal);
  noteAnswer(response.status, '');
  return response;
}

function notedRefusal(status: number, answer: Refusal): AnswerError {
  noteAnswer(status, answer.message);
  return new AnswerError(status, answer);
}

/** State of a repeated request. The last answer stays until there is a newer one. */
export interface RequestState<T> {
  readonly answer: T | undefined;
  /** Error of the latest request. */
  readonly refused: AnswerError | undefined;
  readonly waiting: boolean;
}

/**
 * Sends a request again whenever its dependencies or the file change, and aborts the previous one.
 * @param load sends the request; `undefined` while there is nothing to request
 * @param on dependencies, as of `useEffect`
 */
export function useAnswer<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  on: readonly unknown[],
): RequestState<T> {
  const { version } = useServer();
  const [state, setState] = useState<RequestState<T>>(LOADING);
  useEffect(() => {
    if (load === undefined) return;
    const stop = new AbortController();
    setState((before) => ({ ...before, waiting: true }));
    const settle = (settled: Partial<RequestState<T>>): void => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, ...settled, waiting: false }));
    };
    load(stop.signal).then(
      (answer) => settle({ answer, refused: undefined }),
      (error: unknown) => settle({ refused: asRefusal(error) }),
    );
    return () => stop.abort();
  }, [...on, version]);
  return state;
}

const LOADING = { answer: undefined, refused: undefined, waiting: true };

function asRefusal(error: unknown): AnswerError {
  return error instanceof AnswerError ? error : new AnswerError(0, { message: String(error) });
}
