/** Finds the questions that a mapping's text still asks, each with the edits that answer it. */
import { questionsAbout } from '../../guess/questions.js';
import { type DraftField, type QuestionAnswer, without } from '../../guess/rules/draft.js';
import { textColumns, textFields, withText } from '../../guess/rules/text-rule.js';
import { capital } from '../../guess/write-mapping.js';
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import type { Mapping } from '../../mapping/mapping.js';
import { mainColumns } from '../../mapping/rules.js';
import type { MappingMistake } from '../../model/errors.js';
import { sentence } from '../../model/text.js';
import type { GuessDraft, StudioGuess } from './propose-rule.js';

/** An open question of a mapping's text: a TODO. */
export interface Question {
  /** Dotted name of the field that it is about; `null` if it is about the whole mapping. */
  readonly field: string | null;
  /** The question without the edit in words, as one sentence. */
  readonly ask: string;
  /** The TODOs that ask it, as in the text. */
  readonly todos: readonly string[];
  /** Answers that change the mapping. To keep it as it is, dismiss the TODO. */
  readonly answers: readonly QuestionAnswer[];
}

/**
 * Finds the TODOs among the mistakes of a text, with the answers to those of the guess, and to those
 * that are asked again about the text's columns.
 */
export function openQuestions(
  mistakes: readonly MappingMistake[],
  { document: { text } }: Mapping,
  guessed: Pick<StudioGuess, 'guess' | 'draft'> | undefined,
): readonly Question[] {
  const todos = mistakes.flatMap(({ message, path }) => {
    const todo = /^TODO: (.*)$/su.exec(message)?.[1];
    return todo === undefined ? [] : [{ todo, path }];
  });
  const known = new Map(guessed?.guess.questions.map((one) => [plain(one.todo), one]));
  const isOther = todos.some(({ todo, path }) => path[1] === 'text' && !known.has(plain(todo)));
  if (isOther && guessed !== undefined && text !== undefined) {
    const { questions = [] } = textField(guessed.draft, mainColumns(text)) ?? {};
    for (const one of questions) known.set(plain(one.todo), one);
  }
  return todos.map(({ todo, path }) => {
    const { field = fieldAt(path), ask = todo, answers = [] } = known.get(plain(todo)) ?? {};
    return { field, ask: capital(sentence(ask)), todos: [todo], answers };
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

/** Makes the text of these columns as a guess would, with its questions. */
export function textField(draft: GuessDraft, columns: readonly string[]): DraftField | undefined {
  const { context } = draft;
  const own = textColumns(context);
  const chosen = columns.flatMap(
    (name) => context.profiles.find((profile) => profile.name === name) ?? [],
  );
  const left = own.filter((profile) => !chosen.includes(profile));
  const isPart = chosen.every((profile) => own.includes(profile));
  const changed = isPart ? without(context, left) : withText(context, chosen);
  const [field] = textFields(changed);
  return field && { ...field, ...questionsAbout(field, { ...draft, context: changed }) };
}
