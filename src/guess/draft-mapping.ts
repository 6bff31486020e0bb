/** Drafts a mapping for a sample: columns, profiles, roles, rules. */
import type { InputOptions } from '../formats/options.js';
import { type Assignment, assignRoles, tableOf } from './assign-roles.js';
import { columnsOf } from './columns.js';
import { type LeftOut, leftOutColumns } from './left-out.js';
import { openQuestions } from './open-questions.js';
import { profileColumn } from './profile-column.js';
import type { Role } from './propose/roles.js';
import { dateFields } from './rules/date-rule.js';
import {
  type DraftField,
  type DraftSkip,
  FIELDS,
  type GuessQuestion,
  type MakeFields,
  nameOf,
  type RuleContext,
} from './rules/draft.js';
import { idFields, idRepeats } from './rules/id-rule.js';
import { languageFields } from './rules/language-rule.js';
import { otherFields } from './rules/other-rules.js';
import { withRunnerUp } from './rules/runner-up.js';
import { aspectFields, scoreFields } from './rules/score-rule.js';
import { blankTextSkips, textFields } from './rules/text-rule.js';
import { withdrawnQuestions } from './rules/withdrawn.js';
import type { Sample } from './sample.js';

/** A guessed mapping before it is written as YAML. */
export interface Draft {
  readonly sample: Sample;
  /** Input options that the mapping states, as detection isn't enough. */
  readonly input: InputOptions;
  readonly profile: 'complete' | 'minimal';
  /** Whether some reviews occur several times under the same id, as in overlapping exports. */
  readonly overlaps: boolean;
  readonly fields: readonly DraftField[];
  readonly skip: readonly DraftSkip[];
  /** Fields of a complete document that no column fills. */
  readonly missing: readonly string[];
  /** Unused columns, each with the unfilled fields that it may hold. */
  readonly leftOut: readonly LeftOut[];
  /** Questions for the user about unfilled fields and about reading the file. */
  readonly questions: readonly GuessQuestion[];
  /** Likeness of the columns to reviews; decides between two parsings of a file. */
  readonly reviewScore: number;
  /** The columns and their roles. */
  readonly context: RuleContext;
  /** Functions that make a field and those that go with it, by the field's dotted name. */
  readonly makers: ReadonlyMap<string, MakeFields>;
}

/** Drafts a mapping for a sample that was read with the options `input`. */
export function draftMapping(sample: Sample, input: InputOptions): Draft {
  const columns = columnsOf(sample, input.header !== false);
  const numbers = sample.records.map(({ number }) => number);
  const profiles = columns.map((column) => profileColumn(column, numbers));
  const records = numbers.length;
  const assignment = assignRoles(tableOf(profiles, records));
  return draftOf({ assignment, profiles, records, day: sample.day }, sample, input);
}

function draftOf(context: RuleContext, sample: Sample, input: InputOptions): Draft {
  const made = MAKERS.flatMap((make) =>
    make(context).map((field) => ({ field: withRunnerUp(field, context), make })),
  );
  const fields = made.map(({ field }) => field);
  return {
    sample,
    input,
    profile: 'minimal',
    overlaps: idRepeats(context),
    fields,
    skip: blankTextSkips(context),
    missing: missingFields(fields.map(nameOf)),
    leftOut: leftOutColumns(context.profiles, fields),
    questions: [...openQuestions(context, fields), ...withdrawnQuestions(context, fields)],
    reviewScore: reviewScoreOf(context.assignment),
    context,
    makers: new Map(made.map(({ field, make }) => [nameOf(field), make])),
  };
}

/** Makes the fields, in the order in which a guess lists them. */
const MAKERS: readonly MakeFields[] = [
  idFields,
  textFields,
  languageFields,
  scoreFields,
  aspectFields,
  dateFields,
  otherFields,
];

/** Lists the fields of a complete document that aren't among `fields`. */
export function missingFields(fields: readonly string[]): readonly string[] {
  const expected = Object.keys(FIELDS).filter((field) => FIELDS[field]?.isExpected);
  return expected.filter((field) => !fields.includes(field));
}

/** Roles whose scores add up to a draft's score. */
const SCORED_ROLES: readonly Role[] = [
  'text',
  'score',
  'published',
  'username',
  'title',
  'positive',
  'sourceId',
];

function reviewScoreOf({ roles }: Assignment): number {
  const scores = SCORED_ROLES.map((role) => roles.get(role)?.[0]?.score ?? 0);
  return scores.reduce((sum, score) => sum + score, 0);
}
