import type { Rule, RuleObject } from '../../mapping/mapping.js';
import { thousands } from '../../model/figures.js';
import { escapeRegExp } from '../../model/text.js';
import { hasAny, unknownWords } from '../lexicon/name-concepts.js';
import { type DateColumn, inOtherOrder } from '../notations/date-column.js';
import { ZONES } from '../notations/dates.js';
import { isPlaceholder } from '../notations/known-values.js';
import { type ColumnProfile, isDateColumn } from '../profile-column.js';
import {
  anyExcept,
  columnField,
  columnFor,
  columnLabel,
  columnsFor,
  confidenceOf,
  type DraftField,
  type FieldChoice,
  quoted,
  type RuleContext,
  sharePercent,
  UNCLEAR,
  withProfile,
} from './draft.js';

/** Makes the fields `published` and `downloaded`. */
export function dateFields(context: RuleContext): readonly DraftField[] {
  const published = columnFor(context, 'published');
  const captured = columnsFor(context, 'downloaded').flatMap((best): readonly DraftField[] => {
    const { profile } = best;
    if (profile.date === undefined) return [];
    const evidence = `${columnLabel(profile)} shows when the review was captured`;
    const rule = dateRule(profile, profile.date, undefined);
    return [{ ...columnField(['downloaded'], best, evidence), rule }];
  });
  return [
    ...(published === undefined ? [] : publishedField(published.profile, published.score, context)),
    ...captured,
  ];
}

function publishedField(
  profile: ColumnProfile,
  score: number,
  context: RuleContext,
): readonly DraftField[] {
  const { date } = profile;
  if (date === undefined) return [];
  const scraped = columnFor(context, 'downloaded')?.profile;
  const asOf = scraped?.date === undefined ? undefined : dateRule(scraped, scraped.date, undefined);
  const choices = dateChoices(profile, date, { context, counted: asOf !== undefined });
  const isUnclear = confidenceOf(score) === 'low' || !meansWriting(profile);
  const isLow = isUnclear || date.order?.decided === false || date.doubtfulMonth !== undefined;
  const clock = isDay(date) ? columnFor(context, 'clock')?.profile : undefined;
  const rule = dateRule(profile, date, asOf);
  return [
    {
      path: ['published'],
      rule: clock === undefined ? rule : withClock(rule, profile, clock),
      confidence: isLow ? 'low' : confidenceOf(score),
      evidence: `${dateEvidence(profile, date, context)}${clock === undefined ? '' : `; ${columnLabel(clock)} gives the time; no time zone is stated: UTC, unless the mapping sets zone`}`,
      doubts: isUnclear ? [UNCLEAR] : [],
      choices,
    },
  ];
}

/** Returns whether all dates are plain days that a time can be appended to. */
function isDay({ precision, relative, match, absent, ordinals, forms }: DateColumn): boolean {
  const written = !forms.includes('excel-serial');
  const plain = written && match === undefined && absent.length === 0 && !ordinals;
  return precision === 'day' && !relative && plain;
}

/** Extends a rule for days by the time in another column, where there is one. */
function withClock(rule: RuleObject, day: ColumnProfile, clock: ColumnProfile): RuleObject {
  const { from: _, date, ...steps } = rule;
  const days = [date ?? 'iso'].flat();
  const times = clockForms(clock.filled);
  const forms = days.flatMap((form) => [
    ...(form === 'iso' ? ['iso'] : times.map((time) => `${form} ${time}`)),
    form,
  ]);
  return {
    join: [{ from: day.name }, clockRule(clock)],
    with: ' ',
    ...steps,
    date: [...new Set(forms)],
  };
}

/** Reads the time, padding hours to two digits as ISO 8601 requires. */
function clockRule({ name, filled }: ColumnProfile): RuleObject {
  const short = filled.some((text) => /^\d:/u.test(text));
  return { from: name, ...(short ? { replace: { '^(\\d):': '0$1:' } } : {}) };
}

function clockForms(texts: readonly string[]): readonly string[] {
  const forms = texts.map((text) => {
    const half = /m\.?$/iu.test(text);
    const seconds = text.split(':').length > 2 ? ':ss' : '';
    return `${half ? 'h' : 'H'}:mm${seconds}${half ? (text.includes(' ') ? ' a' : 'a') : ''}`;
  });
  return [...new Set(forms)].slice(0, 4);
}

function dateEvidence(profile: ColumnProfile, date: DateColumn, context: RuleContext): string {
  const [first = ''] = profile.filled;
  const others = context.profiles.filter(
    (other) => other !== profile && isDateColumn(other) && other.urls === 0,
  );
  const month =
    date.precision === 'month' ? '; only the month is stated, so its first day is used' : '';
  const order = date.order?.decided === true ? `; ${date.order.evidence}` : '';
  const zone =
    date.precision === 'time' && date.zoned < 0.5
      ? '; no time zone is stated: UTC, unless the mapping sets zone'
      : '';
  const rest = others.length === 0 ? '' : `; other dates: ${others.map(columnLabel).join(', ')}`;
  return `${sharePercent(date.share)} of the values in ${columnLabel(profile)} are dates, for example ${quoted(first)}${month}${order}${zone}${rest}`;
}

