// @ts-check
/** What a guess says about a field: whether it proposes a rule, asks somebody to look, or calls the field missing. */
import { saidBy } from '../guess-score/said.js';

/** @typedef {import('../guess-exports/truth.js').Fields} Fields */
/** @typedef {import('../../dist/index.js').Guess} Guess */

/** What docferry calls each field of the truth. */
export const PATHS = /** @type {const} */ ({
  text: 'text',
  score: 'metrics.score',
  published: 'published',
  author: 'author.username',
  sourceId: 'sourceId',
  url: 'url',
  sentiment: 'sentiment',
  language: 'language',
  subject: 'author.annotations',
});

/**
 * @param {Guess} guess
 * @param {Fields} truth
 */
export function questionsOf(guess, truth) {
  const { missing, leftOut, todos, fields } = guess;
  const said = saidBy(guess);
  /** @type {(path: string) => (typeof fields)[number][]} */
  const rules = (path) => fields.filter(({ field }) => `${field}.`.startsWith(`${path}.`));
  const asking = [...todos, ...fields.flatMap(({ todo }) => todo ?? [])];
  /** A question that names the field, or a column that is right for it. */
  /** @type {(name: keyof Fields) => boolean} */
  const asked = (name) => {
    const path = PATHS[name];
    if (rules(path).some(({ todo, confidence }) => todo || confidence === 'low')) return true;
    const columns = (truth[name].columns ?? []).filter(Boolean);
    if (
      leftOut.some(
        ({ column, fields: doubted }) =>
          doubted.some((one) => one === path) || isOneOf(column, columns),
      )
    ) {
      return true;
    }
    const word = new RegExp(`\\b${path.split('.').at(-1)}\\b`, 'u');
    return (
      asking.some((question) => columns.some((column) => names(question, column))) ||
      todos.some((todo) => word.test(todo))
    );
  };
  return {
    asked,
    proposed: (/** @type {keyof Fields} */ name) => rules(PATHS[name]).length > 0,
    noted: (/** @type {keyof Fields} */ name) =>
      missing.includes(PATHS[name]) ||
      (rules(PATHS[name]).length === 0 && said.flaggedPath(PATHS[name])),
    /** Whether a question is about how many reviews the file holds, or where. */
    askedForRecords: (/** @type {readonly (string | null)[]} */ lost) =>
      todos.some((todo) =>
        /\b(?:lists?|records|lines|rows|sheets?|objects|elements)\b/u.test(todo),
      ) ||
      (lost.length > 0 &&
        lost.every((path) => path !== null && rules(path).some(({ todo }) => todo))),
  };
}

/** The end of a path; a question with a full stop is none. */
/** @type {(column: string) => string} */
const last = (column) => (/\s/u.test(column) ? column : (column.split('.').at(-1) ?? column));

/** @type {(column: string, columns: readonly string[]) => boolean} */
const isOneOf = (column, columns) =>
  columns.some((one) => one === column || last(one) === last(column));

/** @type {(question: string, column: string) => boolean} */
const names = (question, column) =>
  [column, last(column)].some(
    (one) => question.includes(`"${one}"`) || question.includes(`.${one}"`),
  );
