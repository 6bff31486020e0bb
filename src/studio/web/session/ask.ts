/** Talks to the studio's server. */
import { useEffect, useState } from 'preact/hooks';
import type { MappingMistake } from '../../../index.js';
import type { RunLine, SavedMapping } from '../../wire.js';

/** The command prints it in the address, whose fragment no request holds. */
const TOKEN = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/** Why the server didn't do what it was asked; status 0: it didn't answer. */
export class AnswerError extends Error {
  readonly status: number;
  readonly mistakes: readonly MappingMistake[];
  /** Of a conflict: what is on the disk. */
  readonly saved: SavedMapping | null;

  constructor(status: number, answer: RefusalAnswer) {
    super(answer.message);
    this.status = status;
    this.mistakes = answer.mistakes ?? [];
    this.saved = answer.saved ?? null;
  }
}

interface RefusalAnswer {
  readonly message: string;
  readonly mistakes?: readonly MappingMistake[];
  readonly saved?: SavedMapping | null;
}

/** What is asked beside a path. */
interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** @throws AnswerError */
export async function ask<T>(path: string, question: Question = {}): Promise<T> {
  const response = await send(path, question);
  return (await response.json()) as T;
}

/**
 * Asks for something that takes long, and hears of it line by line.
 * @throws AnswerError
 */
export async function follow(
  path: string,
  question: Question,
  tell: (line: RunLine) => void,
): Promise<void> {
  const { body } = await send(path, question);
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) tell(JSON.parse(line) as RunLine);
  }
}

async function send(
  path: string,
  { method = 'POST', body, headers = {}, signal }: Question,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new AnswerError(0, { message: STOPPED });
  });
  if (response.ok) return response;
  throw new AnswerError(response.status, (await response.json()) as RefusalAnswer);
}

const STOPPED =
  'The studio does not answer: it may have been stopped. Start it again with the same command, and save this mapping elsewhere if you need it.';

/** The address of a screen of this page. */
export function screenAddress(screen: string): string {
  return `#${new URLSearchParams({ token: TOKEN, screen })}`;
}

/** The screen that the address names. */
export function screenInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('screen') ?? '';
}

/** What is known of an answer. The last one stays until there is another. */
export interface Answered<T> {
  readonly answer: T | undefined;
  /** Why there is no newer one. */
  readonly refused: AnswerError | undefined;
  readonly waiting: boolean;
}

/**
 * Asks again whenever what it depends on changes, and forgets what was asked before.
 * @param load `undefined` while there is nothing to ask
 */
export function useAnswer<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  on: readonly unknown[],
): Answered<T> {
  const [known, setKnown] = useState<Answered<T>>(NOTHING);
  useEffect(() => {
    if (load === undefined) return;
    const stop = new AbortController();
    setKnown((before) => ({ ...before, waiting: true }));
    load(stop.signal).then(
      (answer) => {
        if (!stop.signal.aborted) setKnown({ answer, refused: undefined, waiting: false });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const refused = error instanceof AnswerError ? error : unexpected(error);
        setKnown(({ answer }) => ({ answer, refused, waiting: false }));
      },
    );
    return () => stop.abort();
  }, on);
  return known;
}

const NOTHING = { answer: undefined, refused: undefined, waiting: true };

function unexpected(error: unknown): AnswerError {
  return new AnswerError(0, { message: error instanceof Error ? error.message : String(error) });
}
