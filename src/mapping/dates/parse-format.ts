/** Parses dates in luxon's format language, many times faster than luxon. */

import { escapeRegExp } from '../../model/text.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };
import {
  cached,
  localTimeConverter,
  luxon,
  offsetMillis,
  parseWithLuxon,
  type SkippedTime,
  type ToInstant,
} from './zones.js';

/** Parses a date into milliseconds since 1970, or a time that clocks skipped, or `undefined`. */
export type ReadDate = (text: string) => number | SkippedTime | undefined;

/**
 * Compiles a parser for one format. Common tokens become a regular expression; formats with other
 * tokens are parsed by luxon. Accepts more than luxon: no-break spaces for spaces, and the usual
 * spellings of month names. Years are Buddhist if the locale asks for it (`th-u-ca-buddhist`).
 */
export function parseFormat(format: string, zone: string, locale: string): ReadDate {
  const toInstant = localTimeConverter(zone);
  const isBuddhist = locale.includes('-u-') && new Intl.Locale(locale).calendar === 'buddhist';
  const read = compileReader(compileFormat(format, locale, isBuddhist), toInstant);
  if (isBuddhist) return read ?? (() => undefined);
  if (read !== undefined && hasLatinDigits(locale)) return read;
  const viaLuxon = luxonReader(format, locale, toInstant);
  return read === undefined ? viaLuxon : (text) => read(text) ?? viaLuxon(text);
}

function hasLatinDigits(locale: string): boolean {
  // The most common locale skips Intl, whose first use takes 9 ms.
  if (locale === 'en') return true;
  // zones.ts uses the same class; loading a second one takes V8 some 3 ms.
  return new Intl.DateTimeFormat(locale).resolvedOptions().numberingSystem === 'latn';
}

/** Parts of a date, in the order of their values in {@link ABSENT}. */
const PARTS = [
  ...(['year', 'month', 'day', 'hour', 'minute', 'second', 'millis'] as const),
  ...(['meridiem', 'offset'] as const),
] as const;

type DatePart = (typeof PARTS)[number];

/** Values of parts that a format lacks. A list, since stores by a part's name take V8 longer. */
const ABSENT: readonly number[] = [0, 1, 1, 0, 0, 0, 0, Number.NaN, Number.NaN];
const OFFSET = PARTS.indexOf('offset');

function compileReader(format: FormatPattern | null, toInstant: ToInstant): ReadDate | undefined {
  if (format === null) return undefined;
  const { pattern, parts, hasNames } = format;
  return (text) => {
    const found = pattern.exec(text) ?? matchNormalised(text, pattern, hasNames);
    if (found === null) return undefined;
    const values = ABSENT.slice();
    for (let at = 0; at < parts.length; at += 1) {
      const { index, read } = parts[at] as FormatPart;
      values[index] = read(found[at + 1] as string);
    }
    const wall = wallMillis(values);
    if (wall === undefined) return undefined;
    const offset = values[OFFSET] as number;
    return Number.isNaN(offset) ? toInstant(wall) : wall - offset;
  };
}

/** Spaces that web pages use to prevent line breaks. */
const SPACES = /[\u00a0\u2009\u202f]/gu;

/** Matches after replacing such spaces, then ignoring accents in month names. */
function matchNormalised(text: string, pattern: RegExp, hasNames: boolean): RegExpExecArray | null {
  const plain = text.replace(SPACES, ' ');
  return pattern.exec(plain) ?? (hasNames ? pattern.exec(foldCase(plain)) : null);
}

type NumberForEach<Names> = { readonly [Index in keyof Names]: number };

/**
 * Converts to milliseconds since 1970 as if in UTC; `undefined` if there is no such day or time.
 */
function wallMillis(values: readonly number[]): number | undefined {
  const [year, month, day, hour, minute, second, millis, meridiem] = values as NumberForEach<
    typeof PARTS
  >;
  // Date.UTC reads years below 100 as 19xx.
  const midnight =
    year > 99 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
  if (month < 1 || month > 12 || day < 1 || minute > 59 || second > 59) return undefined;
  // 31 April would be 1 May.
  if (day > 28 && new Date(midnight).getUTCDate() !== day) return undefined;
  const time = ((hourOfDay(hour, meridiem) * 60 + minute) * 60 + second) * 1000 + millis;
  // 24:00 is the next day's midnight, and the latest valid time.
  return time > 86_400_000 ? undefined : midnight + time;
}

function hourOfDay(hour: number, meridiem: number): number {
  if (Number.isNaN(meridiem)) return hour;
  if (hour === 12) return 12 * meridiem;
  return hour < 12 ? hour + 12 * meridiem : hour;
}

const MAX_CACHED_DATES = 20_000;

