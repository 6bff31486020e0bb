/** Compiles a luxon format to a plan: how to take a text apart without luxon. */
import { Info } from 'luxon';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };

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
export interface FormatPlan {
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
export function planFormat(format: string, locale: string, isBuddhist: boolean): FormatPlan | null {
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
  const halves = Info.meridiems({ locale });
  return halves.every((half) => /^[ap]\W*m\W*$/iu.test(half)) ? TOKENS[token] : undefined;
}

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
export interface FormatToken {
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

const READABLE = new Set(
  (
    'G GG y yy yyyy yyyyy yyyyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo H HH h hh m mm q qq ' +
    's ss S SSS u uu uuu a kk kkkk W WW E EEE EEEE c ccc cccc Z ZZ ZZZ z ' +
    'D DD DDD DDDD f ff fff ffff F FF FFF FFFF'
  ).split(' '),
);

/** Letters that other tools use, and what luxon has for them. */
const OTHER_TOOLS: Readonly<Record<string, string>> = {
  Y: 'the year is yyyy (or yy)',
  YY: 'the year is yyyy (or yy)',
  YYYY: 'the year is yyyy (or yy)',
  A: 'AM and PM are a',
  tt: 'AM and PM are a',
  ZZZZ: 'a zone by its name is z and an offset ZZ; abbreviations such as CEST say too little to be read',
  ZZZZZ: 'a zone by its name is z and an offset ZZ',
  X: 'timestamps are epoch-seconds or epoch-millis',
  x: 'timestamps are epoch-seconds or epoch-millis',
};

/** What is wrong with a date format, as a sentence; nothing when dates can be read with it. */
export function formatMistake(format: string): string | undefined {
  const tokens = formatTokens(format).filter((token) => !token.literal);
  for (const { text } of tokens) {
    if (READABLE.has(text)) continue;
    const remedy = OTHER_TOOLS[text] ?? `text that stands for itself goes in quotes: '${text}'`;
    return `the date format ${JSON.stringify(format)} has the unknown token ${text}; ${remedy}`;
  }
  if (!tokens.some(({ text }) => /^(?:y|kk|D|f|F)/u.test(text))) {
    return `the date format ${JSON.stringify(format)} has no year (yyyy), and the current year is never assumed`;
  }
  const names = tokens.map(({ text }) => text);
  if (names.includes('a') && names.some((name) => name.startsWith('H'))) {
    return `the date format ${JSON.stringify(format)} mixes the 24-hour clock (H) with AM and PM (a); the 12-hour clock is h`;
  }
  return undefined;
}

/**
 * Per month, the spellings in use: full, inflected, abbreviated; dots are optional anyway. They are
 * listed in `date-words.json`, beside the language data of Node.js, because that changes from version
 * to version (`sep`, `sept`, `sept.`) and holds one spelling of the several in use.
 */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = WORDS.months;

/** The names of a locale's months and how they are found in a text. */
export interface MonthNames {
  /** Source of a regular expression that matches any of the names. */
  readonly pattern: string;
  /** The month's number, from 1. */
  readonly numberOf: (name: string) => number | undefined;
}

/** By locale: to ask Node.js takes longer than to read a hundred dates. */
const known = new Map<string, MonthNames>();

/** The month names of a locale, with and without dots and accents. */
export function monthNames(locale: string): MonthNames {
  const names = known.get(locale) ?? collectNames(locale);
  known.set(locale, names);
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
  const printed = (['long', 'short'] as const).flatMap((length) => [
    Info.monthsFormat(length, { locale }),
    Info.months(length, { locale }),
  ]);
  return Array.from({ length: 12 }, (_, month) => [
    ...(ours[month]?.split(' ') ?? []),
    ...printed.flatMap((names) => names[month] ?? []),
  ]);
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
