/** Finds the questions that a mapping's text still asks, each with the edits that answer it. */
import type { GuessQuestion, QuestionAnswer } from '../../guess/rules/draft.js';
import { capital } from '../../guess/write-mapping.js';
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import type { MappingMistake } from '../../model/errors.js';
import { sentence } from '../../model/text.js';

/** An open question of a mapping's text: a TODO. */
export interface Question {
  /** Dotted name of the field that it is about; `null` if it is about the whole mapping. */
  readonly field: string | null;
  /** The question without the edit in words, as one sentence. */
  readonly ask: string;
  /** Line of the TODO in the text, from 1. */
  readonly line: number;
  /** Answers that change the mapping. To keep it as it is, dismiss the TODO. */
  readonly answers: readonly QuestionAnswer[];
}

/** Finds the TODOs among the mistakes of a text, with the answers to those of the guess. */
export function openQuestions(
  mistakes: readonly MappingMistake[],
  guessed: readonly GuessQuestion[],
): readonly Question[] {
  const known = new Map(guessed.map((one) => [plain(one.todo), one]));
  return mistakes.flatMap(({ message, line, path }) => {
    const todo = /^TODO: (.*)$/su.exec(message)?.[1];
    if (todo === undefined) return [];
    const { field = fieldAt(path), ask = todo, answers = [] } = known.get(plain(todo)) ?? {};
    return { field, ask: capital(sentence(ask)), line, answers };
  });
}

/** Compares a TODO with its lines in the text, which are broken and end in a full stop. */
function plain(todo: string): string {
  return todo.replace(/\s+/gu, ' ').replace(/\.$/u, '');
}

function fieldAt([top, ...steps]: MappingChange['path']): string | null {
  const names = steps.filter((step) => typeof step === 'string');
  return top === 'document' && names.length > 0 ? names.join('.') : null;
}
