import { useEffect, useState } from 'preact/hooks';
import { AnswerError } from './ask.js';

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
