/** Reads dates of a luxon format as luxon does, many times as fast. */
import { DateTime } from 'luxon';
import { type FormatPlan, foldCase, planFormat } from './plan-format.js';
import { localTime, type SkippedTime, type ToInstant, throughLuxon } from './zones.js';

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
