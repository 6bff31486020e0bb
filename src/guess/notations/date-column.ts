/** Analyses a column of dates: formats, order of day and month, languages. */
import { thousands } from '../../model/figures.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };
import { frequencies } from '../ranking.js';
import {
  chooseLocales,
  type DoubtfulMonth,
  type FoundDate,
  findDate,
  findSerial,
  holdsSerials,
} from './dates.js';
import { absentTexts } from './known-values.js';

/** Analysis of a column of dates. */
export interface DateColumn {
  /** Share of the values that are dates. */
  readonly share: number;
  /** Formats for the step `date`, the most frequent first. */
  readonly forms: readonly string[];
  /** Fewest languages that read all month names, the most frequent first. */
  readonly locales: readonly string[];
  readonly doubtfulMonth: DoubtfulMonth | undefined;
  readonly precision: FoundDate['precision'];
  readonly relative: boolean;
  /** Number of relative dates. */
  readonly countedBack: number;
  /** Share of the dates with an offset or a time zone. */
  readonly zoned: number;
  /** Regular expression that extracts the date from the text around it; `undefined` if there is no other text. */
  readonly match: string | undefined;
  /** Whether days have ordinal suffixes (5th), which must be removed. */
  readonly ordinals: boolean;
  /** `undefined` if no date has day and month in digits. */
  readonly order: DayOrder | undefined;
  /** Texts before and after relative dates. */
  readonly around: readonly string[];
  /** Replacements that make the dates readable. */
  readonly replacements: RewrittenDate['replacements'];
  /** Time zone abbreviations that occur. */
  readonly abbreviations: readonly string[];
  /** Texts that mean "no date". */
  readonly absent: readonly string[];
}

type Unit = 'day' | 'month' | 'year';

/** Order of day and month in dates that have both in digits, and of a year of two digits. */
export interface DayOrder {
  /** The unit that comes first; `other` is the one that may come first instead. */
  readonly first: Unit;
  readonly other: Unit;
  /** Whether the dates show the order; otherwise it is assumed. */
  readonly decided: boolean;
  readonly evidence: string;
}

interface Dated {
  readonly text: string;
  readonly found: FoundDate;
}

/** Share of dates below which a format is ignored. */
const MIN_SHARE = 0.002;

/**
 * Analyses a column's values as dates; `undefined` if fewer than half are dates.
 * @param named whether the column's name means a date
 */
export function dateColumn(values: readonly string[], named = false): DateColumn | undefined {
  const rewritten = values.map(rewriteDate);
  const texts = rewritten.map(({ text }) => text);
  const find = finderFor(texts, named);
  const dated = texts.flatMap((text): Dated[] => {
    const found = find(text);
    return found === undefined ? [] : [{ text, found }];
  });
  const unparsed = texts.filter((text) => find(text) === undefined);
  const absent = absentTexts(unparsed);
  const none = unparsed.filter((text) => absent.includes(text)).length;
  if (dated.length === 0 || dated.length < (texts.length - none) / 2) return undefined;
  const order = yearOrder(dated) ?? dayOrder(dated);
  const forms = dateForms(dated, order?.first ?? 'day');
  const absolute = dated.filter(({ found }) => found.form !== 'relative');
  return {
    share: dated.length / (texts.length - none),
    forms: forms.length === 0 ? ['relative'] : forms,
    ...localesOf(dated),
    precision: frequencies(dated.map(({ found }) => found.precision))[0]?.[0] ?? 'day',
    relative: absolute.length < dated.length,
    countedBack: dated.length - absolute.length,
    zoned: dated.filter(({ found }) => found.zoned).length / dated.length,
    ordinals: dated.some(({ found }) => found.ordinal),
    around: aroundRelative(dated),
    replacements: Object.assign({}, ...rewritten.map(({ replacements }) => replacements)),
    abbreviations: [...new Set(dated.flatMap(({ found }) => found.abbreviation ?? []))],
    absent,
    match: dateMatch(absolute),
    order,
  };
}

/** Returns a function that finds a date in a text. Tries rare languages only if many texts need them. */
function finderFor(
  texts: readonly string[],
  named: boolean,
): (text: string) => FoundDate | undefined {
  const serials = holdsSerials(texts, named);
  const worded = texts.filter(
    (text) => LIKE_WORDED_DATE.test(text) && findDate(text) === undefined,
  );
  const scope = worded.length >= texts.length * MIN_WORDED ? 'all' : 'common';
  return (text) => (serials ? findSerial(text) : undefined) ?? findDate(text, scope);
}

