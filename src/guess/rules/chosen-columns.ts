/** Makes the rules that a field can have with columns chosen by the user, one for each way to read them. */
import { isDeepStrictEqual } from 'node:util';
import type { Rule, SkipCondition } from '../../mapping/mapping.js';
import { columnRule, IF_STATED, takesSeveral } from '../../mapping/rules.js';
import { count } from '../../model/figures.js';
import { isShortened } from '../notations/counts.js';
import { inOtherOrder } from '../notations/date-column.js';
import { isCountry } from '../notations/known-values.js';
import { type ColumnProfile, isDateColumn, isQuestion } from '../profile-column.js';
import type { Role } from '../propose/roles.js';
import { sentimentNotation, sidesOf } from '../propose/score.js';
import { isNamedId } from '../propose/source-id.js';
import { isWords } from '../propose/text.js';
import { repairedRule } from '../repairs.js';
import { dateFields } from './date-rule.js';
import {
  columnLabel,
  type DraftField,
  dottedName,
  FIELDS,
  type MakeFields,
  type RuleContext,
  withProfile,
  withRole,
} from './draft.js';
import { idFields, nonIdReason } from './id-rule.js';
import { languageFields } from './language-rule.js';
import { unstableReason } from './lasting.js';
import { countRule, countryRule, tagRule, urlRule, usernameRule } from './other-rules.js';
import { aspectFields, scoreFields } from './score-rule.js';
import { blankTextSkips, textRule, withText } from './text-rule.js';

/** One way to read the values of the chosen columns. */
export interface ColumnReading {
  /** Distinguishes it from the others: `Day first`. */
  readonly label: string;
  readonly rule: Rule;
  readonly derived?: DerivedRules;
}

/** Rules that a guess derives from the columns of a field, and would change with them. */
export interface DerivedRules {
  /** The language detected in a text. */
  readonly language?: Rule | undefined;
  /** The sentiment that follows from a rating. */
  readonly sentiment?: Rule | undefined;
  /** Conditions that skip records without a text. */
  readonly skip?: readonly SkipCondition[];
}

type Columns = readonly [ColumnProfile, ...ColumnProfile[]];

/** The readings, the likeliest first; or why there is none, as a clause. */
export type ColumnReadings = readonly ColumnReading[] | string;

type ReadColumns = (context: RuleContext, columns: Columns, field: string) => ColumnReadings;

/**
 * Lists the ways to read columns for a field.
 * @param field dotted name: `metrics.score`
 * @param columns in the order of joining; none for a rule without a column of its own
 */
export function readingsOf(
  context: RuleContext,
  field: string,
  columns: readonly ColumnProfile[],
): ColumnReadings {
  const [first, ...others] = columns;
  if (first === undefined) return withoutColumn(context, field);
  if (first.filled.length === 0) return `${columnLabel(first)} is blank in all sampled records`;
  const isTime = field === 'published' && others.length === 1 && (others[0]?.clocks ?? 0) > 0.9;
  if (others.length > 0 && !takesSeveral(field) && !isTime) {
    return `only one column can be ${field}`;
  }
  const [top = ''] = field.split('.');
  const read = READERS[field] ?? READERS[top] ?? joinColumns;
  const readings = read(context, [first, ...others], field);
  if (typeof readings === 'string') return readings;
  return readings.map((one) => ({ ...one, rule: repairedRule(one.rule, context) }));
}

/** Fields whose values are read, not only taken. */
const READERS: Readonly<Record<string, ReadColumns>> = {
  text: textReadings,
  sourceId: idReadings,
  published: dateReadings,
  downloaded: dateReadings,
  'metrics.score': scoreReadings,
  metrics: numberReadings,
  sentiment: sentimentReadings,
  language: languageReadings,
  url: urlReadings,
  'detectedLocations.country': countryReadings,
  detectedLocations: (_, [profile]) => worded(profile, 'a place', columnRule(profile)),
  'author.username': (context, [profile]) =>
    worded(profile, 'a name', usernameRule(profile, context) ?? columnRule(profile)),
  tags: (_, [profile]) =>
    profile.numbers < MIN_OTHER
      ? worded(profile, 'a tag', tagRule(profile))
      : only('Numbers, unchanged', tagRule(profile)),
};

