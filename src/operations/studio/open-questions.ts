/** Finds the questions that a mapping's text still asks, each with the edits that answer it. */
import { isDeepStrictEqual } from 'node:util';
import type { QuestionAnswer } from '../../guess/rules/draft.js';
import { capital } from '../../guess/write-mapping.js';
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import type { Mapping, Rule } from '../../mapping/mapping.js';
import { mainColumns, ruleColumns } from '../../mapping/rules.js';
import type { MappingMistake } from '../../model/errors.js';
import { sentence } from '../../model/text.js';
import { hashChanges } from './follow-columns.js';
import type { GuessDraft, StudioGuess } from './propose-rule.js';

/** An open question of a mapping's text: a TODO. */
export interface Question {
  /** Dotted name of the field that it is about; `null` if it is about the whole mapping. */
  readonly field: string | null;
  /** The question without the edit in words, as one sentence. */
  readonly ask: string;
  /** As in the text. */
  readonly todo: string;
  /** For the button that only dismisses the TODO. */
  readonly keep: string;
  /** Answers that change the mapping. */
  readonly answers: readonly Answer[];
}

type Answer = Omit<QuestionAnswer, 'changes'> & { readonly changes: readonly MappingChange[] };

/** Finds the TODOs among the mistakes of a text, with the answers to those of the guess. */
export function openQuestions(
  mistakes: readonly MappingMistake[],
  mapping: Mapping,
  guessed: Pick<StudioGuess, 'guess' | 'draft'> | undefined,
): readonly Question[] {
  const todos = mistakes.flatMap(({ message, path }) => {
    const todo = /^TODO: (.*)$/su.exec(message)?.[1];
    return todo === undefined ? [] : [{ todo, path }];
  });
  const known = new Map(guessed?.guess.questions.map((one) => [plain(one.todo), one]));
  return todos.map(({ todo, path }) => {
    const { field = fieldAt(path), ask = todo, answers = [] } = known.get(plain(todo)) ?? {};
    const offered = answers.map((one) => withCurrentId(one, field, mapping, guessed?.draft));
    const ends = { keep: keepText(ask), answers: offered.map(withWholeHash) };
    return { field, ask: capital(sentence(ask)), todo, ...ends };
  });
}

/** An answer about another field changes a hash that was made by hand only in its columns. */
function withCurrentId(
  answer: Answer,
  field: string | null,
  mapping: Mapping,
  draft: GuessDraft | undefined,
): Answer {
  const { sourceId, text } = mapping.document;
  const made = draft?.fields.find(({ path }) => path[0] === 'sourceId')?.rule;
  if (field === 'sourceId' || isDeepStrictEqual(sourceId, made)) return answer;
  const others = answer.changes.filter(({ path }) => path[1] !== 'sourceId');
  const rule = others.find(({ path }) => path[1] === 'text')?.value as Rule | undefined;
  if (rule === undefined || text === undefined) return { ...answer, changes: others };
  const ids = hashChanges(mapping.document, mainColumns(text), mainColumns(rule));
  return { ...answer, changes: [...others, ...ids] };
}

/** Names all columns of the hash that an answer makes. */
function withWholeHash(answer: Answer): Answer {
  const hashes = answer.changes.flatMap(({ path, value }) =>
    path[1] === 'sourceId' ? (Object(value).hash ?? []) : [],
  );
  if (hashes.length === 0 || !answer.label.includes(', use ')) return answer;
  const columns = hashes.flatMap(ruleColumns).map((name: string) => JSON.stringify(name));
  const label = `${answer.label.replace(/, use .*$/su, '')}, make an id of ${columns.join(', ')}`;
  return { ...answer, label };
}

/** Counts the records that stay invalid if nothing changes. */
function keepText(ask: string): string {
  const [, count] = /^(\S+) of \S+ records? (?:is|are) invalid: /u.exec(ask) ?? [];
  if (count === undefined) return 'Keep as it is';
  return `Keep as it is: ${count} ${count === '1' ? 'record stays' : 'records stay'} invalid`;
}

/** Compares a TODO with its lines in the text, which are broken and end in a full stop. */
function plain(todo: string): string {
  return todo.replace(/\s+/gu, ' ').replace(/\.$/u, '');
}

function fieldAt([top, ...steps]: MappingChange['path']): string | null {
  const names = steps.filter((step) => typeof step === 'string');
  return top === 'document' && names.length > 0 ? names.join('.') : null;
}
