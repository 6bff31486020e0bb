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
 *
 * Fields are compared in the documents that come; reviews that are lost count once, under records.
 */
import { align } from '../guess-score/align.js';
import { rightIds } from '../guess-score/ids.js';
import { PATHS, questionsOf } from './said.js';
import { isRight, toldOf } from './same.js';

/** @typedef {'right' | 'asked' | 'wrong' | 'noted' | 'missing'} Verdict */
/** @typedef {{ field: string, verdict: Verdict, needless?: boolean, lost?: number, by?: string, detail?: string, expected?: unknown, got?: unknown }} Judged */

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
  const questions = questionsOf(guess, truth.fields, textColumnsOf(previewed));
  const judged = scored(truth).map((name) => judge(name, { truth, pairs, questions }));
  const asked = judged.some(({ field, verdict }) => field === 'score' && verdict === 'asked');
  return [
    recordsOf(aligned, questions, judged),
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
    ...(field === 'records' ? { lost: truth.documents.length } : {}),
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
  return follows ? { ...one, verdict: 'asked', by: 'the question about the rating' } : one;
}

/**
 * As align.js takes it.
 * @param {any} document
 */
function viewOf({ text, score, author, language }) {
  return {
    text: text.join(' '),
    score: first(score),
    username: first(author),
    language: first(language),
  };
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
    return { field: name, verdict: 'right', needless: Boolean(asked) && questions.proposed(name) };
  }
  const told = pairs.map(({ document }) => toldOf(name, document));
  const at = same.indexOf(false);
  const wanted = pairs[at]?.expected[name] ?? 'none';
  return {
    field: name,
    verdict: asked ? 'asked' : silent(name, told, questions),
    ...(asked ? { by: asked } : {}),
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
 * @param {readonly import('../../dist/index.js').PreviewedRecord[]} previewed
 * @returns {string[]}
 */
function textColumnsOf(previewed) {
  const rules = previewed.flatMap((one) => one.rules ?? []).filter(({ field }) => field === 'text');
  return [...new Set(rules.flatMap(({ columns }) => Object.keys(columns)))];
}

/** @typedef {{ expected: any, told: any }} Aligned */
/** @type {(one: Aligned) => boolean} */
const isValid = ({ told }) => Boolean(told?.document) && told.problems.length === 0;

/**
 * Reviews that are lost to a field that is asked for are not lost in silence.
 * @param {Aligned[]} aligned
 * @param {ReturnType<typeof questionsOf>} questions
 * @param {readonly Judged[]} judged
 * @returns {Judged}
 */
function recordsOf(aligned, questions, judged) {
  const lost = aligned.filter((one) => one.expected && !one.expected.ignored && !isValid(one));
  const extra = aligned.filter((one) => !one.expected && isValid(one));
  if (lost.length + extra.length <= aligned.length * 0.01) {
    return { field: 'records', verdict: 'right', lost: lost.length };
  }
  const textAsked = judged.some(({ field, verdict }) => field === 'text' && verdict === 'asked');
  /** @type {(one: Aligned) => boolean} */
  const isExplained = ({ told }) =>
    told?.skipped
      ? textAsked
      : told?.problems.some((/** @type {any} */ one) => questions.askedForPath(one.field ?? ''));
  const asked = questions.askedForRecords() || (extra.length === 0 && lost.every(isExplained));
  const reviews = aligned.filter(({ expected }) => expected).length;
  return {
    field: 'records',
    verdict: asked ? 'asked' : 'wrong',
    lost: lost.length,
    detail: lost.map(({ told }) => told?.problems[0]?.message).find(Boolean) ?? '',
    expected: `${reviews} reviews`,
    got: `${aligned.filter(isValid).length} documents, ${lost.length} reviews lost, ${extra.length} that are none`,
  };
}
