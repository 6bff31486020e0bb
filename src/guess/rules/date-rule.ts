import { escapeRegExp } from '../../mapping/dates/parse-format.js';
import type { Rule, RuleObject } from '../../mapping/mapping.js';
import { flow } from '../../mapping/rules.js';
import { type Concept, unknownWords } from '../lexicon/name-concepts.js';
import type { DateColumn } from '../notations/date-column.js';
import { ZONES } from '../notations/date-pieces.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  anyExcept,
  columnField,
  columnFor,
  columnLabel,
  columnsFor,
  confidenceOf,
  type DraftField,
  percent,
  quoted,
  type RuleContext,
} from './draft.js';

/** Makes the fields `published` and `downloaded`. */
export function dateFields(context: RuleContext): readonly DraftField[] {
  const published = columnFor(context, 'published');
  const captured = columnsFor(context, 'downloaded').flatMap((best): readonly DraftField[] => {
    const { profile } = best;
    if (profile.date === undefined) return [];
    const evidence = `${columnLabel(profile)} says when the review was captured`;
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
  const facts = { counted: asOf !== undefined, score, fuller: fullerDate(profile, context) };
  const { low, todo } = dateDoubts(profile, date, facts);
  const clock = isDay(date) ? columnFor(context, 'clock')?.profile : undefined;
  const rule = dateRule(profile, date, asOf);
  return [
    {
      path: ['published'],
      rule: clock === undefined ? rule : withClock(rule, profile, clock),
      confidence: low ? 'low' : confidenceOf(score),
      evidence: `${evidenceOf(profile, date, context)}${clock === undefined ? '' : `; ${columnLabel(clock)} says at what time; no time zone is stated, so UTC is assumed (set zone to change it)`}`,
      todo,
    },
  ];
}

/** Whether all dates are plain days that a time can be appended to. */
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

function evidenceOf(profile: ColumnProfile, date: DateColumn, context: RuleContext): string {
  const [first = ''] = profile.filled;
  const others = context.profiles.filter(
    (other) =>
      other !== profile && (other.date?.share ?? 0) >= 0.9 && other.words < 15 && other.urls === 0,
  );
  const month =
    date.precision === 'month' ? '; only the month is stated, so its first day is taken' : '';
  const order = date.order?.decided === true ? `; ${date.order.evidence}` : '';
  const zone =
    date.precision === 'time' && date.zoned < 0.5
      ? '; no time zone is stated, so UTC is assumed (set zone to change it)'
      : '';
  const rest = others.length === 0 ? '' : `; other dates: ${others.map(columnLabel).join(', ')}`;
  return `${percent(date.share)} of the values in ${columnLabel(profile)} are dates, for example ${quoted(first)}${month}${order}${zone}${rest}`;
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

/** Share of values that may fail to be dates without a TODO. */
const MAX_STRAY_SHARE = 0.005;

/** Facts about a column of dates from outside of it. */
interface DateFacts {
  /** Whether the file states what relative dates count back from. */
  readonly counted: boolean;
  readonly score: number;
  /** Another date, which more records have. */
  readonly fuller: ColumnProfile | undefined;
}

/** Collects the open questions about a column of dates; `low` if its order, months or purpose is unclear. */
function dateDoubts(
  profile: ColumnProfile,
  date: DateColumn,
  { counted, score, fuller }: DateFacts,
): { readonly low: boolean; readonly todo: string | undefined } {
  const order = orderDoubt(date) ?? monthDoubt(date);
  const purpose =
    confidenceOf(score) === 'low' || !meansWriting(profile)
      ? `check that ${columnLabel(profile)} is when the review was written`
      : undefined;
  const blank = fullerDoubt(profile, fuller);
  const doubts = [order, relativeDoubt(date, counted), strayDoubt(profile, date), purpose, blank];
  const open = doubts.filter((doubt) => doubt !== undefined);
  return {
    low: order !== undefined || purpose !== undefined,
    todo: open.length === 0 ? undefined : open.join('; '),
  };
}

/** Share of records that another date has to fill more. */
const MIN_FULLER = 0.2;

function fullerDate(
  { filledShare }: ColumnProfile,
  { profiles }: RuleContext,
): ColumnProfile | undefined {
  return profiles.find(
    (other) =>
      (other.date?.share ?? 0) >= 0.9 &&
      other.words < 15 &&
      other.filledShare > filledShare + MIN_FULLER,
  );
}

function fullerDoubt(
  profile: ColumnProfile,
  fuller: ColumnProfile | undefined,
): string | undefined {
  if (fuller?.date === undefined) return undefined;
  const rule = flow(dateRule(fuller, fuller.date, undefined));
  return `${columnLabel(profile)} is filled in ${percent(profile.filledShare)} of the records, ${columnLabel(fuller)} in ${percent(fuller.filledShare)}; with that column, the rule is ${rule}`;
}

const WRITING_CONCEPTS: readonly Concept[] = ['written', 'review', 'text'];
const OTHER_DATE_CONCEPTS: readonly Concept[] = [
  ...(['place', 'id', 'author', 'experience', 'scraped', 'updated', 'version', 'joined'] as const),
  'reply',
];

/** Whether a name means the date of writing. A plain "date" does; a name with unknown words doesn't. */
function meansWriting({ name, concepts, column, filledShare }: ColumnProfile): boolean {
  if (column.unnamed) return false;
  if (WRITING_CONCEPTS.some((concept) => concepts.has(concept))) return true;
  const own = name.split('.').at(-1) ?? name;
  if (!concepts.has('date') || unknownWords(own) > 0) return false;
  const others = OTHER_DATE_CONCEPTS.filter((concept) => concepts.has(concept));
  // A survey's response has a date in every record, a reply to a review hasn't.
  return others.every((concept) => concept === 'reply' && filledShare > 0.98);
}

function orderDoubt({ order }: DateColumn): string | undefined {
  if (order?.decided !== false) return undefined;
  const [first, other] = order.dayFirst ? ['day', 'month'] : ['month', 'day'];
  return `state which number is the day: ${order.evidence}; the ${first} is assumed to come first. If the ${other} does, exchange d and M in date`;
}

function monthDoubt({ doubtfulMonth, locales }: DateColumn): string | undefined {
  if (doubtfulMonth === undefined) return undefined;
  return `state the language of the months: ${quoted(doubtfulMonth)} is read as ${locales.join(', ')}, but is another month in other languages. Set locale to the right one`;
}

function relativeDoubt({ relative }: DateColumn, counted: boolean): string | undefined {
  if (!relative || counted) return undefined;
  return 'state when the export was made, with asOf above or --as-of: these dates count back from it and are left out until it is known';
}

function strayDoubt({ filled }: ColumnProfile, { strays }: DateColumn): string | undefined {
  const share = strays.count / filled.length;
  if (strays.first === undefined || share <= MAX_STRAY_SHARE) return undefined;
  return `${percent(share)} of the values aren't dates, for example ${quoted(strays.first)}: state how to read them`;
}
