/** Makes the pending edits one after the other, each to the text that the one before left. */
import { useEffect } from 'preact/hooks';
import type { SentBody } from '../../requests.js';
import { AnswerError, ask } from './ask.js';
import { type EditOf, type EditOutcome, type History, withOutcome } from './history.js';
import { isAboutServer, useServer } from './server.js';

export interface EditContext {
  /** Texts as parsed, to which those of the edits are added. */
  readonly parsed: Map<string, unknown>;
  /** The record to show with an edit, and the day from which its dates count back. */
  readonly about: Pick<SentBody<'edit'>, 'record' | 'asOf'>;
}

/**
 * Requests are not aborted, and made again once a server that stopped is back: the history takes the
 * outcome of an edit that is still the next for its text, and no other.
 */
export function useEdits(
  { text, pending: [edit] }: History,
  context: EditContext,
  step: (to: (history: History) => History) => void,
): void {
  const { version } = useServer();
  useEffect(() => {
    if (text === undefined || edit === undefined) return;
    const take = (outcome: EditOutcome) =>
      step((history) => withOutcome(history, { edit, text }, outcome));
    makeEdit(edit, text, context).then(take, (error: Error) => {
      const isWaiting = error instanceof AnswerError && isAboutServer(error.status);
      if (!isWaiting) take({ failure: error.message });
    });
  }, [text, edit, version]);
}

async function makeEdit(edit: EditOf, text: string, { parsed, about }: EditContext) {
  const read = async () => parsed.get(text) ?? (await ask('edit', { text })).written;
  const { shown: _, ...body } = typeof edit === 'function' ? edit(await read()) : edit;
  const answer = await ask('edit', { text, ...about, ...body });
  parsed.set(answer.text, answer.written);
  return answer;
}
