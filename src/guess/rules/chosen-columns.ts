/** Makes the rules that a field can have with columns chosen by the user, one for each way to read them. */
import type { Rule, RuleObject } from '../../mapping/mapping.js';
import { ruleColumns } from '../../mapping/rules.js';
import { count } from '../../model/figures.js';
import { dateColumn, inOtherOrder } from '../notations/date-column.js';
import { readRating } from '../notations/ratings.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import { sentimentNotation, sidesOf } from '../propose/score.js';
import { isWords } from '../propose/text.js';
import { dateFields } from './date-rule.js';
import {
  columnLabel,
  columnRule,
  type DraftField,
  FIELDS,
  type MakeFields,
  nameOf,
  percent,
  quoted,
  type RuleContext,
  withProfile,
  withRole,
} from './draft.js';
import { idFields, whyNotId } from './id-rule.js';
import { countryRule, languageFields, tagRule } from './other-rules.js';
import { aspectFields, scoreFields } from './score-rule.js';
import { chosenTextRule } from './text-rule.js';

/** One way to read the values of the chosen columns. */
export interface ColumnReading {
  /** Distinguishes it from the others: `Day first`. */
  readonly label: string;
  readonly rule: Rule;
  /** A clause. */
  readonly evidence: string;
  /** The sentiment that follows from a rating read in this way. */
  readonly sentiment?: Rule | undefined;
}

/** The readings, the likeliest first; or why there is none, as a clause. */
export type ColumnReadings = readonly ColumnReading[] | string;

type ReadColumns = (
  context: RuleContext,
  columns: readonly [ColumnProfile, ...ColumnProfile[]],
  field: string,
) => ColumnReadings;

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
  const [top = ''] = field.split('.');
  const read = READERS[field] ?? READERS[top] ?? joined;
  const isTime = field === 'published' && others.length === 1 && (others[0]?.clocks ?? 0) > 0.9;
  if (others.length > 0 && !TAKE_SEVERAL.has(read) && !isTime) return `${field} takes one column`;
  return read(context, [first, ...others], field);
}

/** Fields whose values are read, not only taken. */
const READERS: Readonly<Record<string, ReadColumns>> = {
  text: (_, columns) => [
    {
      label: columns.length > 1 ? 'Joined in this order' : 'Unchanged',
      rule: chosenTextRule(columns),
      evidence: `${columns.map(columnLabel).join(', ')}${columns.length > 1 ? ', joined in this order' : ''}`,
    },
  ],
  sourceId: idReadings,
  published: dateReadings,
  downloaded: dateReadings,
  'metrics.score': scoreReadings,
  metrics: numberReadings,
  sentiment: sentimentReadings,
  language: languageReadings,
  url: urlReadings,
  'detectedLocations.country': (_, [profile]) => unchanged(profile, countryRule(profile)),
  tags: (_, [profile]) => unchanged(profile, tagRule(profile)),
};

const TAKE_SEVERAL: ReadonlySet<ReadColumns | undefined> = new Set([
  READERS['text'],
  idReadings,
  joined,
]);

function unchanged(profile: ColumnProfile, rule: Rule): ColumnReadings {
  const evidence = `${columnLabel(profile)}, for example ${quoted(profile.filled[0] ?? '')}`;
  return [{ label: 'Unchanged', rule, evidence }];
}

function joined(
  _: RuleContext,
  columns: readonly [ColumnProfile, ...ColumnProfile[]],
): ColumnReadings {
  const rules = columns.map((profile) =>
    profile.column.list ? { join: [{ from: profile.name }], with: ', ' } : columnRule(profile),
  );
  const [first, ...others] = rules as [Rule, ...Rule[]];
  return unchanged(columns[0], others.length === 0 ? first : { join: rules });
}

function withoutColumn(context: RuleContext, field: string): ColumnReadings {
  const { role, withoutColumn: evidence } = FIELDS[field] ?? {};
  const make = WITHOUT_COLUMN[field];
  if (role === undefined || evidence === undefined || make === undefined) {
    return `${field} needs a column`;
  }
  const made = madeField(make, withRole(context, role, undefined), field);
  if (made === undefined) return `no column is there that ${field} can be ${evidence}`;
  return [{ label: 'Without a column of its own', rule: made.rule, evidence: made.evidence }];
}

const WITHOUT_COLUMN: Readonly<Record<string, MakeFields>> = {
  language: languageFields,
  sentiment: scoreFields,
  sourceId: idFields,
};