/** Share of values from which a column is one of numbers, for a field of words. */
const MIN_OTHER = 0.9;

/** Takes values unchanged, unless they are dates, numbers or web addresses. */
function worded(profile: ColumnProfile, what: string, rule: Rule): ColumnReadings {
  const isOther = isDateColumn(profile) || Math.max(profile.numbers, profile.urls) >= MIN_OTHER;
  return isOther ? unlike(profile, what) : only('Unchanged', rule);
}

function only(label: string, rule: Rule): ColumnReadings {
  return [{ label, rule }];
}

function textReadings(context: RuleContext, columns: Columns): ColumnReadings {
  const [first, second] = columns;
  const rule = textRule(columns, isQuestion(first) ? undefined : first, second);
  const readings =
    second === undefined ? worded(first, 'a text', rule) : only('Joined in this order', rule);
  if (typeof readings === 'string') return readings;
  const skip = blankTextSkips(withText(context, columns)).map(({ condition }) => condition);
  const derived = { skip, language: detectedIn(context, columns)?.rule };
  return readings.map((one) => ({ ...one, derived }));
}

function countryReadings(_: RuleContext, [profile]: Columns): ColumnReadings {
  const { filled, concepts } = profile;
  const known = filled.filter(isCountry).length;
  if (known < filled.length / 2 && !concepts.has('country')) {
    return unlike(profile, 'a country');
  }
  const some = `${known} of ${count(filled.length, 'value')} are countries`;
  return only(known === filled.length ? 'Countries' : some, countryRule(profile));
}

function joinColumns(_: RuleContext, columns: Columns): ColumnReadings {
  const rules = columns.map((profile) =>
    profile.column.list ? { join: [{ from: profile.name }], with: ', ' } : columnRule(profile),
  );
  const [first, ...others] = rules as [Rule, ...Rule[]];
  return only('Unchanged', others.length === 0 ? first : { join: rules });
}

function withoutColumn(context: RuleContext, field: string): ColumnReadings {
  const { role } = FIELDS[field] ?? {};
  const make = WITHOUT_COLUMN[field];
  const made = role && make && madeField(make, withRole(context, role, undefined), field);
  if (made === undefined) return `a column is needed for ${field}`;
  return only('Without a column of its own', made.rule);
}

const WITHOUT_COLUMN: Readonly<Record<string, MakeFields>> = {
  language: languageFields,
  sentiment: scoreFields,
  sourceId: idFields,
};

function madeField(make: MakeFields, context: RuleContext, field: string): DraftField | undefined {
  const made = make(context).find((one) => dottedName(one) === field);
  return made && { ...made, rule: repairedRule(made.rule, context) };
}

/** Copies the context with a column in a role. */
function chosenFor(role: Role, profile: ColumnProfile, context: RuleContext): RuleContext {
  return withRole(context, role, { role, profile, score: 1 });
}

/** Reason to refuse a column whose values aren't what a field takes. */
function unlike(profile: ColumnProfile, what: string): string {
  return `${columnLabel(profile)} doesn't look like ${what}`;
}

function idReadings(context: RuleContext, columns: Columns): ColumnReadings {
  const [profile] = columns;
  // What is called the review's id may number the records.
  const unfit = columns.find((one) => unstableReason(one) !== undefined && !isNamedId(one));
  if (unfit !== undefined) {
    return `${columnLabel(unfit)} ${unstableReason(unfit)}: with an id made of it, the next export would be imported again`;
  }
  if (columns.length > 1) return only('Hash', { hash: columns.map(columnRule) });
  const made = madeField(idFields, chosenFor('sourceId', profile, context), 'sourceId');
  const isUnique = profile.distinctShare > MIN_UNIQUE && profile.filledShare > MIN_UNIQUE;
  if (made === undefined || !isUnique) return `${columnLabel(profile)} ${nonIdReason(profile)}`;
  return only('Unchanged', made.rule);
}

