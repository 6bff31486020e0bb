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
import { type GuessDraft, proposeRule, type StudioGuess } from './propose-rule.js';
import { withColumns } from './rule-parts.js';

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
    const offered = answers.map((one) => {
      const current = withCurrentText(one, mapping, guessed?.draft);
      return current ?? withCurrentId(one, field, mapping, guessed?.draft);
    });
    const ends = { keep: keepText(ask), answers: offered.map(withWholeHash) };
    return { field, ask: capital(sentence(ask)), todo, ...ends };
  });
}

/**
 * Makes an answer about the columns of the text one about those that it has now, which other answers
 * may have changed; `undefined` if they are as guessed.
 */
function withCurrentText(
  answer: Answer,
  mapping: Mapping,
  draft: GuessDraft | undefined,
): Answer | undefined {
  const { text } = mapping.document;
  const made = draft?.fields.find(({ path }) => path[0] === 'text')?.rule;
  const given = answer.changes.find(({ path }) => path[1] === 'text' && path.length === 2)?.value;
  const isCurrent = text === undefined || isDeepStrictEqual(text, made);
  if (draft === undefined || made === undefined || given === undefined || isCurrent) return;
  const [before, after, now] = [made, given as Rule, text].map(mainColumns) as [
    ...[readonly string[], readonly string[], readonly string[]],
  ];
  const left = now.filter((name) => after.includes(name) || !before.includes(name));
  const added = after.filter((name) => !before.includes(name) && !now.includes(name));
  const columns = [...left, ...added];
  const { rule, also } = proposeRule(draft, mapping, { field: 'text', columns });
  if (columns.length === 0 || rule === null) return;
  const value = withColumns(text, columns) ?? rule;
  return { ...answer, changes: [{ path: ['document', 'text'], value }, ...also] };
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
