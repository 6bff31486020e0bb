/** Asks about fields that no rule fills although a column may hold them. */
import { flow } from '../mapping/rules.js';
import type { Concept } from './lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import UNREAD from './lexicon/unread.json' with { type: 'json' };
import type { ColumnProfile } from './profile-column.js';
import { isWords } from './propose/text.js';
import { dateRule } from './rules/date-rule.js';
import { columnLabel, type DraftField, quoted, type RuleContext } from './rules/draft.js';

/** A kind of values that a name promises, and the field that would take them. */
type Unread = (typeof UNREAD.kinds)[number];

/** Lists the questions about unfilled fields, each with the edit that answers it. */
export function openQuestions(
  context: RuleContext,
  fields: readonly DraftField[],
): readonly string[] {
  const filled = new Set(fields.map(({ path }) => path.join('.')));
  return [
    ...(filled.has('text') ? [] : [NO_TEXT]),
    ...(filled.has('published') ? [] : dateQuestion(context)),
    ...UNREAD.kinds
      .filter(({ field }) => !filled.has(field))
      .flatMap((one) => unread(one, context, fields)),
  ];
}

const NO_TEXT =
  'no column holds words. Add under document: "text: \'{COLUMN}\'", with the name of the column';

function dateQuestion({ profiles }: RuleContext): readonly string[] {
  const other = profiles.find(({ date, words }) => (date?.share ?? 0) >= 0.9 && words < 15);
  if (other?.date !== undefined) {
    const rule = flow(dateRule(other, other.date, undefined));
    return [
      `no column says when the review was written. If the date in ${columnLabel(other)} is good enough, add under document: "published: ${rule}"`,
    ];
  }
  const short = profiles.find(
    (profile) =>
      (profile.concepts.has('date') || profile.concepts.has('written')) && dayAndMonth(profile),
  );
  return short === undefined ? [] : [withoutYear(short)];
}

const DAY_AND_MONTH = /^(\d{1,2})([./-]|月)(\d{1,2})([./日]?)$/u;

/** Share of values that have to be a day and a month. */
const MIN_DATES = 0.9;

/** Whether values are days and months without a year. */
export function dayAndMonth({ filled }: ColumnProfile): boolean {
  const dates = filled.filter((text) => {
    const [, first, , second] = DAY_AND_MONTH.exec(text) ?? [];
    const [least, most] = [Number(first), Number(second)].toSorted((a, b) => a - b);
    return least !== undefined && most !== undefined && least >= 1 && least <= 12 && most <= 31;
  });
  return filled.length > 0 && dates.length >= filled.length * MIN_DATES;
}

function withoutYear(profile: ColumnProfile): string {
  const { name, filled } = profile;
  const first = filled.find((text) => DAY_AND_MONTH.test(text)) ?? '';
  const [sample = '', , mark = '.', , tail = ''] = DAY_AND_MONTH.exec(first) ?? [];
  const dayFirst = filled.some((text) => Number(DAY_AND_MONTH.exec(text)?.[1]) > 12);
  const form = dayFirst ? `d${mark}M` : `M${mark}d`;
  const rule = flow({ from: name, replace: { '^': 'YEAR-' }, date: `yyyy-${form}${tail}` });
  return `the dates in ${columnLabel(profile)} have no year, for example ${quoted(sample)}. If all are from one year, add under document, with the year in place of YEAR: "published: ${rule}"`;
}

/** Asks about a column whose name promises values for a field, but whose values aren't readable. */
function unread(
  { field, what, concepts, not, rule, fill }: Unread,
  context: RuleContext,
  fields: readonly DraftField[],
): string[] {
  const taken = [...context.assignment.roles.values()].flat().map(({ profile }) => profile);
  const others = [...UNREAD.ofOthers, ...not];
  const found = context.profiles.find(
    (profile) =>
      hasAny(profile, concepts) &&
      !hasAny(profile, others) &&
      profile.distinct > 1 &&
      (field !== 'author.username' || isWords(profile)) &&
      !taken.includes(profile) &&
      !(field === 'published' && dayAndMonth(profile)),
  );
  if (found === undefined) return [];
  const example = quoted(found.filled[0] ?? '');
  return [
    `${columnLabel(found)} speaks of ${what}, but its values don't read as one, for example ${example}. If it is, ${addition(field, { from: found.name, ...rule }, fields)}${fill}`,
  ];
}

/** Words an edit: what to add under a key that the mapping has, for example `metrics`, or with that key. */
function addition(field: string, rule: object, fields: readonly DraftField[]): string {
  const [top = '', key] = field.split('.');
  if (key === undefined) return `add under document: "${top}: ${flow(rule)}"`;
  return fields.some(({ path }) => path[0] === top)
    ? `add under ${top}: "${key}: ${flow(rule)}"`
    : `add under document: "${top}: ${flow({ [key]: rule })}"`;
}

function hasAny({ concepts }: ColumnProfile, names: readonly string[]): boolean {
  return names.some((name) => concepts.has(name as Concept));
}