function madeField(make: MakeFields, context: RuleContext, field: string): DraftField | undefined {
  return make(context).find((one) => nameOf(one) === field);
}

/** Copies the context with a column in a role. */
function chosenFor(role: Role, profile: ColumnProfile, context: RuleContext): RuleContext {
  return withRole(context, role, { role, profile, score: 1 });
}

/** Reason to refuse a column whose values aren't what a field takes, with the number that are. */
function unlike(
  { filled, ...profile }: ColumnProfile,
  what: string,
  isLike: (text: string) => boolean,
): string {
  const like = filled.filter(isLike).length;
  return `${columnLabel({ filled, ...profile })} doesn't look like ${what} (${like} of ${count(filled.length, 'value')})`;
}

function idReadings(
  context: RuleContext,
  columns: readonly [ColumnProfile, ...ColumnProfile[]],
): ColumnReadings {
  const [profile] = columns;
  if (columns.length > 1) {
    const evidence = `a hash of ${columns.map(columnLabel).join(', ')}`;
    return [{ label: 'Hash', rule: { hash: columns.map(columnRule) }, evidence }];
  }
  const made = madeField(idFields, chosenFor('sourceId', profile, context), 'sourceId');
  const isUnique = profile.distinctShare > MIN_UNIQUE && profile.filledShare > MIN_UNIQUE;
  if (made === undefined || !isUnique) return `${columnLabel(profile)} ${whyNotId(profile)}`;
  return [{ label: 'Unchanged', rule: made.rule, evidence: made.evidence }];
}

/** Minimum share of different values in a column of ids. */
const MIN_UNIQUE = 0.9;

function dateReadings(
  context: RuleContext,
  [profile, clock]: readonly [ColumnProfile, ...ColumnProfile[]],
  field: string,
): ColumnReadings {
  const { date } = profile;
  if (date === undefined) {
    return unlike(profile, 'a date', (text) => dateColumn([text], true) !== undefined);
  }
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
    return [{ label: `${label}${months}`, rule: made.rule, evidence: made.evidence }];
  });
}

const UNIT_NAMES = { day: 'Day', month: 'Month', year: 'Year' };

/** Usual scales of ratings. */
const SCALES = [1, 0].flatMap((lowest) => [5, 10, 100].map((highest) => ({ lowest, highest })));

function scoreReadings(
  context: RuleContext,
  [profile]: readonly [ColumnProfile, ...ColumnProfile[]],
): ColumnReadings {
  const { rating } = profile;
  const made = scoreReading(profile, chosenFor('score', profile, context));
  if (rating === undefined || made === undefined) {
    return unlike(profile, 'a rating', (text) => readRating(text) !== undefined);
  }
  const [group] = rating.groups;
  const isBare = rating.groups.length === 1 && group?.notation.highest === undefined;
  const scales = isBare && group?.notation.values === undefined ? SCALES : [];
  const others = scales
    .filter(({ lowest, highest }) => group && group.least >= lowest && group.most <= highest)
    .flatMap((scale) => {
      const changed = withProfile(context, profile, { rating: { ...rating, scale } });
      const other = changed.profiles.find(({ name }) => name === profile.name) ?? profile;
      return scoreReading(other, chosenFor('score', other, changed)) ?? [];
    });
  const known = new Set<string>();
  return [made, ...others].filter(({ rule }) => {
    const isNew = !known.has(JSON.stringify(rule));
    known.add(JSON.stringify(rule));
    return isNew;
  });
}

function scoreReading(profile: ColumnProfile, context: RuleContext): ColumnReading | undefined {
  const made = madeField(scoreFields, context, 'metrics.score');
  if (made === undefined) return undefined;
  const { rule, evidence, doubts = [] } = made;
  const sentiment = madeField(scoreFields, context, 'sentiment')?.rule;
  const isDerived = sentiment !== undefined && ruleColumns(sentiment).join() === profile.name;
  const from = typeof rule === 'object' ? rule.scale?.from : undefined;
  return {
    label: from === undefined ? 'As written' : `${from[0]} to ${from[1]}`,
    rule,
    evidence: [evidence, ...doubts].join('; '),
    sentiment: isDerived ? sentiment : undefined,
  };
}

const MARKS = [
  { mark: '.', label: 'Decimal point' },
  { mark: ',', label: 'Decimal comma' },
] as const;

