// @ts-check
/**
 * How right a guessed mapping is, unedited: its documents beside the truth, field by field. What each
 * verdict means stands in test/guess/exports/README.md.
 */
import { align } from './align.js';
import { rightIds } from './ids.js';
import { saidBy } from './said.js';
import { FIELDS } from './truth.js';
import { isSame, VALUE_OF } from './values.js';

/** @typedef {import('./truth.js').Field} Field */
/** @typedef {import('./truth.js').Truth} Truth */
/** @typedef {import('./truth.js').TruthRecord} TruthRecord */
/** @typedef {import('./said.js').Said} Said */
/** @typedef {import('../../dist/index.js').Guess} Guess */
/** @typedef {import('../../dist/index.js').PreviewedRecord} PreviewedRecord */
/** @typedef {import('../../dist/model/document.js').ImportedDocument} ImportedDocument */
/** @typedef {{ expected: TruthRecord, document: ImportedDocument, record: PreviewedRecord['record'] }} Pair */
/** @typedef {{ expected: TruthRecord | undefined, told: PreviewedRecord | undefined }} Aligned */

/**
 * `absent` is right, too: nobody has the field. `unscored` counts nowhere.
 * @typedef {'right' | 'absent' | 'silently wrong' | 'flagged' | 'unscored'} Verdict
 */
/**
 * `needless`: the rule is right, and somebody is asked to look all the same.
 * @typedef {{ field: Field, verdict: Verdict, detail: string, needless?: boolean }} Scored
 */

/** Share of the records that have to agree. */
const ENOUGH = 0.99;
const NAMES = /** @type {Field[]} */ (Object.keys(FIELDS));

/**
 * @param {Truth} truth
 * @param {Guess} guess
 * @param {readonly PreviewedRecord[]} previewed what the guessed mapping makes of each record, in order
 * @returns {Scored[]} one for each field
 */
export function scoreGuess(truth, guess, previewed) {
  const aligned = align(truth.records, previewed);
  const pairs = aligned.flatMap(pairOf);
  const said = saidBy(guess);
  return NAMES.map((field) => {
    if (truth.unscored[field]) return { field, verdict: 'unscored', detail: '' };
    if (field === 'records') return recordsOf(aligned, said);
    return scoreField(field, { truth, pairs, said });
  });
}

/**
 * Nothing is silent about a guess that ends with an error.
 * @param {Truth} truth
 * @returns {Scored[]}
 */
export function scoreFailure(truth) {
  return NAMES.map((field) => ({
    field,
    verdict: truth.unscored[field] ? 'unscored' : 'flagged',
    detail: '',
  }));
}

/**
 * @param {Aligned} aligned
 * @returns {Pair[]} none unless a document should come, and has come, of the record
 */
function pairOf({ expected, told }) {
  if (!expected || expected.doc === false || !told?.document) return [];
  return [{ expected, document: told.document, record: told.record }];
}

/**
 * @param {Field} field
 * @param {{ truth: Truth, pairs: Pair[], said: Said }} known
 * @returns {Scored}
 */
function scoreField(field, { truth, pairs, said }) {
  const { right, absent, detail } = compare(
    /** @type {Exclude<Field, 'records'>} */ (field),
    truth,
    pairs,
  );
  const open = truth.ambiguous[field];
  if (open)
    return {
      field,
      verdict: scoreOpen(field, { open, right, said }),
      detail: `ambiguous; ${detail}`,
    };
  const proposed = said.proposed(field);
  if (right && absent && !proposed) return { field, verdict: 'absent', detail };
  if (right) return { field, verdict: 'right', detail, needless: proposed && said.flagged(field) };
  return { field, verdict: said.flagged(field) ? 'flagged' : 'silently wrong', detail };
}

/**
 * Where the file doesn't say, a TODO is right; leaving it out is, unless the truth wants it proposed.
 * @param {Field} field
 * @param {{ open: string | { why: string, proposed: boolean }, right: boolean, said: Said }} known
 * @returns {Verdict}
 */
function scoreOpen(field, { open, right, said }) {
  const wanted = typeof open === 'object' && open.proposed;
  if (said.proposed(field) && !said.flagged(field)) return 'silently wrong';
  if (!wanted) return 'right';
  if (said.proposed(field)) return right ? 'right' : 'flagged';
  return said.flagged(field) ? 'flagged' : 'silently wrong';
}

/**
 * @param {Exclude<Field, 'records'>} field
 * @param {Truth} truth
 * @param {readonly Pair[]} pairs
 */
function compare(field, truth, pairs) {
  const told = pairs.map(({ document }) => VALUE_OF[field](document));
  const same =
    field === 'sourceId'
      ? rightIds(truth.sourceId, pairs)
      : pairs.map(({ expected }, at) => isSame(field, told[at], expected[field]));
  const wrong = same.indexOf(false);
  const detail =
    wrong < 0 ? '' : `${JSON.stringify(told[wrong])} for ${wanted(pairs[wrong], field)}`;
  return {
    right: isEnough(same),
    absent: told.every((value) => value === undefined),
    detail: `${same.filter(Boolean).length} of ${same.length} ${detail}`.trim(),
  };
}

/**
 * @param {Pair | undefined} pair
 * @param {Exclude<Field, 'records'>} field
 */
function wanted(pair, field) {
  const expected = pair?.expected[field];
  return expected === undefined
    ? field === 'sourceId'
      ? 'a hash'
      : 'none'
    : JSON.stringify(expected);
}

/**
 * @param {readonly boolean[]} same
 */
function isEnough(same) {
  return same.length > 0 && same.filter(Boolean).length >= ENOUGH * same.length;
}

/**
 * Whether documents come of the records of which they should, and of no others. A record that is lost
 * to a field which the guess asks somebody to look at is not lost in silence.
 * @param {readonly Aligned[]} aligned
 * @param {Said} said
 * @returns {Scored}
 */
function recordsOf(aligned, said) {
  const wrong = aligned.filter((one) => isLost(one) || isExtra(one));
  const silent = wrong.filter((one) => !isExplained(one, said));
  const bound = (1 - ENOUGH) * aligned.length;
  const verdict =
    wrong.length <= bound ? 'right' : silent.length <= bound ? 'flagged' : 'silently wrong';
  const why = silent.flatMap(({ told }) => told?.problems.map(({ message }) => message) ?? [])[0];
  return {
    field: 'records',
    verdict,
    detail: `${wrong.length} of ${aligned.length} lost or too many${why ? `: ${why}` : ''}`,
  };
}

/** @param {Aligned} one */
const isValid = ({ told }) => Boolean(told?.document) && told?.problems.length === 0;
/** @param {Aligned} one */
const isLost = (one) =>
  one.expected !== undefined && one.expected.doc === undefined && !isValid(one);
/** @param {Aligned} one */
const isExtra = (one) => (one.expected === undefined || one.expected.doc === false) && isValid(one);

/**
 * @param {Aligned} one
 * @param {Said} said
 */
function isExplained({ told }, said) {
  const fields = told?.problems.map(({ field }) => field) ?? [];
  if (told?.skipped) return said.flaggedPath('text') || said.flaggedPath('skip');
  return fields.length > 0 && fields.every((field) => field !== null && said.flaggedPath(field));
}
