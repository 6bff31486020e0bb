/** Reads dates of a luxon format as luxon does, many times as fast. */
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };
import { localTime, luxon, type SkippedTime, type ToInstant, throughLuxon } from './zones.js';

/** Reads a date: milliseconds since 1970, a time that there wasn't, or nothing. */
export type ReadDate = (text: string) => number | SkippedTime | undefined;

/**
 * Reads dates of one format. The common tokens are compiled to a regular expression; a format with
 * any other goes to luxon, text by text. Against luxon it accepts more: no-break spaces for spaces,
 * and the usual spellings of month names. Years are those of the Buddhist calendar where the locale
 * says so, as `th-u-ca-buddhist` does.
 */
export function parseFormat(format: string, zone: string, locale: string): ReadDate {
  const toInstant = localTime(zone);
  const isBuddhist = locale.includes('-u-') && new Intl.Locale(locale).calendar === 'buddhist';
  const read = planReader(planFormat(format, locale, isBuddhist), toInstant);
  if (isBuddhist) return read ?? (() => undefined);
  if (read !== undefined && hasLatinDigits(locale)) return read;
  const own = luxonReader(format, locale, toInstant);
  return read === undefined ? own : (text) => read(text) ?? own(text);
}

/** Where a language has digits of its own, dates are written in those or in Latin ones. */
function hasLatinDigits(locale: string): boolean {
  // What most mappings say need not be asked: the first question to Intl takes 9 ms.
  if (locale === 'en') return true;
  // Zones are asked of the same class: to start with another takes V8 some 3 ms.
  return new Intl.DateTimeFormat(locale).resolvedOptions().numberingSystem === 'latn';
}

function planReader(plan: FormatPlan | null, toInstant: ToInstant): ReadDate | undefined {
  if (plan === null) return undefined;
  const { pattern, parts, hasNames } = plan;
  // What a format does not name is the first, or zero.
  const year = partReader(parts, 'year', 0);
  const month = partReader(parts, 'month', 1);
  const day = partReader(parts, 'day', 1);
  const hour = partReader(parts, 'hour', 0);
  const minute = partReader(parts, 'minute', 0);
  const second = partReader(parts, 'second', 0);
  const millis = partReader(parts, 'millis', 0);
  const half = partReader(parts, 'half', NaN);
  const offset = partReader(parts, 'offset', NaN);
  return (text) => {
    const found = pattern.exec(text) ?? withoutOddities(text, pattern, hasNames);
    if (found === null) return undefined;
    const wall = wallMillis({
      year: year(found),
      month: month(found),
      day: day(found),
      hour: hour(found),
      minute: minute(found),
      second: second(found),
      millis: millis(found),
      half: half(found),
    });
    if (wall === undefined) return undefined;
    const ahead = offset(found);
    return Number.isNaN(ahead) ? toInstant(wall) : wall - ahead;
  };
}

/** Reads a part of what a format's expression has found. */
function partReader(
  parts: FormatPlan['parts'],
  part: FormatPlan['parts'][number]['part'],
  absent: number,
): (found: RegExpExecArray) => number {
  const at = parts.findIndex((one) => one.part === part);
  const read = parts[at]?.read;
  return read === undefined ? () => absent : (found) => read(found[at + 1] as string);
}

/** Spaces that pages put where a plain one would break the line. */
const SPACES = /[\u00a0\u2009\u202f]/gu;

/** Matches a text that has such spaces, or a month in letters that only differ in case or accents. */
function withoutOddities(text: string, pattern: RegExp, hasNames: boolean): RegExpExecArray | null {
  const plain = text.replace(SPACES, ' ');
  return pattern.exec(plain) ?? (hasNames ? pattern.exec(foldCase(plain)) : null);
}

/** What a wall clock shows. */
interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millis: number;
  /** 0 in the morning, 1 in the afternoon; NaN where the format doesn't say. */
  readonly half: number;
}

/** The same digits in UTC, as milliseconds; nothing when there is no such day or time. */
function wallMillis(wall: WallTime): number | undefined {
  const { year, month, day, minute, second } = wall;
  if (!isDay(year, month, day) || minute > 59 || second > 59) return undefined;
  const time = ((hourOfDay(wall) * 60 + minute) * 60 + second) * 1000 + wall.millis;
  // 24:00 is the next day's midnight; nothing is later.
  return time > 86_400_000 ? undefined : utcMidnight(year, month, day) + time;
}