function luxonReader(format: string, locale: string, toInstant: ToInstant): ReadDate {
  const { DateTime } = luxon();
  return cached(MAX_CACHED_DATES, (text: string) =>
    parseWithLuxon((zone) => DateTime.fromFormat(text, format, { zone, locale }), toInstant),
  );
}

/** A part and how its text is read: AM and PM as 0 and 1, offsets in milliseconds. */
interface FormatPart {
  /** Index in {@link PARTS}. */
  readonly index: number;
  readonly read: (text: string) => number;
}

interface FormatPattern {
  /** Matches dates of this format, with a group for each part, in order. */
  readonly pattern: RegExp;
  readonly parts: readonly FormatPart[];
  readonly hasNames: boolean;
}

type PartPattern = readonly [DatePart, string, read?: FormatPart['read']];

/** Part and regular expression of each supported token; luxon handles all others. */
const TOKENS: Readonly<Record<string, PartPattern>> = {
  y: ['year', '\\d{1,6}'],
  yy: ['year', '\\d{2,4}', fullYear],
  yyyy: ['year', '\\d{4}'],
  M: ['month', '\\d{1,2}'],
  MM: ['month', '\\d{2}'],
  L: ['month', '\\d{1,2}'],
  LL: ['month', '\\d{2}'],
  d: ['day', '\\d{1,2}'],
  dd: ['day', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  h: ['hour', '\\d{1,2}'],
  hh: ['hour', '\\d{2}'],
  m: ['minute', '\\d{1,2}'],
  mm: ['minute', '\\d{2}'],
  s: ['second', '\\d{1,2}'],
  ss: ['second', '\\d{2}'],
  S: ['millis', '\\d{1,3}'],
  SSS: ['millis', '\\d{3}'],
  u: ['millis', '\\d{1,9}', (digits) => Math.floor(Number(`0.${digits}`) * 1000)],
  a: ['meridiem', '[ap]\\.?[ \\u00a0\\u202f]?m\\.?', (text) => Number(/^p/iu.test(text))],
  Z: ['offset', '[+-]\\d{1,2}(?::\\d{2})?', offsetMillis],
  ZZ: ['offset', '[+-]\\d{1,2}(?::\\d{2})?', offsetMillis],
  ZZZ: ['offset', '[+-]\\d{1,2}(?:\\d{2})?', offsetMillis],
};

/** AM and PM in Korean; Node.js versions differ in writing them in Latin or Korean letters. */
const KOREAN_MERIDIEM: PartPattern = [
  'meridiem',
  `${TOKENS['a']?.[1]}|오전|오후`,
  (text) => Number(/^(?:p|오후)/iu.test(text)),
];

const BUDDHIST_YEARS_AHEAD = 543;

/** Compiles a format to be parsed without luxon; `null` if only luxon can. */
function compileFormat(format: string, locale: string, isBuddhist: boolean): FormatPattern | null {
  const tokens = formatTokens(format);
  const names = tokens.filter(({ literal }) => !literal).map(({ text }) => text);
  const patterns = names.map((name) => patternOf(name, locale));
  if (!patterns.every((pattern) => pattern !== undefined)) return null;
  if (!isReadable(patterns, names)) return null;
  const parts = patterns.map(([part, , read = Number]) => ({
    index: PARTS.indexOf(part),
    read: part === 'year' && isBuddhist ? buddhistYear : read,
  }));
  const groups = patterns.map(([, source]) => `(${source})`).values();
  const sources = tokens.map(({ literal, text }) =>
    literal ? escapeRegExp(text) : groups.next().value,
  );
  const pattern = new RegExp(`^${sources.join('')}$`, 'iu');
  return { pattern, parts, hasNames: names.some((name) => NAMED_MONTHS.has(name)) };
}

const NAMED_MONTHS = new Set(['MMM', 'MMMM', 'LLL', 'LLLL']);

function patternOf(token: string, locale: string): PartPattern | undefined {
  if (NAMED_MONTHS.has(token)) {
    const { pattern, numberOf } = monthNames(locale);
    return ['month', pattern, (name) => numberOf(name) ?? 0];
  }
  if (token !== 'a') return TOKENS[token];
  if (new Intl.Locale(locale).language === 'ko') return KOREAN_MERIDIEM;
  // Languages with other letters for AM and PM are left to luxon.
  const clock = { hour: 'numeric', hourCycle: 'h12' } as const;
  const meridiems = formatted(locale, clock, MORNING_AND_EVENING, 'dayPeriod');
  return meridiems.every((meridiem) => /^[ap]\W*m\W*$/iu.test(meridiem))
    ? TOKENS[token]
    : undefined;
}

const MORNING_AND_EVENING: readonly number[] = [
  Date.UTC(2016, 10, 13, 9),
  Date.UTC(2016, 10, 13, 19),
];

/** Returns whether there is a year, no part occurs twice, and AM/PM comes with a 12-hour token. */
function isReadable(patterns: readonly PartPattern[], tokens: readonly string[]): boolean {
  const kinds = new Set(patterns.map(([part]) => part));
  if (!kinds.has('year') || kinds.size < patterns.length) return false;
  return !kinds.has('meridiem') || tokens.some((token) => token.startsWith('h'));
}

/** Expands two-digit years as luxon does: above 60 they are 19xx. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (year > 99) return year;
  return year > 60 ? 1900 + year : 2000 + year;
}

function buddhistYear(digits: string): number {
  return Number(digits.length > 2 ? digits : `25${digits}`) - BUDDHIST_YEARS_AHEAD;
}

interface FormatToken {
  readonly literal: boolean;
  readonly text: string;
}

/** Splits a format as luxon does: runs of one letter are tokens, quoted text is literal. */
export function formatTokens(format: string): readonly FormatToken[] {
  const tokens: FormatToken[] = [];
  const piece = /'([^']*)(?:'|$)|([a-zA-Z])\2*|[^'a-zA-Z]+/gu;
  for (const [whole, quoted, letter] of format.matchAll(piece)) {
    if (quoted !== undefined) tokens.push({ literal: true, text: quoted === '' ? "'" : quoted });
    else tokens.push({ literal: letter === undefined, text: whole });
  }
  return tokens;
}

