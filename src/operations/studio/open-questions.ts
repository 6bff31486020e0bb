/** Finds the questions that a mapping's text still asks, each with the edits that answer it. */
import { isDeepStrictEqual } from 'node:util';
import { dottedName, type GuessQuestion, type QuestionAnswer } from '../../guess/rules/draft.js';
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import type { Rule } from '../../mapping/mapping.js';
import { plainTodo } from '../../mapping/mapping-text.js';
import { fieldKeys, mainColumns } from '../../mapping/rules.js';
import type { MappingMistake } from '../../model/errors.js';
import { capital, sentence } from '../../model/text.js';
import { type GuessDraft, ruleAt, rulesFor, type StudioGuess } from './propose-rule.js';
import type { ReadMappingText } from './sample-source.js';

/** An open question of a mapping's text: a TODO. `ask` is one sentence, without the edit in words. */
export interface Question extends Omit<GuessQuestion, 'answers'> {
  readonly answers: readonly Answer[];
}

type Answer = Omit<QuestionAnswer, 'changes'> & { readonly changes: readonly MappingChange[] };

/** Finds the TODOs among the mistakes of a text, with the answers to those of the guess. */
export function openQuestions(
  mistakes: readonly MappingMistake[],
  reading: ReadMappingText,
  guessed: Pick<StudioGuess, 'guess' | 'draft'> | undefined,
): readonly Question[] {
  const todos = mistakes.flatMap(({ todo, path }) => (todo === undefined ? [] : [{ todo, path }]));
  const known = new Map(guessed?.guess.questions.map((one) => [plainTodo(one.todo), one]));
  return todos.map(({ todo, path }) => {
    const found = known.get(plainTodo(todo));
    const { field = fieldAt(path), ask = todo, answers = [] } = found ?? {};
    const isOfId = guessed === undefined || field === 'sourceId';
    const current = isOfId ? answers : answers.map((one) => currentAnswer(one, reading, guessed));
    return { ...found, field, ask: capital(sentence(ask)), todo, answers: current };
  });
}

/** Adapts an answer of the guess to the text and the id that the mapping has now. */
function currentAnswer(
  answer: Answer,
  reading: ReadMappingText,
  { draft }: Pick<StudioGuess, 'draft'>,
): Answer {
  const isGuessed = (name: string): boolean =>
    isDeepStrictEqual(ruleAt(reading, ['document', name]), guessedRule(draft, name));
  if (isGuessed('text') && isGuessed('sourceId')) return answer;
  const changes = answer.changes.filter(
    ({ path }) => path[1] !== 'sourceId' || isGuessed('sourceId'),
  );
  const kept = { ...answer, changes };
  return isGuessed('text') ? kept : (withCurrentText(answer, reading, draft) ?? kept);
}

/**
 * Makes an answer about the columns of the text one about those that it has now; `undefined` if it
 * isn't about them.
 */
function withCurrentText(
  answer: Answer,
  reading: ReadMappingText,
  draft: GuessDraft,
): Answer | undefined {
  const path = ['document', 'text'];
  const given = answer.changes.find((one) => isDeepStrictEqual(one.path, path))?.value;
  const rules = [guessedRule(draft, 'text'), given as Rule | undefined, ruleAt(reading, path)];
  if (rules.includes(undefined)) return undefined;
  const [before = [], after = [], now = []] = (rules as readonly Rule[]).map(mainColumns);
  const left = now.filter((name) => after.includes(name) || !before.includes(name));
  const added = after.filter((name) => !before.includes(name) && !now.includes(name));
  const columns = isDeepStrictEqual(now, before) ? after : [...left, ...added];
  const { keptRule, readings, alsoFor } = rulesFor(draft, reading, { path, columns });
  const [first] = typeof readings === 'string' ? [] : readings;
  if (columns.length === 0 || first === undefined) return undefined;
  return { ...answer, changes: [{ path, value: keptRule ?? first.rule }, ...alsoFor(first)] };
}

function guessedRule({ fields }: GuessDraft, name: string): Rule | undefined {
  return fields.find((one) => dottedName(one) === name)?.rule;
}

function fieldAt(path: MappingChange['path']): string | null {
  const keys = fieldKeys(path);
  return path[0] === 'document' && keys.length > 0 ? keys.join('.') : null;
}