/** Makes the rule that reads a column of dates. */
export function dateRule(
  { name }: Pick<ColumnProfile, 'name'>,
  date: DateColumn,
  asOf: Rule | undefined,
): RuleObject {
  const forms = withRelative(date);
  const [form] = forms;
  const months = forms.some((one) => one.includes('MMM'));
  return {
    from: name,
    ...matchStep(date),
    ...replaceStep(date),
    date: forms.length === 1 && form !== undefined ? form : forms,
    ...(months ? localeStep(date.locales) : {}),
    ...(date.relative ? { asOf: typeof asOf === 'object' ? asOf : 'if-stated' } : {}),
  };
}

function localeStep([first, ...rest]: readonly string[]): Pick<RuleObject, 'locale'> {
  if (first === undefined) return {};
  if (rest.length > 0) return { locale: [first, ...rest] };
  return first === 'en' ? {} : { locale: first };
}

function withRelative({ forms, relative }: DateColumn): readonly string[] {
  return relative ? [...forms.filter((form) => form !== 'relative'), 'relative'] : forms;
}

function matchStep({ match, relative, absent }: DateColumn): Pick<RuleObject, 'match'> {
  if (match === undefined) return absent.length === 0 ? {} : { match: anyExcept(absent) };
  return { match: relative ? `${match}|^(?!.*(?:${match})).+$` : match };
}

function replaceStep(date: DateColumn): Pick<RuleObject, 'replace'> {
  const { ordinals, around, abbreviations } = date;
  const replace: Record<string, string> = { ...date.replacements };
  for (const zone of abbreviations) replace[`${zone}(?!\\p{L})`] = ZONES[zone] ?? '';
  if (ordinals) replace['(\\d)(?:st|nd|rd|th|er|º|ª|°)'] = '$1';
  if (around.length > 0) {
    const words = around.slice(0, 20).map(escapeRegExp).join('|');
    replace[`^(?:${words})\\s*|\\s*(?:${words})$`] = '';
  }
  return Object.keys(replace).length === 0 ? {} : { replace };
}

/** Lists the questions about a column of dates whose answer changes the rule. */
function dateChoices(
  profile: ColumnProfile,
  date: DateColumn,
  { context, counted }: { readonly context: RuleContext; readonly counted: boolean },
): readonly FieldChoice[] {
  const { order, doubtfulMonth, locales, relative } = date;
  const read = (changes: Partial<DateColumn>): RuleContext =>
    withProfile(context, profile, { date: { ...date, ...changes } });
  const choices: FieldChoice[] = [];
  if (order?.decided === false) {
    const { first, other, evidence } = order;
    const sought = [first, other].includes('year') ? 'year' : 'day';
    choices.push({
      ask: `check which number is the ${sought}: ${evidence}, and the ${first} is assumed to come first`,
      when: `If the ${other} comes first`,
      change: read({ forms: inOtherOrder(date) }),
    });
  }
  if (doubtfulMonth !== undefined) {
    const { name, locale } = doubtfulMonth;
    choices.push({
      ask: `check the language of the months: ${quoted(name)} is read as ${locales.join(', ')}, and is another month in ${locale}`,
      when: `If they are in ${locale}`,
      change: read({ locales: [locale] }),
    });
  }
  const strays = date.absent.filter((text) => !isPlaceholder(text));
  if (strays.length > 0) {
    choices.push({
      ask: `check that ${strays.map(quoted).join(', ')} in ${columnLabel(profile)} ${strays.length === 1 ? 'means' : 'mean'} "no date"`,
      when: 'If not',
      change: { words: 'correct them in the export, or add their format to date in the rule' },
    });
  }
  if (relative && !counted) {
    choices.push({
      ask: `give the date of the export: the dates that count back from it, ${thousands(date.countedBack)} in the sample, are left out until it is known`,
      when: `If it was on ${context.day}, when the file was last changed`,
      change: { edits: [{ path: ['asOf'], value: context.day }] },
    });
  }
  return choices;
}

/**
 * Returns whether a name means the date of writing. A plain "date" does; a name with unknown words
 * doesn't.
 */
function meansWriting(profile: ColumnProfile): boolean {
  const { name, concepts, column, filledShare } = profile;
  if (column.unnamed) return false;
  if (hasAny(profile, 'writing')) return true;
  const own = name.split('.').at(-1) ?? name;
  if (!concepts.has('date') || unknownWords(own) > 0) return false;
  // A survey's response has a date in every record, a reply to a review hasn't.
  const others =
    filledShare > 0.98 ? [...concepts].filter((one) => one !== 'reply') : [...concepts];
  return !hasAny({ concepts: new Set(others) }, 'otherDate');
}
