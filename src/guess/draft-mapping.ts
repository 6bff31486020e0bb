/** From a sample to the draft of a mapping: columns, profiles, roles, rules. */
import type { InputOptions } from '../formats/options.js';
import { flow } from '../mapping/rules.js';
import { type Assignment, assignRoles, tableOf } from './assign-roles.js';
import { columnsOf } from './columns.js';
import { subheaderSkips, withoutSubheaders } from './headers.js';
import { type LeftOut, leftOutColumns } from './left-out.js';
import { type ColumnProfile, profileColumn } from './profile-column.js';
import type { Role } from './propose/candidate.js';
import { dateFields, dateRule } from './rules/date-rule.js';
import {
  type Chosen,
  called,
  type DraftField,
  type DraftSkip,
  type MakeFields,
  type RivalField,
  rivalsOf,
  simplify,
} from './rules/draft.js';
import { idFields, idRepeats } from './rules/id-rule.js';
import { languageField, otherFields } from './rules/other-rules.js';
import { aspectFields, scoreFields } from './rules/score-rule.js';
import { blankTextSkips, textField } from './rules/text-rule.js';
import type { Sample } from './sample.js';

/** A mapping in the making. */
export interface Draft {
  readonly sample: Sample;
  /** What has to be stated about the source, beside what is detected. */
  readonly input: InputOptions;
  readonly profile: 'complete' | 'minimal';
  /** Whether some reviews stand there several times, under the id of their own. */
  readonly overlaps: boolean;
  readonly fields: readonly DraftField[];
  readonly skip: readonly DraftSkip[];
  /** Fields of a complete document that no column fills. */
  readonly missing: readonly string[];
  /** Columns that may hold a field which no rule fills. */
  readonly leftOut: readonly LeftOut[];
  /** What a person has to decide about fields that no column fills. */
  readonly todos: readonly string[];
  /** How much the columns look like reviews: what decides between two ways to read a file. */
  readonly merit: number;
  /** The columns, and what they were chosen for. */
  readonly chosen: Chosen;
}

/** Drafts a mapping for a sample that was read as `input` says. */
export function draftMapping(sample: Sample, input: InputOptions): Draft {
  const { columns, subheaders } = withoutSubheaders(columnsOf(sample, input.header !== false));
  const numbers = sample.records.slice(subheaders).map(({ number }) => number);
  const profiles = columns.map((column) => profileColumn(column, numbers));
  const records = numbers.length;
  return draftOf(
    { assignment: assignRoles(tableOf(profiles, records)), profiles, records, subheaders },
    sample,
    input,
  );
}

function draftOf(chosen: Chosen, sample: Sample, input: InputOptions): Draft {
  const fields = MAKERS.flatMap((make) => make(chosen));
  return {
    sample,
    input,
    profile: 'minimal',
    overlaps: idRepeats(chosen),
    fields,
    skip: [...blankTextSkips(chosen), ...subheaderSkips(chosen)],
    missing: missingFields(fields.map(({ path }) => path.join('.'))),
    leftOut: leftOutColumns(tableOf(chosen.profiles, chosen.records), fields),
    todos: openQuestions(
      chosen,
      fields.some(({ path }) => path[0] === 'text'),
    ),
    merit: meritOf(chosen.assignment, chosen.profiles),
    chosen,
  };
}

/** What makes the fields, in the order in which they are told. */
const MAKERS: readonly MakeFields[] = [
  idFields,
  (chosen: Chosen) => [textField(chosen)].filter((field) => field !== undefined),
  (chosen: Chosen) => [languageField(chosen)].filter((field) => field !== undefined),
  scoreFields,
  aspectFields,
  dateFields,
  otherFields,
].map(
  (make: MakeFields) => (chosen) =>
    make(chosen).map((field) => ({ ...field, rule: simplify(field.rule) })),
);

/** What else could fill the fields of a draft, best first, by the field's place. */
export function rivalsIn({ chosen }: Draft): ReadonlyMap<string, readonly RivalField[]> {
  return new Map(
    MAKERS.flatMap((make) =>
      make(chosen).map((field) => [field.path.join('.'), rivalsOf(field, chosen, make)] as const),
    ),
  );
}

const EXPECTED = [
  'published',
  'metrics.score',
  'url',
  'author.sourceId',
  'author.username',
  'language',
];

/** The fields of a complete document that are not among these. */
export function missingFields(fields: readonly string[]): readonly string[] {
  return EXPECTED.filter((field) => !fields.includes(field));
}

/** What a person may know better: texts and dates that were not taken for the review's. */
function openQuestions(chosen: Chosen, hasText: boolean): readonly string[] {
  const text = hasText ? [] : ['no column holds words: say which one is the text'];
  if (chosen.assignment.roles.has('published')) return text;
  const other = chosen.profiles.find(({ date, words }) => (date?.share ?? 0) >= 0.9 && words < 15);
  if (other?.date === undefined) return text;
  const rule = flow(dateRule(other, other.date, undefined));
  return [
    ...text,
    `no column says when the review was written. If the date in ${called(other)} will do, add under document: "published: ${rule}"`,
  ];
}

const TELLING: readonly Role[] = [
  'text',
  'score',
  'published',
  'username',
  'title',
  'positive',
  'sourceId',
];

function meritOf({ roles }: Assignment, profiles: readonly ColumnProfile[]): number {
  const scores = TELLING.map((role) => roles.get(role)?.[0]?.score ?? 0);
  const named =
    profiles.filter(({ concepts }) => concepts.size > 0).length / Math.max(1, profiles.length);
  return scores.reduce((sum, score) => sum + score, 0) + named * 0.2;
}
