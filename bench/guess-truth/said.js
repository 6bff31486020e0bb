// @ts-check
/** What a guess says about a field: whether it proposes a rule, asks somebody to look, or calls the field missing. */
import { saidBy } from '../guess-score/said.js';

/** @typedef {import('./same.js').Fields} Fields */
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
 * @param {readonly string[]} textColumns those that the guess takes for the text
 */
export function questionsOf(guess, truth, textColumns) {
  const { missing, leftOut, todos, fields } = guess;
  const said = saidBy(guess);
  /** @type {(path: string) => (typeof fields)[number][]} */
  const rules = (path) => fields.filter(({ field }) => `${field}.`.startsWith(`${path}.`));
  const asking = [...todos, ...fields.flatMap(({ todo }) => todo ?? [])];
  /** @type {(column: string) => boolean} */
  const isNamed = (column) => asking.some((question) => names(question, column));
  /** @type {(column: string) => boolean} */
  const isDoubted = (column) => leftOut.some((one) => isSameColumn(one, column));

  /** How a question names the field or a column that is right for it. */
  /** @type {(name: keyof Fields) => string | undefined} */
  const asked = (name) => {
    const path = PATHS[name];
    const word = new RegExp(`\\b${path.split('.').at(-1)}\\b`, 'u');
    if (rules(path).some(({ todo, confidence }) => todo || confidence === 'low')) return 'its rule';
    if (todos.some((todo) => word.test(todo))) return 'a question about it';
    const columns = (truth[name].columns ?? []).filter(Boolean);
    // Of a text every part that is lacking has to be asked for.
    const lacking = columns.filter((one) => !textColumns.some((used) => isSameColumn(used, one)));
    const enough = (/** @type {(column: string) => boolean} */ told) =>
      name === 'text' ? lacking.length > 0 && lacking.every(told) : columns.some(told);
    if (enough(isNamed)) return 'a question about its column';
    return enough((column) => isNamed(column) || isDoubted(column))
      ? 'its column named as not used'
      : undefined;
  };
  return {
    asked,
    proposed: (/** @type {keyof Fields} */ name) => rules(PATHS[name]).length > 0,
    noted: (/** @type {keyof Fields} */ name) =>
      missing.includes(PATHS[name]) ||
      (rules(PATHS[name]).length === 0 && said.flaggedPath(PATHS[name])),
    /** A question about how many reviews the file holds, or where. */
    askedForRecords: () =>
      todos.some((todo) =>
        /\b(?:lists?|records|lines|rows|sheets?|objects|elements)\b/u.test(todo),
      ),
    /** A question about a field that makes records invalid. */
    askedForPath: (/** @type {string} */ path) => rules(path).some(({ todo }) => todo),
  };
}

/** `column` may be told by its path within an element of a list. */
/** @type {(told: string, column: string) => boolean} */
const isSameColumn = (told, column) => told === column || told.endsWith(`].${column}`);

/** @type {(question: string, column: string) => boolean} */
const names = (question, column) =>
  question.includes(`"${column}"`) || question.includes(`].${column}"`);