/** A year and a word, like a date in an unknown language. */
const LIKE_WORDED_DATE = /^(?=.*(?<!\d)(?:19|20)\d\d(?!\d))(?=.*\p{L}[\p{L}\p{M}]).{6,40}$/u;
/** Share of such texts from which rare languages are tried. */
const MIN_WORDED = 0.005;

/** Finds the order of day and month: a number above 12 is a day. */
function dayOrder(dated: readonly Dated[]): DayOrder | undefined {
  const pairs = dated.flatMap(({ found }) => (found.numbers === undefined ? [] : [found.numbers]));
  if (pairs.length === 0) return undefined;
  const first = pairs.filter(([a]) => a > 12).length;
  const second = pairs.filter(([, b]) => b > 12).length;
  const [most, least, which, unit] =
    first >= second ? [first, second, 'first', 'day'] : [second, first, 'second', 'month'];
  if (most > 0 && least <= most * 0.02) {
    const evidence = `in ${thousands(most)} of ${thousands(pairs.length)} dates the ${which} number is above 12, so the ${unit} comes first`;
    return unit === 'day'
      ? { first: 'day', other: 'month', decided: true, evidence }
      : { first: 'month', other: 'day', decided: true, evidence };
  }
  return undecidedOrder(dated, { count: pairs.length, shown: first + second });
}

/** Assumes the order that is usual with these separators and clocks. */
function undecidedOrder(
  dated: readonly Dated[],
  { count, shown }: { readonly count: number; readonly shown: number },
): DayOrder {
  const forms = dated.map(({ found }) => found.form);
  const american = forms.some((form) => form.includes('h:')) && forms.some((f) => f.includes('/'));
  const dots = forms.filter((form) => /A\.\s?B/u.test(form)).length > forms.length / 2;
  const doubt =
    shown > 0 ? 'some dates have the day first and some the month' : notShown(dated, count);
  const evidence = dots ? 'in dates with dots, the day comes first' : doubt;
  const [first, other] = american ? (['month', 'day'] as const) : (['day', 'month'] as const);
  return { first, other, decided: dots, evidence };
}

/**
 * Finds whether dates like 24/06/03 start with the day or with the year; `undefined` if only the
 * former is possible, or is usual. The number that varies less is the year.
 */
function yearOrder(dated: readonly Dated[]): DayOrder | undefined {
  const dates = dated.flatMap(({ found: { numbers, shortYear } }) =>
    numbers === undefined ? [] : [[...numbers, shortYear ?? Number.NaN] as const],
  );
  const canStart = dates.every(([year, month, day]) => isPast(year, month, day));
  // A first number up to 12 throughout is more likely a month.
  if (!canStart || !dates.some(([first]) => first > 12)) return undefined;
  if (dated.some(({ found }) => found.form.startsWith('A.'))) return undefined;
  const [firsts, lasts] = [0, 2].map((at) => new Set(dates.map((numbers) => numbers[at])).size);
  const isFirst = (firsts as number) < (lasts as number);
  const futures = dates.filter(([, , year]) => year > thisYear() + MAX_YEARS_AHEAD).length;
  if (isFirst && futures > 0) {
    const evidence = `${thousands(futures)} of ${thousands(dates.length)} dates would be in the future if the day came first, so the year does`;
    return { first: 'year', other: 'day', decided: true, evidence };
  }
  const evidence = notShown(dated, dates.length);
  return isFirst
    ? { first: 'year', other: 'day', decided: false, evidence }
    : { first: 'day', other: 'year', decided: false, evidence };
}

/** Stays may be booked for the next years. */
const MAX_YEARS_AHEAD = 2;

/** Returns whether this is a date of this century, at most of this year. */
function isPast(year: number, month: number, day: number): boolean {
  return month <= 12 && day >= 1 && day <= 31 && year <= thisYear();
}

/** In two digits. */
function thisYear(): number {
  return new Date().getUTCFullYear() - 2000;
}

function notShown(dated: readonly Dated[], count: number): string {
  const [example] = dated.flatMap(({ found }) => (found.numbers === undefined ? [] : [found.part]));
  return count === 1
    ? `"${example}" doesn't show it`
    : `none of the ${thousands(count)} dates shows it`;
}

/** Lists the formats of the dates, the most frequent first. */
function dateForms(dated: readonly Dated[], first: Unit): readonly string[] {
  const long = dated.some(({ found }) => found.form.includes('MMMM'));
  // Either token reads both full and short names.
  const forms = dated.map(({ found }) =>
    ordered(found.form, first).replace(/M{3,4}/u, long ? 'MMMM' : 'MMM'),
  );
  return frequencies(forms)
    .filter(([, times]) => times >= dated.length * MIN_SHARE)
    .slice(0, 8)
    .map(([form]) => form);
}

