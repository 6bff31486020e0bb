/** Asks about fields that no rule fills although a column may hold them. */

import type { Rule } from '../mapping/mapping.js';
import { columnRule } from '../mapping/rules.js';
import { hasAny } from './lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import UNREAD from './lexicon/unread.json' with { type: 'json' };
import { type ColumnProfile, isDateColumn } from './profile-column.js';
import { isWords } from './propose/text.js';
import { repairedRule } from './repairs.js';
import { dateRule } from './rules/date-rule.js';
import {
  columnFor,
  columnLabel,
  type DraftField,
  dottedName,
  type GuessQuestion,
  isTaken,
  questionOf,
  quoted,
  type RuleContext,
} from './rules/draft.js';
import { namesConsent } from './rules/withdrawn.js';

/** A kind of values that a name promises, and the field that would take them. */
type Unread = (typeof UNREAD.kinds)[number];

/** Lists the questions about unfilled fields, each with the edit that answers it. */
export function unfilledQuestions(
  context: RuleContext,
  fields: readonly DraftField[],
): readonly GuessQuestion[] {
  const isOpen = (name: string): boolean => !fields.some((field) => dottedName(field) === name);
  // A stated sentiment goes before one that follows from the rating.
  const isDerived = columnFor(context, 'sentiment') === undefined;
  const kinds = UNREAD.kinds.filter(
    ({ field }) => isOpen(field) || (field === 'sentiment' && isDerived),
  );
  return [
    ...(isOpen('text') ? textQuestion(context) : []),
    ...(isOpen('published') ? dateQuestion(context) : []),
    ...kinds.flatMap((one) => unreadableColumns(one, context)),
  ].map(({ ask, when, field, rule, isDraft = false }) => {
    const edits = [{ path: ['document', ...field.split('.')], value: rule }];
    const question = questionOf({ field, ask, when, edits }, fields);
    return isDraft ? { ...question, answers: [] } : question;
  });
}

/** A question about a field that no rule fills, and the rule that answers it. */
interface OpenQuestion {
  readonly ask: string;
  readonly when: string;
  /** Dotted name. */
  readonly field: string;
  readonly rule: Rule;
  /** Whether the rule is to be completed by hand. */
  readonly isDraft?: boolean;
}

function textQuestion(context: RuleContext): readonly OpenQuestion[] {
  const likely = likelyText(context);
  if (likely === undefined) return [];
  const missing = 'no column holds texts, and every document needs a text';
  const blank = blankText(context);
  const asked =
    blank === undefined
      ? { ask: missing, when: `If ${columnLabel(likely)} is the text` }
      : {
          ask: `${missing}: ${blank}. Export it again with the texts`,
          when: `If they will be in ${columnLabel(likely)}`,
        };
  return [{ ...asked, field: 'text', rule: columnRule(likely) }];
}

/** Describes, as a clause, a blank column whose name means the text; `undefined` if there is none. */
export function blankText(context: Pick<RuleContext, 'profiles'>): string | undefined {
  const likely = likelyText(context);
  if (likely === undefined || likely.filled.length > 0) return undefined;
  return `${columnLabel(likely)} is the text by its name, but blank in every record sampled`;
}

/** Finds the column that may be the text although no rule takes it: by its name, or else its values. */
function likelyText({ profiles }: Pick<RuleContext, 'profiles'>): ColumnProfile | undefined {
  const isSentence = (profile: ColumnProfile): boolean => isWords(profile) && profile.words >= 1.5;
  const named = profiles.filter((profile) => hasAny(profile, ['text', 'review']));
  const likely = named.filter(
    (profile) =>
      !hasAny(profile, 'besidesText') &&
      !namesConsent(profile.name) &&
      !hasAny(profile, 'ofOthers') &&
      (profile.filled.length === 0 || isSentence(profile)),
  );
  const isFilled = ({ filled }: ColumnProfile): boolean => filled.length > 0;
  const undated = profiles.filter((profile) => profile.date === undefined && isFilled(profile));
  const group =
    [likely, undated.filter(isSentence), named.filter(isFilled), undated].find(
      ({ length }) => length > 0,
    ) ?? [];
  return group.toSorted((a, b) => b.length - a.length)[0];
}

