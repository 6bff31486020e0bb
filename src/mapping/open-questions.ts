/** The questions that a mapping leaves open: its TODO comments, found when it is read. */
import type { OpenQuestion } from '../model/errors.js';
import { count } from '../model/figures.js';
import { excerpt } from '../model/text.js';
import type { Todo } from './mapping-text.js';

/** By mapping, as written and as loaded: a mapping itself is plain data. */
const known = new WeakMap<object, readonly OpenQuestion[]>();

export function storeOpenQuestions(mapping: object, questions: readonly OpenQuestion[]): void {
  known.set(mapping, questions);
}

/** Returns the open questions, in the text's order; none of a mapping that came as an object. */
export function openQuestions(mapping: object): readonly OpenQuestion[] {
  return known.get(mapping) ?? [];
}

export function questionsOf(todos: readonly Todo[]): readonly OpenQuestion[] {
  return todos.map(({ line, text }) => ({ line, text }));
}

const MAX_NAMED = 4;
const MAX_LENGTH = 60;

/**
 * Counts the open questions, and names the first.
 * @param name of the mapping's file, or of the mapping
 */
export function openQuestionsText(name: string, questions: readonly OpenQuestion[]): string {
  const named = questions.slice(0, MAX_NAMED).map(({ line, text }) => {
    return `“${excerpt(text.replace(/[.?]$/u, ''), MAX_LENGTH)}” (line ${line})`;
  });
  const more = questions.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `${name} leaves ${count(questions.length, 'question')} open: ${all}.`;
}