/** Minimum share of different values in a column of ids. */
const MIN_UNIQUE = 0.9;

function dateReadings(
  context: RuleContext,
  [profile, clock]: Columns,
  field: string,
): ColumnReadings {
  const { date } = profile;
  if (date === undefined) return unlike(profile, 'a date');
  const role = field === 'published' ? 'published' : 'downloaded';
  const timed =
    clock === undefined
      ? withRole(context, 'clock', undefined)
      : chosenFor('clock', clock, context);
  const chosen = chosenFor(role, profile, timed);
  const { order, doubtfulMonth } = date;
  const others = [
    ...(order === undefined ? [] : [{ forms: inOtherOrder(date) }]),
    ...(doubtfulMonth === undefined ? [] : [{ locales: [doubtfulMonth.locale] }]),
  ];
  return [{}, ...others].flatMap((changes) => {
    const read = { ...date, ...changes };
    const made = madeField(dateFields, withProfile(chosen, profile, { date: read }), field);
    if (made === undefined) return [];
    const isExchanged = 'forms' in changes;
    const label =
      order === undefined
        ? read.forms.join(' or ')
        : `${UNIT_NAMES[isExchanged ? order.other : order.first]} first`;
    const months = 'locales' in changes ? `, months in ${read.locales.join(', ')}` : '';
    const { rule } = made;
    const isCounted = typeof rule === 'object' && rule.asOf === IF_STATED;
    if (!isCounted) return [{ label: `${label}${months}`, rule }];
    return [{ label: `${label}${months}, counted back from ${context.day}`, rule }];
  });
}

const UNIT_NAMES = { day: 'Day', month: 'Month', year: 'Year' };

/** Usual scales of ratings. */
const SCALES = [1, 0].flatMap((lowest) => [5, 10, 100].map((highest) => ({ lowest, highest })));

function scoreReadings(context: RuleContext, [profile]: Columns): ColumnReadings {
  const { rating } = profile;
  const chosen = chosenFor('score', profile, withRole(context, 'sentiment', undefined));
  const made = scoreReading(chosen);
  if (rating === undefined || made === undefined) return unlike(profile, 'a rating');
  const [group] = rating.groups;
  const isBare = rating.groups.length === 1 && group?.notation.highest === undefined;
  const scales = isBare && group?.notation.values === undefined ? SCALES : [];
  const others = scales
    .filter(({ lowest, highest }) => group && group.least >= lowest && group.most <= highest)
    .flatMap((scale) => {
      const rescaled = withProfile(chosen, profile, { rating: { ...rating, scale } });
      return scoreReading(rescaled) ?? [];
    });
  const all = [made, ...others];
  return all.filter(
    ({ rule }, at) => all.findIndex((one) => isDeepStrictEqual(one.rule, rule)) === at,
  );
}

function scoreReading(context: RuleContext): ColumnReading | undefined {
  const rule = madeField(scoreFields, context, 'metrics.score')?.rule;
  if (rule === undefined) return undefined;
  const sentiment = madeField(scoreFields, context, 'sentiment')?.rule;
  const from = typeof rule === 'object' ? rule.scale?.from : undefined;
  const label = from === undefined ? 'As written' : `${from[0]} to ${from[1]}`;
  return { label, rule, derived: { sentiment } };
}

/** Minimum share of numbers, or of texts with a number, in a column of numbers. */
const MIN_NUMBERS = 0.5;

const MARKS = [
  { mark: '.', label: 'Decimal point' },
  { mark: ',', label: 'Decimal comma' },
] as const;

