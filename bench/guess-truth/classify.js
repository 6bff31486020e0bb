// @ts-check
/**
 * Compares what a guessed mapping makes of an export with its truth. Each field gets one verdict:
 *
 * - right: every document has the value that the truth gives (one in a hundred may differ; of a
 *   language that nothing states, one in twenty), or the file has no such thing and neither has the guess;
 * - asked: it isn't, and a question (a TODO, low confidence, a column left out for it) names the
 *   field or a column that is right for it; a sentiment that follows from a rating inherits its question;
 * - wrong: it isn't, and nobody is told;
 * - noted: the file has it, the guess leaves it out and says that the file doesn't have it, or ends with an error;
 * - missing: the file has it, the guess leaves it out and says nothing.
 */
import { align } from '../guess-score/align.js';
import { rightIds } from '../guess-score/ids.js';
import { PATHS, questionsOf } from './said.js';
import { isRight, toldOf } from './same.js';

/** @typedef {'right' | 'asked' | 'wrong' | 'noted' | 'missing'} Verdict */
/** @typedef {{ field: string, verdict: Verdict, needless?: boolean, detail?: string, expected?: unknown, got?: unknown }} Judged */

const NAMES = /** @type {(keyof typeof PATHS)[]} */ (Object.keys(PATHS));
export const FIELDS = ['records', ...NAMES];

/**
 * @param {any} truth
 * @param {import('../../dist/index.js').Guess} guess
 * @param {readonly import('../../dist/index.js').PreviewedRecord[]} previewed
 * @returns {Judged[]}
 */
export function classify(truth, guess, previewed) {
  const views = truth.documents.map(viewOf);
  const aligned = align(views, previewed).map(({ expected, told }) => ({
    expected: truth.documents[views.indexOf(expected)],
    told,
  }));
  const pairs = aligned.flatMap(({ expected, told }) =>
    expected && !expected.ignored && told?.document
      ? [{ expected, document: told.document, record: told.record }]
      : [],
  );
  const questions = questionsOf(guess, truth.fields);
  const judged = scored(truth).map((name) => judge(name, { truth, pairs, questions }));
  const asked = judged.some(({ field, verdict }) => field === 'score' && verdict === 'asked');
  return [
    recordsOf(aligned, questions),
    ...judged.map((one) => (asked ? inherited(one, truth) : one)),
  ];
}

/**
 * A guess that ends with an error is not silent.
 * @param {any} truth
 * @param {string} failure
 * @returns {Judged[]}
 */
export function classifyFailure(truth, failure) {
  return ['records', ...scored(truth)].map((field) => ({
    field,
    verdict: truth.fields[field]?.none ? 'right' : 'noted',
    detail: failure,
  }));
}

/** @param {any} truth */
const scored = (truth) =>
  NAMES.filter(
    (name) => !truth.fields[name].unscored && !(name === 'subject' && truth.fields.subject.none),
  );

/**
 * @param {Judged} one
 * @param {any} truth
 * @returns {Judged}
 */
function inherited(one, truth) {
  const follows =
    one.field === 'sentiment' && one.verdict !== 'right' && truth.fields.sentiment.derived;
  return follows ? { ...one, verdict: 'asked' } : one;
}

/**
 * As align.js takes it.
 * @param {any} document
 */
function viewOf({ text, score, author, language }) {
  return { text: text.join(' '), score: first(score), username: first(author), language };
}

/** @param {any} expected */
const first = (expected) =>
  typeof expected === 'object'
    ? expected.oneOf.find((/** @type {unknown} */ one) => one !== null)
    : expected;

/**
 * @param {keyof typeof PATHS} name
 * @param {{ truth: any, pairs: any[], questions: ReturnType<typeof questionsOf> }} known
 * @returns {Judged}
 */
function judge(name, { truth, pairs, questions }) {
  const field = truth.fields[name];
  const same =
    name === 'sourceId'
      ? idsOf(field, pairs)
      : pairs.map(({ document, expected }) => isRight(name, document, expected, field));
  const wrong = same.filter((one) => !one).length;
  const asked = questions.asked(name);
  if (isEnough(same.length, wrong, { name, field })) {
    return { field: name, verdict: 'right', needless: asked && questions.proposed(name) };
  }
  const told = pairs.map(({ document }) => toldOf(name, document));
  const at = same.indexOf(false);
  const wanted = pairs[at]?.expected[name] ?? 'none';
  return {
    field: name,
    verdict: asked ? 'asked' : silent(name, told, questions),
    detail: `${wrong} of ${same.length} differ`,
    expected: name === 'sourceId' && field.kind === 'made' ? 'a hash for each review' : wanted,
    got: told[at] ?? 'none',
  };
}

/**
 * @param {number} all
 * @param {number} wrong
 * @param {{ name: string, field: any }} known
 */
function isEnough(all, wrong, { name, field }) {
  if (all === 0) return Boolean(field.none);
  return wrong <= all * (name === 'language' && !field.columns ? 0.05 : 0.01);
}

/**
 * @param {keyof typeof PATHS} name
 * @param {readonly unknown[]} told
 * @param {ReturnType<typeof questionsOf>} questions
 * @returns {Verdict}
 */
function silent(name, told, questions) {
  if (name !== 'subject' && told.some((value) => value !== undefined)) return 'wrong';
  return questions.noted(name) ? 'noted' : 'missing';
}

/**
 * @param {any} field
 * @param {any[]} pairs
 * @returns {boolean[]}
 */
function idsOf({ kind }, pairs) {
  if (kind === 'unique') {
    const ids = pairs.map(({ document }) => document.sourceId);
    return ids.map((id) => id !== undefined && ids.indexOf(id) === ids.lastIndexOf(id));
  }
  if (kind !== 'either') return rightIds(kind === 'column' ? 'column' : 'hash', pairs);
  const column = rightIds('column', pairs);
  return column.every(Boolean) ? column : rightIds('hash', pairs);
}

/**
 * @param {{ expected: any, told: any }[]} aligned
 * @param {ReturnType<typeof questionsOf>} questions
 * @returns {Judged}
 */
function recordsOf(aligned, questions) {
  const isValid = (/** @type {any} */ told) =>
    Boolean(told?.document) && told.problems.length === 0;
  const lost = aligned.filter(
    ({ expected, told }) => expected && !expected.ignored && !isValid(told),
  );
  const extra = aligned.filter(({ expected, told }) => !expected && isValid(told));
  if (lost.length + extra.length <= aligned.length * 0.01)
    return { field: 'records', verdict: 'right' };
  const paths = lost.map(({ told }) => told?.problems[0]?.field ?? null);
  const valid = aligned.filter(({ told }) => isValid(told)).length;
  return {
    field: 'records',
    verdict: questions.askedForRecords(extra.length > 0 ? [] : paths) ? 'asked' : 'wrong',
    detail: lost.map(({ told }) => told?.problems[0]?.message).find(Boolean) ?? '',
    expected: `${aligned.filter(({ expected }) => expected).length} reviews`,
    got: `${valid} documents, ${lost.length} reviews lost, ${extra.length} that are none`,
  };
}