function ordered(form: string, first: Unit): string {
  const plain = form.replace('A', first === 'month' ? 'M' : 'd');
  const inOrder = plain.replace('B', first === 'month' ? 'd' : 'M');
  return first === 'year' ? exchanged(inOrder, 'yy') : inOrder;
}

/** Exchanges the day with the month, or with a year of two digits, in a format. */
export function exchanged(form: string, other: 'M' | 'yy' = 'M'): string {
  const isNumeric = ['d', 'M', other].every((token) => form.split(/\b/u).includes(token));
  const tokens = other === 'M' ? /\b(?:d|M)\b/gu : /\b(?:d|yy)\b/gu;
  return isNumeric ? form.replace(tokens, (token) => (token === 'd' ? other : 'd')) : form;
}

/** Formats in the order that the dates may have instead. */
export function inOtherOrder({ forms, order }: Pick<DateColumn, 'forms' | 'order'>) {
  const isOfYear = order?.first === 'year' || order?.other === 'year';
  return forms.map((form) => exchanged(form, isOfYear ? 'yy' : 'M'));
}

function localesOf(dated: readonly Dated[]): Pick<DateColumn, 'locales' | 'doubtfulMonth'> {
  const months = dated.flatMap(({ found }) => found.month ?? []);
  const names = months.map(({ name }) => name);
  const candidates = [...new Set(months.flatMap(({ locales }) => locales))];
  return chooseLocales(names, candidates);
}

/** Makes the expression that extracts the dates; `undefined` if none has other text around it. */
function dateMatch(dated: readonly Dated[]): string | undefined {
  const partial = dated.some(
    ({ text, found }) => text.replace(/[\u00a0\u2009\u202f]/gu, ' ') !== found.part,
  );
  if (!partial) return undefined;
  const sources = [...new Set(dated.map(({ found }) => found.match))];
  return sources
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 8)
    .join('|');
}

function aroundRelative(dated: readonly Dated[]): readonly string[] {
  const around = new Set<string>();
  for (const { text, found } of dated) {
    if (found.form !== 'relative') continue;
    const plain = text.split(/\s+/u).join(' ');
    const at = plain.indexOf(found.part);
    const before = plain.slice(0, at).trim();
    const behind = plain.slice(at + found.part.length).trim();
    if (before !== '') around.add(before);
    if (behind !== '') around.add(behind);
  }
  return [...around];
}

/** A text with the replacements that were applied to it, for the step `replace`. */
interface RewrittenDate {
  readonly text: string;
  readonly replacements: Readonly<Record<string, string>>;
}

/** First digits of other scripts: Arabic, Persian, Devanagari, Bengali and Thai. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
const DIGITS = ZEROS.flatMap((zero) =>
  Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(zero + digit), String(digit)]),
);
const CLOCK = '(\\d{1,2}(?::\\d{2}){1,2})';
const HALVES = Object.entries(WORDS.dayHalves).map(([half, words]) => [
  `(?:${words})\\s*${CLOCK}`,
  `$1 ${half}`,
]);
/** Years between the Buddhist era and the common one. */
const BUDDHIST_OFFSET = 543;
const BUDDHIST_YEARS = Array.from({ length: 40 }, (_, at) => 2540 + at).map((year) => [
  `(?<!\\d)${year}(?!\\d)`,
  String(year - BUDDHIST_OFFSET),
]);

const REWRITES = [...DIGITS, ...HALVES, ...BUDDHIST_YEARS].map(([source = '', target = '']) => ({
  source,
  target,
  pattern: new RegExp(source, 'gu'),
}));
/** Whether a text may need a replacement. */
const NEEDED = new RegExp(
  `[\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\u09e6-\\u09ef\\u0e50-\\u0e59]|(?<!\\d)25[4-7]\\d(?!\\d)|${Object.values(WORDS.dayHalves).join('|')}`,
  'u',
);

/** Applies the replacements that a date needs. */
function rewriteDate(text: string): RewrittenDate {
  if (!NEEDED.test(text)) return { text, replacements: {} };
  const replacements: Record<string, string> = {};
  let rewritten = text;
  for (const { source, target, pattern } of REWRITES) {
    const next = rewritten.replace(pattern, target);
    if (next !== rewritten) replacements[source] = target;
    rewritten = next;
  }
  return { text: rewritten, replacements };
}
