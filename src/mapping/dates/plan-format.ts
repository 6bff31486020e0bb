/** Compiles a luxon format to a plan: how to take a text apart without luxon. */
import { Info } from 'luxon';
import type { FormatToken } from './format-tokens.js';
import { literally, monthNames } from './month-names.js';

/** The parts of a date that a format can name. */
type DatePart =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'offset';

/** Where a format has a part. */
export interface PartPlace {
  readonly part: DatePart;
  readonly token: string;
  /** Offset in the text if everything before it has one width; otherwise nothing. */
  readonly start: number | undefined;
  readonly length: number;
}

/** How to read dates of one format. */
export interface FormatPlan {
  /** Matches the dates of this format, with a group for each part, in order. */
  readonly pattern: RegExp;
  readonly parts: readonly PartPlace[];
  /** Whether all parts are digits that stand at the same place in every text. */
  readonly fixed: boolean;
}

/** Part and expression of each token that is read here; what is absent is left to luxon. */
const TOKENS: Readonly<Record<string, readonly [DatePart, string]>> = {
  y: ['year', '\\d{1,6}'],
  yy: ['year', '\\d{2,4}'],
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
  S: ['fraction', '\\d{1,3}'],
  SSS: ['fraction', '\\d{3}'],
  u: ['fraction', '\\d{1,9}'],
  a: ['half', '[ap]\\.?[ \\u00a0\\u202f]?m\\.?'],
  Z: ['offset', '[+-]\\d{1,2}(?::\\d{2})?'],
  ZZ: ['offset', '[+-]\\d{1,2}(?::\\d{2})?'],
  ZZZ: ['offset', '[+-]\\d{1,2}(?:\\d{2})?'],
};

const NAMED_MONTHS = new Set(['MMM', 'MMMM', 'LLL', 'LLLL']);

/** AM and PM in Korean, which Node.js writes in letters of either kind, by its version. */
export const KOREAN_HALVES = ['오전', '오후'] as const;

/** How to read a format without luxon; `null` where only luxon knows. */
export function planFormat(tokens: readonly FormatToken[], locale: string): FormatPlan | null {
  const pieces = tokens.map((token) => pieceOf(token, locale));
  if (!pieces.every((piece) => piece !== null)) return null;
  const parts: PartPlace[] = [];
  let start: number | undefined = 0;
  for (const { part, token, width } of pieces) {
    if (part !== undefined) parts.push({ part, token, start, length: width ?? 0 });
    start = start === undefined || width === undefined ? undefined : start + width;
  }
  if (!isReadable(parts)) return null;
  const pattern = new RegExp(`^${pieces.map(({ source }) => source).join('')}$`, 'iu');
  return { pattern, parts, fixed: start !== undefined };
}

/** A token or a literal text, as it is matched. */
interface Piece {
  readonly part: DatePart | undefined;
  readonly token: string;
  /** Source of a regular expression; a part is a group. */
  readonly source: string;
  /** Number of characters, where it is always the same. */
  readonly width: number | undefined;
}

function pieceOf({ literal, text }: FormatToken, locale: string): Piece | null {
  if (literal) return { part: undefined, token: text, source: literally(text), width: text.length };
  const [part, source] = tokenPattern(text, locale) ?? [];
  if (part === undefined) return null;
  return { part, token: text, source: `(${source})`, width: fixedWidth(source ?? '') };
}

function tokenPattern(token: string, locale: string): readonly [DatePart, string] | undefined {
  if (NAMED_MONTHS.has(token)) return ['month', monthNames(locale).pattern];
  if (token === 'a' && new Intl.Locale(locale).language === 'ko') {
    return ['half', `${TOKENS['a']?.[1]}|${KOREAN_HALVES.join('|')}`];
  }
  // Where a language does not write AM and PM with these letters, luxon knows how it does.
  return token === 'a' && !writesAmAndPm(locale) ? undefined : TOKENS[token];
}

function writesAmAndPm(locale: string): boolean {
  const halves = Info.meridiems({ locale });
  return halves.every((half) => /^[ap]\W*m\W*$/iu.test(half));
}

function fixedWidth(pattern: string): number | undefined {
  const width = /^\\d\{(\d)\}$/u.exec(pattern)?.[1];
  return width === undefined ? undefined : Number(width);
}

/** A year, no part twice, and AM or PM only beside an hour of the 12-hour clock. */
function isReadable(parts: readonly PartPlace[]): boolean {
  const kinds = new Set(parts.map(({ part }) => part));
  if (!kinds.has('year') || kinds.size < parts.length) return false;
  return !kinds.has('half') || parts.some(({ token }) => token.startsWith('h'));
}
