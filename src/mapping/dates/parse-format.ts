/** Reads dates of a luxon format as luxon does, many times as fast. */
import { DateTime } from 'luxon';
import {
  type FormatPlan,
  foldCase,
  formatTokens,
  KOREAN_HALVES,
  monthNames,
  type PartPlace,
  planFormat,
} from './plan-format.js';
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
  const plan = planFormat(formatTokens(format), locale);
  const toInstant = localTime(zone);
  const ahead = yearsAhead(locale);
  if (plan === null) return ahead > 0 ? () => undefined : luxonReader(format, locale, toInstant);
  const read = plan.fixed
    ? fixedReader(plan, toInstant, ahead)
    : groupReader(plan, { locale, ahead }, toInstant);
  if (ahead > 0 || hasLatinDigits(locale)) return read;
  const own = luxonReader(format, locale, toInstant);
  return (text) => read(text) ?? own(text);
}

/** How many years the calendar that a locale names is ahead of the Gregorian one. */
function yearsAhead(locale: string): number {
  return locale.includes('-u-') && new Intl.Locale(locale).calendar === 'buddhist' ? 543 : 0;
}

/** Where a language has digits of its own, dates are written in those or in Latin ones. */
function hasLatinDigits(locale: string): boolean {
  // What most mappings say need not be asked: the first question to Intl takes 9 ms.
  if (locale === 'en') return true;
  // Zones are asked of the same class: to start with another takes V8 some 3 ms.
  return new Intl.DateTimeFormat(locale).resolvedOptions().numberingSystem === 'latn';
}

/** A wall clock's date and time; what a format does not name is the first, or zero. */
interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millis: number;
  /** Whether the hour is one of the afternoon, where the format says so. */
  afternoon: boolean | undefined;
  /** Milliseconds from UTC, where the text says so. */
  offset: number | undefined;
}

/** The parts that are numbers. */
type NumberPart = Exclude<keyof WallTime, 'afternoon' | 'offset'>;

/** Every text has its digits at the same places: they are read from there. */
function fixedReader(
  { pattern, parts }: FormatPlan,
  toInstant: ToInstant,
  ahead: number,
): ReadDate {
  const placeOf = (key: NumberPart) => parts.find((place) => partKey(place) === key);
  const [year, month, day] = [placeOf('year'), placeOf('month'), placeOf('day')];
  const [hour, minute, second] = [placeOf('hour'), placeOf('minute'), placeOf('second')];
  const millis = placeOf('millis');
  return (text) => {
    const plain = plainText(text, pattern);
    if (plain === undefined) return undefined;
    const wall = wallMillis({
      year: numberAt(plain, year, 0) - ahead,
      month: numberAt(plain, month, 1),
      day: numberAt(plain, day, 1),
      hour: numberAt(plain, hour, 0),
      minute: numberAt(plain, minute, 0),
      second: numberAt(plain, second, 0),
      millis: numberAt(plain, millis, 0),
      afternoon: undefined,
      offset: undefined,
    });
    return wall === undefined ? undefined : toInstant(wall);
  };
}

/** The digits of a part; `otherwise` where the format has no such part. */
function numberAt(text: string, place: PartPlace | undefined, otherwise: number): number {
  if (place === undefined) return otherwise;
  const { start = 0, length } = place;
  return digitsAt(text, start, length);
}

/** Anything else is taken from the groups of the expression. */
function groupReader(
  { pattern, parts }: FormatPlan,
  { locale, ahead }: { readonly locale: string; readonly ahead: number },
  toInstant: ToInstant,
): ReadDate {
  const setters = parts.map((place) => partSetter(place, { locale, ahead }));
  const hasNames = parts.some(isNamedMonth);
  return (text) => {
    const plain =
      plainText(text, pattern) ?? (hasNames ? foldCase(text.replace(SPACES, ' ')) : undefined);
    const found = plain === undefined ? null : pattern.exec(plain);
    if (found === null) return undefined;
    const wall = newWallTime();
    for (const [index, set] of setters.entries()) set(wall, found[index + 1] as string);
    const millis = wallMillis(wall);
    if (millis === undefined) return undefined;
    return wall.offset === undefined ? toInstant(millis) : millis - wall.offset;
  };
}

type PartSetter = (wall: WallTime, text: string) => void;

function partSetter(
  place: PartPlace,
  { locale, ahead }: { readonly locale: string; readonly ahead: number },
): PartSetter {
  if (place.part === 'offset') {
    return (wall, text) => {
      wall.offset = offsetMillis(text);
    };
  }
  if (place.part === 'half') {
    return (wall, text) => {
      wall.afternoon = /^p/iu.test(text) || text === KOREAN_HALVES[1];
    };
  }
  const key = partKey(place);
  const number = numberOf(place, locale);
  if (key === 'year' && ahead > 0) {
    return (wall, text) => {
      wall.year = Number(text.length > 2 ? text : `25${text}`) - ahead;
    };
  }
  return (wall, text) => {
    wall[key] = number(text);
  };
}

/** Spaces that pages put where a plain one would break the line. */
const SPACES = /[\u00a0\u2009\u202f]/gu;

/** The text, with plain spaces if need be, if it has the format. */
function plainText(text: string, pattern: RegExp): string | undefined {
  if (pattern.test(text)) return text;
  const plain = text.replace(SPACES, ' ');
  return plain !== text && pattern.test(plain) ? plain : undefined;
}

function newWallTime(): WallTime {
  return {
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    millis: 0,
    afternoon: undefined,
    offset: undefined,
  };
}

function partKey({ part }: PartPlace): NumberPart {
  return part === 'fraction' ? 'millis' : (part as NumberPart);
}

function digitsAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at++) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}

function isNamedMonth({ token }: Pick<PartPlace, 'token'>): boolean {
  return token.length > 2 && /^[ML]/u.test(token);
}

function numberOf({ token }: PartPlace, locale: string): (text: string) => number {
  if (isNamedMonth({ token })) {
    const names = monthNames(locale);
    return (name) => names.numberOf(name) ?? 0;
  }
  if (token === 'yy') return (digits) => fullYear(Number(digits));
  if (token === 'u') return (digits) => Math.floor(Number(`0.${digits}`) * 1000);
  return Number;
}

/** Two digits above 60 are of the last century, as luxon reads them. */
function fullYear(year: number): number {
  if (year > 99) return year;
  return year > 60 ? 1900 + year : 2000 + year;
}

/** The same digits in UTC, as milliseconds; nothing when there is no such day or time. */
function wallMillis(wall: WallTime): number | undefined {
  const { year, month, day, minute, second } = wall;
  if (!isDay(year, month, day) || minute > 59 || second > 59) return undefined;
  const time = ((hourOfDay(wall) * 60 + minute) * 60 + second) * 1000 + wall.millis;
  // 24:00 is the next day's midnight; nothing is later.
  return time > 86_400_000 ? undefined : utcMidnight(year, month, day) + time;
}

function hourOfDay({ hour, afternoon }: WallTime): number {
  if (afternoon === undefined) return hour;
  if (hour === 12) return afternoon ? 12 : 0;
  return afternoon && hour < 12 ? hour + 12 : hour;
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

function offsetMillis(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})?$/u.exec(offset) ?? [];
  const size = Number(hours) * 60 + Number(minutes ?? 0);
  return (sign === '-' ? -size : size) * 60_000;
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