function dateQuestion({ profiles, day }: RuleContext): readonly OpenQuestion[] {
  const dates = profiles.filter(isDateColumn);
  // The day of the export is the same for all.
  const other = dates.find(({ concepts }) => !concepts.has('scraped')) ?? dates[0];
  if (other?.date !== undefined) {
    const ask = 'no column shows when the review was written';
    const when = `If the date in ${columnLabel(other)} is good enough`;
    return [{ ask, when, field: 'published', rule: dateRule(other, other.date, undefined) }];
  }
  const short = profiles.find(
    (profile) =>
      (profile.concepts.has('date') || profile.concepts.has('written')) && dayAndMonth(profile),
  );
  return short === undefined ? [] : withoutYear(short, day.slice(0, 4));
}

const DAY_AND_MONTH = /^(\d{1,2})([./-]|月)(\d{1,2})([./日]?)$/u;

/** Share of values that have to be a day and a month. */
const MIN_DATES = 0.9;

/** Returns whether values are days and months without a year. */
export function dayAndMonth({ filled }: ColumnProfile): boolean {
  const dates = filled.filter((text) => {
    const [, first, , second] = DAY_AND_MONTH.exec(text) ?? [];
    const [least, most] = [Number(first), Number(second)].toSorted((a, b) => a - b);
    return least !== undefined && most !== undefined && least >= 1 && least <= 12 && most <= 31;
  });
  return filled.length > 0 && dates.length >= filled.length * MIN_DATES;
}

/** Asks for the year; and for the order of day and month, if no number above 12 shows it. */
function withoutYear({ name, filled }: ColumnProfile, year: string): readonly OpenQuestion[] {
  const found = filled.flatMap((text) => {
    const match = DAY_AND_MONTH.exec(text);
    return match === null ? [] : [match];
  });
  const [sample = '', , mark = '.', , tail = ''] = found[0] ?? [];
  const isDay = (group: number): boolean => found.some((match) => Number(match[group]) > 12);
  const orders = [
    { first: 'day', form: `d${mark}M`, isPossible: !isDay(3) && mark !== '月' },
    { first: 'month', form: `M${mark}d`, isPossible: !isDay(1) },
  ].filter(({ isPossible }) => isPossible);
  return orders.map(({ first, form }) => ({
    ask: `the dates in ${JSON.stringify(name)} have no year, for example ${quoted(sample)}`,
    when: `If all are from ${year}${orders.length > 1 ? ` and the ${first} comes first` : ''}`,
    field: 'published',
    rule: { from: name, replace: { '^': `${year}-` }, date: `yyyy-${form}${tail}` },
  }));
}

/** Asks about a column whose name promises values for a field, but whose values aren't readable. */
function unreadableColumns(
  { field, what, concepts, not, fill }: Unread,
  context: RuleContext,
): OpenQuestion[] {
  const others = [...UNREAD.ofOthers, ...not];
  const found = context.profiles.find(
    (profile) =>
      hasAny(profile, concepts) &&
      !hasAny(profile, others) &&
      profile.distinct > 1 &&
      (field !== 'author.username' || isWords(profile)) &&
      !isTaken(profile, context) &&
      !(field === 'published' && dayAndMonth(profile)),
  );
  if (found === undefined) return [];
  const example = quoted(found.filled[0] ?? '');
  const ask = `the name of ${columnLabel(found)} suggests ${what}, but its values can't be read as one, for example ${example}`;
  const rule = repairedRule(unreadRule(field, found), context);
  const isWhole = typeof rule === 'object' && rule.scale !== undefined;
  const when = `If it is one${isWhole ? '' : fill}`;
  return [{ ask, when, field, rule, isDraft: !isWhole && fill !== '' }];
}

/** Maximum number of values that are listed in a rule. */
const MAX_LISTED = 20;

/** Makes a rule for values that aren't understood, to be completed by the user. */
function unreadRule(field: string, { name, filled, numbers }: ColumnProfile): Rule {
  if (field === 'author.username') return columnRule({ name });
  const base = { from: name, else: '', onError: 'else' } as const;
  if (field === 'published') return { ...base, date: 'yyyy-MM-dd' };
  if (field === 'metrics.score' && numbers > 0.9) {
    const values = filled.map((text) => Number(text.replace(',', '.')));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const highest = [1, 5, 10, 20, 100].find((top) => most <= top) ?? most;
    // Signs are on both sides of 0.
    const side = Math.max(-least, most);
    const from: [number, number] = least < 0 ? [-side, side] : [0, highest];
    const number = filled.some((text) => text.includes(',')) ? ',' : '.';
    return { ...base, number, scale: { from, to: [1, 5] }, round: 2 };
  }
  const texts = [...new Set(filled)].slice(0, MAX_LISTED);
  return { ...base, values: Object.fromEntries(texts.map((text) => [text, ''])) };
}
