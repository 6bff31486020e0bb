/** Tries a draft on its own sample, chooses its profile, and marks fields that fail. */
import { isDeepStrictEqual } from 'node:util';
import { formatOf } from '../formats/formats.js';
import { parseMapping } from '../mapping/load/load-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import { ruleColumns } from '../mapping/rules.js';
import type { Layout } from '../model/chunk.js';
import { SourceError } from '../model/errors.js';
import { count } from '../model/figures.js';
import { type Checked, checkGuess, filledCount, NAME } from './check-sample.js';
import type { Draft } from './draft-mapping.js';
import { keepValid, readableOnly } from './keep-valid.js';
import { type Doubt, findDoubts } from './plausibility.js';
import { questionsAbout } from './questions.js';
import { repairQuestions } from './repairs.js';
import {
  type DraftField,
  dottedName,
  FIELDS,
  type FieldChoice,
  sharePercent,
} from './rules/draft.js';
import { shiftedRemarks } from './rules/shifted-rows.js';
import { harmTest } from './try-answers.js';
import { blankText } from './unfilled-questions.js';
import { writeMapping } from './write-mapping.js';

/** A draft with the result of trying it, and its questions in words. */
export interface VerifiedDraft {
  readonly draft: Draft;
  readonly checked: Checked;
  readonly mapping: Mapping;
  readonly text: string;
}

/** Share of records that a field's rule may fail on without a TODO. */
const MAX_FAILED_SHARE = 0.005;

/**
 * Tries a draft on its sample.
 * @throws SourceError if the sample has no records, or no column for a document
 */
export function verifyDraft(draft: Draft): VerifiedDraft {
  const { sample } = draft;
  if (sample.records.length === 0) {
    const problem = `${sample.source} has no readable records, so there is nothing to guess from.`;
    throw new SourceError([problem, ...sample.remarks].join('\n'));
  }
  if (draft.fields.length === 0) {
    throw new SourceError([noReview(draft), ...sample.remarks].join('\n'));
  }
  const { draft: kept, checked: first } = keepValid(draft);
  const profile = first.complete > 0.995 && first.valid > 0 ? 'complete' : 'minimal';
  const remarks = [...kept.sample.remarks, ...shiftedRemarks(first.shifted)];
  const said = { ...kept, sample: { ...sample, remarks } };
  const settled = withQuestions({ ...said, profile, ...withDoubts(kept, first) });
  const text = writeMapping(settled);
  const mapping = parseMapping(text, NAME);
  // The complete profile may refuse some documents; otherwise nothing has changed.
  const isSame = profile === 'minimal' || first.complete === 1;
  return { draft: settled, text, mapping, checked: isSame ? first : checkGuess(mapping, sample) };
}

function noReview({ sample: { source, layout }, context }: Draft): string {
  const problem = `${source} has no column that looks like part of a review`;
  const blank = blankText(context);
  if (blank !== undefined) return `${problem}: ${blank}. Export it again with the texts.`;
  return `${problem}. Check ${whatToCheck(layout)}, or write a mapping by hand.`;
}

/** Names what may be wrong in how a file was read, as far as its format has that. */
function whatToCheck(layout: Layout): string {
  if (layout.dialect !== undefined) return 'its delimiter and header';
  if (layout.columns !== undefined) return 'its sheet and header';
  return formatOf(layout).text === undefined ? 'that it is the right input' : '--records';
}

/** Words the questions about each field; a doubt without a remedy is a remark. */
function withQuestions(draft: Draft): Draft {
  const isHarmful = harmTest(draft);
  const asked = draft.fields.map((field) => questionsAbout(field, draft, isHarmful));
  const others = draft.questions.filter(
    ({ answers }) => !answers.some(({ changes }) => isHarmful(changes)),
  );
  const questions = [...repairQuestions(draft.context, draft.fields), ...others];
  const fields = draft.fields.map((field, at) => ({
    ...field,
    questions: asked[at]?.questions ?? [],
  }));
  const remarks = [...draft.sample.remarks, ...asked.flatMap((one) => one.remarks)];
  return { ...draft, fields, questions, sample: { ...draft.sample, remarks } };
}