/**
 * Spellings of month names by language and month: full, inflected, abbreviated. They are data of
 * our own because those of Node.js change between versions (`sep`, `sept`, `sept.`) and hold one
 * spelling each.
 */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = WORDS.months;

interface MonthNames {
  /** Source of a regular expression that matches any of the names. Trailing dots are optional. */
  readonly pattern: string;
  readonly numberOf: (name: string) => number | undefined;
}

/** Size of a cache: asking Intl takes longer than parsing a hundred dates. */
const MAX_LOCALES = 1_000;

export const monthNames: (locale: string) => MonthNames = cached(MAX_LOCALES, collectNames);

function collectNames(locale: string): MonthNames {
  const numbers = new Map<string, number>();
  const patterns = new Set<string>();
  for (const [index, spellings] of spellingsByMonth(locale).entries()) {
    for (const spelling of spellings) {
      const bare = spelling.normalize('NFD').replace(/\p{M}/gu, '');
      for (const written of [spelling, bare, foldCase(spelling)]) {
        const name = withoutDots(written);
        if (!numbers.has(name)) numbers.set(name, index + 1);
        patterns.add(escapeRegExp(lower(written)).replaceAll('\\.', '\\.?'));
      }
    }
  }
  const longestFirst = [...patterns].sort((a, b) => b.length - a.length);
  return {
    pattern: `(?:${longestFirst.join('|')})\\.?`,
    numberOf: (name) => numbers.get(withoutDots(name)) ?? numbers.get(withoutDots(foldCase(name))),
  };
}

/**
 * Lower-cases a text for comparison where case alone isn't enough: Turkish has a dotless ı and a
 * dotted İ, and Greek capitals drop accents. Marks of other scripts stay, because they are letters.
 */
function foldCase(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ');
}

function spellingsByMonth(locale: string): readonly (readonly string[])[] {
  const ours = SPELLINGS[new Intl.Locale(locale).language] ?? [];
  const names = (['long', 'short'] as const).flatMap((month) => [
    formatted(locale, { month, day: 'numeric' }, FIRST_DAYS, 'month'),
    formatted(locale, { month }, FIRST_DAYS),
  ]);
  return Array.from({ length: 12 }, (_, month) => [
    ...(ours[month]?.split(' ') ?? []),
    ...names.flatMap((of) => of[month] ?? []),
  ]);
}

const FIRST_DAYS: readonly number[] = Array.from({ length: 12 }, (_, month) =>
  Date.UTC(2009, month, 1),
);

/**
 * Formats instants in the Gregorian calendar, also where a different one is usual, as in Persian.
 * @param part returned of each; by default the whole: in Japanese, 月 is not part of the month
 */
function formatted(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  instants: readonly number[],
  part?: Intl.DateTimeFormatPartTypes,
): readonly string[] {
  const settings = { calendar: 'gregory', ...options, timeZone: 'UTC' };
  const format = new Intl.DateTimeFormat(locale, settings);
  if (part === undefined) return instants.map((instant) => format.format(instant));
  return instants.map(
    (instant) => format.formatToParts(instant).find(({ type }) => type === part)?.value ?? '',
  );
}

function withoutDots(name: string): string {
  return lower(name).replaceAll('.', '');
}

function lower(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