function hourOfDay({ hour, half }: WallTime): number {
  if (Number.isNaN(half)) return hour;
  if (hour === 12) return 12 * half;
  return hour < 12 ? hour + 12 * half : hour;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  if (day < 1 || month < 1 || month > 12) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && leap ? 29 : (DAYS[month - 1] as number));
}

function utcMidnight(year: number, month: number, day: number): number {
  // Date.UTC takes years below 100 for years of the last century.
  if (year > 99) return Date.UTC(year, month - 1, day);
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Texts whose date is remembered, for formats that luxon reads. */
const MAX_TEXTS = 20_000;

function luxonReader(format: string, locale: string, toInstant: ToInstant): ReadDate {
  const { DateTime } = luxon();
  const known = new Map<string, ReturnType<ReadDate>>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    if (known.size >= MAX_TEXTS) known.clear();
    const date = throughLuxon(
      (zone) => DateTime.fromFormat(text, format, { zone, locale }),
      toInstant,
    );
    known.set(text, date);
    return date;
  };
}

/** The parts of a date that a format can name. */
type DatePart =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millis'
  | 'half'
  | 'offset';

/** A part, and what its text says: a half of the day as 0 or 1, an offset in milliseconds. */
interface FormatPart {
  readonly part: DatePart;
  readonly read: (text: string) => number;
}

/** How to read dates of one format. */
interface FormatPlan {
  /** Matches the dates of this format, with a group for each part, in order. */
  readonly pattern: RegExp;
  readonly parts: readonly FormatPart[];
  /** Whether months stand there by name. */
  readonly hasNames: boolean;
}

type PartPattern = readonly [DatePart, string, read?: FormatPart['read']];

/** Part and expression of each token that is read here; what is absent is left to luxon. */
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
  a: ['half', '[ap]\\.?[ \\u00a0\\u202f]?m\\.?', (text) => Number(/^p/iu.test(text))],
  Z: ['offset', '[+-]\\d{1,2}(?::\\d{2})?', offsetMillis],
  ZZ: ['offset', '[+-]\\d{1,2}(?::\\d{2})?', offsetMillis],
  ZZZ: ['offset', '[+-]\\d{1,2}(?:\\d{2})?', offsetMillis],
};

/** AM and PM in Korean, which Node.js writes in letters of either kind, by its version. */
const KOREAN_HALVES: PartPattern = [
  'half',
  `${TOKENS['a']?.[1]}|오전|오후`,
  (text) => Number(/^(?:p|오후)/iu.test(text)),
];

/** How many years the Buddhist calendar is ahead of the Gregorian one. */
const BUDDHIST_YEARS = 543;

/**
 * How to read a format without luxon; `null` where only luxon knows.
 * @param isBuddhist whether years are those of the Buddhist calendar
 */