/** Makes fields low that fail or whose documents look odd. */
function withDoubts(draft: Draft, checked: Checked): Pick<Draft, 'fields'> {
  const found = [...clashDoubts(checked), ...findDoubts(checked)];
  const marked = draft.fields.map((field): DraftField => {
    // Documents don't tell the tags of one column from those of another.
    const isOneOf = field.path[0] === 'tags' && draft.fields.some(({ path }) => path[1] === '1');
    const capped = isOneOf ? field : cappedField(field, checked);
    const isRepeats = field.repeats === checked.repeated && checked.repeated > 0;
    const own = found.filter((doubt) => doubt.field === dottedName(field) && !isRepeats);
    const failed = failureChoices(field, draft.fields, checked);
    if (isRepeats && failed.length === 0)
      return { ...capped, evidence: `${capped.evidence}; ${repeatsText(checked)}` };
    if (own.length + failed.length === 0) return capped;
    const doubts = [...(capped.doubts ?? []), ...own.map(({ reason }) => reason)];
    const choices = [...(capped.choices ?? []), ...failed];
    return { ...capped, confidence: 'low', doubts, choices };
  });
  return { fields: lowerSentiment(marked) };
}

function repeatsText({ repeated }: Checked): string {
  return `${count(repeated, 'record')} ${repeated === 1 ? 'repeats' : 'repeat'} an earlier one, but for what is about the export`;
}

/** Asks about a rule that fails on many records, once if others fail on the same values. */
function failureChoices(
  field: DraftField,
  fields: readonly DraftField[],
  { failures, read }: Checked,
): readonly FieldChoice[] {
  const failure = failures.get(dottedName(field));
  if (failure === undefined || failure.count <= read * MAX_FAILED_SHARE) return [];
  // A record without a text isn't a review.
  if (field.path[0] === 'text') return [];
  const same = fields.filter((one) => isDeepStrictEqual(failures.get(dottedName(one)), failure));
  if (same.at(-1) !== field) return [];
  const isOne = failure.count === 1;
  return [
    {
      ask: `${failure.count} of ${count(read, 'record')} ${isOne ? 'is' : 'are'} invalid: ${failure.message}`,
      when: `To import ${isOne ? 'it' : 'them'} without ${new Intl.ListFormat('en-GB').format(same.map(dottedName))}`,
      change: {
        edits: same.map((one) => ({
          path: ['document', ...one.path],
          value: readableOnly(one.rule),
        })),
      },
    },
  ];
}

/** Doubts an id that reviews share. */
function clashDoubts({ clashes, read }: Checked): readonly Doubt[] {
  if (clashes <= read * MAX_FAILED_SHARE) return [];
  const reason = `${sharePercent(clashes / read)} of the records share it with a record of different content`;
  return [{ field: 'sourceId', reason }];
}

/** Minimum shares of documents: with less, a field isn't high, and a usual field is low. */
const MIN_HIGH = 0.9;
const MIN_USUAL = 0.5;

/** Lowers the confidence in a rule that fills a field in some documents only. */
function cappedField(field: DraftField, { documents }: Checked): DraftField {
  const share = filledCount({ documents }, field.path) / Math.max(1, documents.length);
  if (share >= MIN_HIGH || documents.length === 0) return field;
  const low = share < MIN_USUAL && FIELDS[dottedName(field)]?.isUsual === true;
  const confidence = low ? 'low' : field.confidence === 'high' ? 'medium' : field.confidence;
  const fills = `it fills ${sharePercent(share)} of the documents`;
  const doubts = [...(field.doubts ?? []), ...(low ? [fills] : [])];
  return { ...field, confidence, evidence: `${field.evidence}; ${fills}`, doubts };
}

/** Makes a sentiment that follows from a doubtful score low. */
function lowerSentiment(fields: readonly DraftField[]): readonly DraftField[] {
  const score = fields.find((field) => dottedName(field) === 'metrics.score');
  if (score === undefined || (score.confidence !== 'low' && !isAsked(score))) return fields;
  const columns = ruleColumns(score.rule).join('\n');
  return fields.map((field) =>
    field.path[0] === 'sentiment' && ruleColumns(field.rule).join('\n') === columns
      ? { ...field, confidence: 'low' }
      : field,
  );
}

function isAsked({ doubts = [], choices = [] }: DraftField): boolean {
  return doubts.length + choices.length > 0;
}
