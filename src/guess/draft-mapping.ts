/** Drafts a mapping for a sample: columns, profiles, roles, rules. */
import type { InputOptions } from '../formats/options.js';
import { ruleColumns } from '../mapping/rules.js';
import { type Assignment, assignRoles, tableOf } from './assign-roles.js';
import { columnsOf } from './columns.js';
import { type ColumnProfile, profileColumn, withMatrices } from './profile-column.js';
import type { Role } from './propose/roles.js';
import { MIN_LEAD } from './ranking.js';
import { repairedColumn, repairedRule } from './repairs.js';
import { dateFields } from './rules/date-rule.js';
import {
  columnFor,
  columnLabel,
  type DraftField,
  type DraftSkip,
  dottedName,
  FIELDS,
  type FieldChoice,
  type GuessQuestion,
  isTaken,
  type MakeFields,
  type RuleContext,
  withRole,
} from './rules/draft.js';
import { idFields, idRepeats } from './rules/id-rule.js';
import { languageFields } from './rules/language-rule.js';
import { otherFields } from './rules/other-rules.js';
import { aspectFields, scoreFields } from './rules/score-rule.js';
import { blankTextSkips, textFields } from './rules/text-rule.js';
import { withdrawnQuestions } from './rules/withdrawn.js';
import type { Sample } from './sample.js';
import { unfilledQuestions } from './unfilled-questions.js';

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
  /** Columns that no rule uses. */
  readonly leftOut: readonly string[];
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
  const columns = columnsOf(sample, input.header !== false).map(repairedColumn);
  const numbers = sample.records.map(({ number }) => number);
  const profiles = withMatrices(columns.map((column) => profileColumn(column, numbers)));
  const records = numbers.length;
  const assignment = assignRoles(tableOf(profiles, records));
  return draftOf({ assignment, profiles, records, day: sample.day }, sample, input);
}

function draftOf(context: RuleContext, sample: Sample, input: InputOptions): Draft {
  const made = MAKERS.flatMap((make) =>
    make(context).map((field) => ({ field: withRunnerUp(field, context), make })),
  );
  const fields = made.map(({ field }) => ({ ...field, rule: repairedRule(field.rule, context) }));
  return {
    sample,
    input,
    profile: 'minimal',
    overlaps: idRepeats(context),
    fields,
    skip: blankTextSkips(context),
    missing: missingFields(fields.map(dottedName)),
    leftOut: unusedColumns(context, fields),
    questions: [...unfilledQuestions(context, fields), ...withdrawnQuestions(context, fields)],
    reviewScore: reviewScoreOf(context.assignment),
    context,
    makers: new Map(made.map(({ field, make }) => [dottedName(field), make])),
  };
}

/** Lists the columns that no rule uses, so that nothing is dropped silently. */
export function unusedColumns(
  { profiles }: RuleContext,
  fields: readonly DraftField[],
): readonly string[] {
  const used = new Set(fields.flatMap(({ rule }) => ruleColumns(rule)));
  return profiles.map(({ name }) => name).filter((name) => !used.has(name));
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

/** Asks about another rating or date of about the same score. */
function withRunnerUp(field: DraftField, context: RuleContext): DraftField {
  const { role, isContested } = FIELDS[dottedName(field)] ?? {};
  const winner = role && isContested ? columnFor(context, role) : undefined;
  if (winner === undefined) return field;
  const runnerUp = context.assignment.candidates.find(
    (one) =>
      one.role === role && !isTaken(one.profile, context) && winner.score - one.score < MIN_LEAD,
  );
  if (runnerUp === undefined || isSame(runnerUp.profile, winner.profile)) return field;
  const choice: FieldChoice = {
    ask: `${columnLabel(runnerUp.profile)} could also be ${dottedName(field)}`,
    when: 'If it is',
    change: withRole(context, runnerUp.role, runnerUp),
  };
  const confidence = field.confidence === 'high' ? 'medium' : field.confidence;
  return { ...field, confidence, choices: [...(field.choices ?? []), choice] };
}

function isSame({ column }: ColumnProfile, other: ColumnProfile): boolean {
  return column.texts.every((text, at) => text === other.column.texts[at]);
}

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