function numberReadings(context: RuleContext, [profile]: Columns, field: string): ColumnReadings {
  const { name, filled, numbers, counted, codes, urls } = profile;
  const isCounted =
    numbers < MIN_NUMBERS && counted > MIN_NUMBERS && Math.max(codes, urls) < MIN_NUMBERS;
  if (isDateColumn(profile) || filled.some((text) => /\d{16}/u.test(text))) {
    return unlike(profile, 'a number');
  }
  const commas = filled.filter((text) => /,(?!\d{3}(?!\d))\d/u.test(text)).length;
  const marked = filled.some((text) => /\d[.,]\d/u.test(text));
  const marks = marked ? (commas > 0 ? MARKS.toReversed() : MARKS) : MARKS.slice(0, 1);
  const found = marks.map(({ mark, label }) => {
    const match = isCounted ? { match: '[-+]?\\d[\\d.,]*' } : {};
    return { label: marked ? label : 'Numbers', rule: { from: name, ...match, number: mark } };
  });
  const isCount = ['metrics.likes', 'metrics.comments', 'metrics.shares'].includes(field);
  if (isCount && filled.some(isShortened)) return only('Numbers', countRule(profile));
  const aspect = isCount ? [] : aspectFields(chosenFor('aspect', profile, context));
  const ratings = aspect.map(({ rule }) => ({ label: 'As ratings, 1 to 5', rule }));
  if (numbers >= MIN_NUMBERS || isCounted) return [...found, ...ratings];
  return ratings.length > 0 ? ratings : unlike(profile, 'a number');
}

function sentimentReadings(context: RuleContext, [profile]: Columns): ColumnReadings {
  const role =
    sentimentNotation(profile) !== undefined
      ? 'sentiment'
      : sidesOf(profile).size === 2
        ? 'recommended'
        : undefined;
  if (role === undefined) {
    const rated = scoreReadings(context, [profile]);
    const readings = typeof rated === 'string' ? [] : rated;
    const found = readings.flatMap(({ label, derived: { sentiment: rule } = {} }) =>
      rule === undefined ? [] : [{ label: `From ratings, ${label}`, rule }],
    );
    return found.length > 0 ? found : unlike(profile, 'a sentiment or a rating');
  }
  const others = ['sentiment', 'recommended', 'score'] as const;
  const alone = others.reduce((one, other) => withRole(one, other, undefined), context);
  const made = madeField(scoreFields, chosenFor(role, profile, alone), 'sentiment');
  if (made === undefined) return unlike(profile, 'a sentiment');
  const swapped = (made.choices ?? []).flatMap(({ change }) =>
    'edits' in change ? change.edits.map(({ value }) => value as Rule) : [],
  );
  const readings = swapped.map((rule) => ({ label: 'The other way round', rule }));
  return [{ label: 'As stated', rule: made.rule }, ...readings];
}

function languageReadings(context: RuleContext, columns: Columns): ColumnReadings {
  const [profile] = columns;
  const isStated = columns.length === 1 && profile.language !== undefined;
  const other = columns.find((one) => !isWords(one));
  if (!isStated && other !== undefined) return unlike(other, 'a language or a text');
  const made = isStated
    ? madeField(languageFields, chosenFor('language', profile, context), 'language')
    : detectedIn(context, columns);
  return made === undefined ? [] : only(isStated ? 'As stated' : 'Detected', made.rule);
}

/** Makes the language of texts in these columns. */
function detectedIn(context: RuleContext, columns: Columns): DraftField | undefined {
  const texts = withText(withRole(context, 'language', undefined), columns);
  return madeField(languageFields, texts, 'language');
}

function urlReadings(_: RuleContext, [profile]: Columns): ColumnReadings {
  if (profile.urls === 0) return unlike(profile, 'a web address');
  return only('Web addresses', urlRule(profile));
}