function numberReadings(
  context: RuleContext,
  [profile]: readonly [ColumnProfile, ...ColumnProfile[]],
  field: string,
): ColumnReadings {
  const { name, filled, numbers, counted } = profile;
  const isCounted = numbers < 0.5 && counted > 0.5;
  const commas = filled.filter((text) => /,(?!\d{3}(?!\d))\d/u.test(text)).length;
  const marked = filled.some((text) => /\d[.,]\d/u.test(text));
  const marks = marked ? (commas > 0 ? MARKS.toReversed() : MARKS) : MARKS.slice(0, 1);
  const found = marks.map(({ mark, label }): ColumnReading => {
    const rule: RuleObject = {
      from: name,
      ...(isCounted ? { match: '[-+]?\\d[\\d.,]*' } : {}),
      number: mark,
    };
    const evidence = `${percent(isCounted ? counted : numbers)} of the values in ${columnLabel(profile)} are numbers`;
    return { label: marked ? label : 'Numbers', rule, evidence };
  });
  const isCount = ['metrics.likes', 'metrics.comments', 'metrics.shares'].includes(field);
  const aspect = isCount ? [] : aspectFields(chosenFor('aspect', profile, context));
  const ratings = aspect.map(({ rule, evidence }) => ({
    label: 'As ratings, 1 to 5',
    rule,
    evidence,
  }));
  if (numbers >= 0.5 || isCounted) return [...found, ...ratings];
  return ratings.length > 0
    ? ratings
    : unlike(profile, 'a number', (text) => /^[-+]?\d/u.test(text));
}

function sentimentReadings(
  context: RuleContext,
  [profile]: readonly [ColumnProfile, ...ColumnProfile[]],
): ColumnReadings {
  const role =
    sentimentNotation(profile) !== undefined
      ? 'sentiment'
      : sidesOf(profile).size === 2
        ? 'recommended'
        : undefined;
  if (role === undefined) {
    const rated = scoreReadings(withRole(context, 'sentiment', undefined), [profile]);
    const readings = typeof rated === 'string' ? [] : rated;
    const derived = readings.flatMap(({ label, sentiment, evidence }) =>
      sentiment === undefined
        ? []
        : [
            {
              label: `From ratings, ${label}`,
              rule: sentiment,
              evidence: `derived from the rating: ${evidence}`,
            },
          ],
    );
    const isRating = (text: string): boolean => readRating(text) !== undefined;
    return derived.length > 0 ? derived : unlike(profile, 'a sentiment or a rating', isRating);
  }
  const others = ['sentiment', 'recommended', 'score'] as const;
  const alone = others.reduce((one, other) => withRole(one, other, undefined), context);
  const made = madeField(scoreFields, chosenFor(role, profile, alone), 'sentiment');
  if (made === undefined) return unlike(profile, 'a sentiment', () => false);
  const swapped = (made.choices ?? []).flatMap(({ instead }) =>
    'value' in instead
      ? [{ label: 'The other way round', rule: instead.value as Rule, evidence: made.evidence }]
      : [],
  );
  return [{ label: 'As stated', rule: made.rule, evidence: made.evidence }, ...swapped];
}

function languageReadings(
  context: RuleContext,
  [profile]: readonly [ColumnProfile, ...ColumnProfile[]],
): ColumnReadings {
  if (profile.language === undefined) {
    if (!isWords(profile)) return unlike(profile, 'a language or a text', () => false);
    const alone = withRole(chosenFor('text', profile, context), 'language', undefined);
    const made = madeField(languageFields, alone, 'language');
    return made === undefined
      ? []
      : [{ label: 'Detected', rule: made.rule, evidence: made.evidence }];
  }
  const made = madeField(languageFields, chosenFor('language', profile, context), 'language');
  return made === undefined
    ? []
    : [{ label: 'As stated', rule: made.rule, evidence: made.evidence }];
}

function urlReadings(
  _: RuleContext,
  [profile]: readonly [ColumnProfile, ...ColumnProfile[]],
): ColumnReadings {
  const isUrl = (text: string): boolean => /^https?:\/\/\S+$/iu.test(text);
  if (profile.urls === 0) return unlike(profile, 'a web address', isUrl);
  const rule = { from: profile.name, match: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' };
  return [
    {
      label: 'Web addresses',
      rule,
      evidence: `${percent(profile.urls)} of the values in ${columnLabel(profile)} are web addresses`,
    },
  ];
}
