import { literally } from '../../mapping/dates/parse-format.js';
import type { Rule, RuleObject } from '../../mapping/mapping.js';
import { type Concept, unknownWords } from '../lexicon/name-concepts.js';
import type { DateColumn } from '../notations/date-column.js';
import { ZONES } from '../notations/date-pieces.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  allChosen,
  type Chosen,
  called,
  chosen,
  columnField,
  confidenceOf,
  type DraftField,
  example,
  otherThan,
  percent,
} from './draft.js';

/** When the review was written, and when it was captured. */
export function dateFields(from: Chosen): readonly DraftField[] {
  const published = chosen(from, 'published');
  const captured = allChosen(from, 'downloaded').flatMap((best): readonly DraftField[] => {
    const { profile } = best;
    if (profile.date === undefined) return [];
    const evidence = `${called(profile)} says when the review was captured`;
    const rule = dateRule(profile, profile.date, undefined);
    return [{ ...columnField(['downloaded'], best, evidence), rule }];
  });
  return [
    ...(published === undefined ? [] : publishedField(published.profile, published.score, from)),
    ...captured,
  ];
}

function publishedField(
  profile: ColumnProfile,
  score: number,
  from: Chosen,
): readonly DraftField[] {
  const { date } = profile;
  if (date === undefined) return [];
  const scraped = chosen(from, 'downloaded')?.profile;
  const asOf = scraped?.date === undefined ? undefined : dateRule(scraped, scraped.date, undefined);
  const { low, todo } = dateDoubts(profile, date, { counted: asOf !== undefined, score });
  const clock = isDay(date) ? chosen(from, 'clock')?.profile : undefined;
  const rule = dateRule(profile, date, asOf);
  return [
    {
      path: ['published'],
      rule: clock === undefined ? rule : withClock(rule, profile, clock),
      confidence: low ? 'low' : confidenceOf(score),
      evidence: `${evidenceOf(profile, date, from)}${clock === undefined ? '' : `; ${called(clock)} says at what time; no zone is stated, so UTC is taken (zone: would say another)`}`,
      todo,
    },
  ];
}

/** Whether all dates are days as they stand, to which a time can be added. */
function isDay({ precision, relative, match, absent, ordinals, forms }: DateColumn): boolean {
  const written = !forms.includes('excel-serial');
  const plain = written && match === undefined && absent.length === 0 && !ordinals;
  return precision === 'day' && !relative && plain;
}

/** Reads the day and, where there is one, the time in another column. */
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

/** ISO 8601 wants two digits for the hour. */
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

function evidenceOf(profile: ColumnProfile, date: DateColumn, from: Chosen): string {
  const [first = ''] = profile.filled;
  const others = from.profiles.filter(
    (other) =>
      other !== profile && (other.date?.share ?? 0) >= 0.9 && other.words < 15 && other.urls === 0,
  );
  const month =
    date.precision === 'month' ? '; only the month is stated, so the first of it is taken' : '';
  const order = date.order?.decided === true ? `; ${date.order.evidence}` : '';
  const zone =
    date.precision === 'time' && date.zoned < 0.5
      ? '; no zone is stated, so UTC is taken (zone: would say another)'
      : '';
  const rest = others.length === 0 ? '' : `; other dates: ${others.map(called).join(', ')}`;
  return `${percent(date.share)} of the values in ${called(profile)} are dates such as ${example(first)}${month}${order}${zone}${rest}`;
}

/** The rule that reads a column of dates. */
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
  if (match === undefined) return absent.length === 0 ? {} : { match: otherThan(absent) };
  return { match: relative ? `${match}|^(?!.*(?:${match})).+$` : match };
}

function replaceStep({ ordinals, around, abbreviations }: DateColumn): Pick<RuleObject, 'replace'> {
  const replace: Record<string, string> = {};
  for (const zone of abbreviations) replace[`${zone}(?!\\p{L})`] = ZONES[zone] ?? '';
  if (ordinals) replace['(\\d)(?:st|nd|rd|th|er|º|ª|°)'] = '$1';
  if (around.length > 0) {
    const words = around.slice(0, 20).map(literally).join('|');
    replace[`^(?:${words})\\s*|\\s*(?:${words})$`] = '';
  }
  return Object.keys(replace).length === 0 ? {} : { replace };
}

/** Share of values that may be no dates: slips. */
const TOLERATED = 0.005;

/**
 * The open questions about a column of dates, and whether one of them is which date it is.
 * @param counted whether the file says what relative dates count back from
 */
function dateDoubts(
  profile: ColumnProfile,
  date: DateColumn,
  { counted, score }: { readonly counted: boolean; readonly score: number },
): { readonly low: boolean; readonly todo: string | undefined } {
  const order = orderDoubt(date) ?? monthDoubt(date);
  const purpose =
    confidenceOf(score) === 'low' || !speaksOfWriting(profile)
      ? `check that ${called(profile)} is when the review was written`
      : undefined;
  const doubts = [order, relativeDoubt(date, counted), strayDoubt(profile, date), purpose];
  const told = doubts.filter((doubt) => doubt !== undefined);
  return {
    low: order !== undefined || purpose !== undefined,
    todo: told.length === 0 ? undefined : told.join('; '),
  };
}

const OF_WRITING: readonly Concept[] = ['written', 'review', 'text'];
const OF_ANOTHER: readonly Concept[] = [
  ...(['place', 'id', 'author', 'experience', 'scraped', 'updated', 'version', 'joined'] as const),
  'reply',
];

/** A name that says nothing but "date" is taken at its word; one that nobody knows is not. */
function speaksOfWriting({ name, concepts, column }: ColumnProfile): boolean {
  if (column.unnamed) return false;
  if (OF_WRITING.some((concept) => concepts.has(concept))) return true;
  const own = name.split('.').at(-1) ?? name;
  if (!concepts.has('date') || unknownWords(own) > 0) return false;
  return !OF_ANOTHER.some((concept) => concepts.has(concept));
}

function orderDoubt({ order }: DateColumn): string | undefined {
  if (order?.decided !== false) return undefined;
  const first = order.dayFirst ? 'day' : 'month';
  return `say which number is the day: ${order.evidence}; the ${first} is taken to come first`;
}

function monthDoubt({ doubtfulMonth, locales }: DateColumn): string | undefined {
  if (doubtfulMonth === undefined) return undefined;
  return `say in which language the months are: ${example(doubtfulMonth)} is read as ${locales.join(', ')}, and is another month elsewhere`;
}

function relativeDoubt({ relative }: DateColumn, counted: boolean): string | undefined {
  if (!relative || counted) return undefined;
  return 'say when the export was made, with asOf: above or --as-of: these dates count back from it, and are left out until then';
}

function strayDoubt({ filled }: ColumnProfile, { strays }: DateColumn): string | undefined {
  const share = strays.count / filled.length;
  if (strays.first === undefined || share <= TOLERATED) return undefined;
  return `${percent(share)} of the values aren't dates, for example ${example(strays.first)}: say how to read them`;
}