function planFormat(format: string, locale: string, isBuddhist: boolean): FormatPlan | null {
  const tokens = formatTokens(format);
  const names = tokens.filter(({ literal }) => !literal).map(({ text }) => text);
  const patterns = names.map((name) => patternOf(name, locale));
  if (!patterns.every((pattern) => pattern !== undefined)) return null;
  const parts = patterns.map(([part, , read = Number]) =>
    part === 'year' && isBuddhist ? { part, read: buddhistYear } : { part, read },
  );
  if (!isReadable(parts, names)) return null;
  const groups = patterns.map(([, source]) => `(${source})`).values();
  const sources = tokens.map(({ literal, text }) =>
    literal ? literally(text) : groups.next().value,
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
  if (new Intl.Locale(locale).language === 'ko') return KOREAN_HALVES;
  // Where a language does not write AM and PM with these letters, luxon knows how it does.
  const halves = printed(locale, { hour: 'numeric', hourCycle: 'h12' }, 'dayPeriod', HALF_DAYS);
  return halves.every((half) => /^[ap]\W*m\W*$/iu.test(half)) ? TOKENS[token] : undefined;
}

/** A morning and an evening. */
const HALF_DAYS: readonly number[] = [Date.UTC(2016, 10, 13, 9), Date.UTC(2016, 10, 13, 19)];

/** A year, no part twice, and AM or PM only beside an hour of the 12-hour clock. */
function isReadable(parts: readonly FormatPart[], tokens: readonly string[]): boolean {
  const kinds = new Set(parts.map(({ part }) => part));
  if (!kinds.has('year') || kinds.size < parts.length) return false;
  return !kinds.has('half') || tokens.some((token) => token.startsWith('h'));
}

/** Two digits above 60 are of the last century, as luxon reads them. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (year > 99) return year;
  return year > 60 ? 1900 + year : 2000 + year;
}

function buddhistYear(digits: string): number {
  return Number(digits.length > 2 ? digits : `25${digits}`) - BUDDHIST_YEARS;
}

function offsetMillis(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})?$/u.exec(offset) ?? [];
  const size = Number(hours) * 60 + Number(minutes ?? 0);
  return (sign === '-' ? -size : size) * 60_000;
}

/** A token such as `yyyy`, or text that stands for itself. */
interface FormatToken {
  readonly literal: boolean;
  readonly text: string;
}

/** Splits a format as luxon does: runs of one letter are tokens, quotes make text literal. */
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
 * Per month, the spellings in use: full, inflected, abbreviated; dots are optional anyway. They are
 * listed in `date-words.json`, beside the language data of Node.js, because that changes from version
 * to version (`sep`, `sept`, `sept.`) and holds one spelling of the several in use.
 */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = WORDS.months;

/** The names of a locale's months and how they are found in a text. */
interface MonthNames {
  /** Source of a regular expression that matches any of the names. */
  readonly pattern: string;
  /** The month's number, from 1. */
  readonly numberOf: (name: string) => number | undefined;
}

/** By locale: to ask Node.js takes longer than to read a hundred dates. */
const namesByLocale = new Map<string, MonthNames>();

/** The month names of a locale, with and without dots and accents. */
export function monthNames(locale: string): MonthNames {
  const names = namesByLocale.get(locale) ?? collectNames(locale);
  namesByLocale.set(locale, names);
  return names;
}

function collectNames(locale: string): MonthNames {
  const numbers = new Map<string, number>();
  const patterns = new Set<string>();
  for (const [index, spellings] of spellingsByMonth(locale).entries()) {
    for (const spelling of spellings) {
      const bare = spelling.normalize('NFD').replace(/\p{M}/gu, '');
      for (const written of [spelling, bare, foldCase(spelling)]) {
        const name = plain(written);
        if (!numbers.has(name)) numbers.set(name, index + 1);
        patterns.add(literally(lower(written)).replaceAll('\\.', '\\.?'));
      }
    }
  }
  const longestFirst = [...patterns].sort((a, b) => b.length - a.length);
  return {
    pattern: `(?:${longestFirst.join('|')})\\.?`,
    numberOf: (name) => numbers.get(plain(name)) ?? numbers.get(plain(foldCase(name))),
  };
}

/**
 * A text in small letters where case alone doesn't give them: Turkish has an i without a dot and an
 * İ with one, and Greek leaves out accents in capitals. Marks of other scripts stay: they are letters.
 */
export function foldCase(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ');
}

/** Ours for some languages, and what Node.js knows for all. */
function spellingsByMonth(locale: string): readonly (readonly string[])[] {
  const ours = SPELLINGS[new Intl.Locale(locale).language] ?? [];
  const names = (['long', 'short'] as const).flatMap((month) => [
    printed(locale, { month, day: 'numeric' }, 'month', FIRST_DAYS),
    printed(locale, { month }, 'month', FIRST_DAYS),
  ]);
  return Array.from({ length: 12 }, (_, month) => [
    ...(ours[month]?.split(' ') ?? []),
    ...names.flatMap((of) => of[month] ?? []),
  ]);
}

const FIRST_DAYS: readonly number[] = Array.from({ length: 12 }, (_, month) =>
  Date.UTC(2009, month, 1),
);

/** How a language prints a part of some instants. */
function printed(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  part: Intl.DateTimeFormatPartTypes,
  instants: readonly number[],
): readonly string[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return instants.map(
    (instant) => format.formatToParts(instant).find(({ type }) => type === part)?.value ?? '',
  );
}

function plain(name: string): string {
  return lower(name).replaceAll('.', '');
}

function lower(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Makes a text match itself in a regular expression. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
