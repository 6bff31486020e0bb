/** Finds dates in texts, with the format that reads them. */
import { parseTimeSpan } from '../../mapping/dates/relative.js';
import { type LocaleScope, localesOfMonth, MONTH, piecesOf, ZONES } from './date-pieces.js';

/** A date found in a text. */
export interface FoundDate {
  /**
   * A luxon format, or a named format like `iso`. If day and month are both in digits, they are `A` and
   * `B` until the column decides their order.
   */
  readonly form: string;
  /** The numbers for `A` and `B`. */
  readonly numbers?: readonly [number, number];
  /** A year of two digits, which may be a day if the date starts with the year. */
  readonly shortYear?: number;
  /** Name of the month, and the languages that use it. */
  readonly month?: { readonly name: string; readonly locales: readonly string[] };
  readonly precision: 'time' | 'day' | 'month' | 'relative';
  /** The part of the text that is the date. */
  readonly part: string;
  /** Regular expression for such a part. */
  readonly match: string;
  /** Whether an offset or a time zone is stated. */
  readonly zoned: boolean;
  /** Whether the day has an ordinal suffix (5th, 1er). */
  readonly ordinal: boolean;
  /** Time zone abbreviation (PDT), which must be replaced by its offset. */
  readonly abbreviation?: string;
}

/** Length of a text that is searched for a date, in UTF-16 code units. */
const MAX_LENGTH = 120;
const EARLIEST_SECONDS = Date.UTC(1995, 0) / 1000;
const LATEST_SECONDS = Date.UTC(2100, 0) / 1000;

/** Finds the date in a text; `undefined` if there is none. */
export function findDate(text: string, scope: LocaleScope = 'common'): FoundDate | undefined {
  if (text.length > MAX_LENGTH || text.length < 2) return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(text)) return digitsOnly(text);
  return /\d{2}/u.test(text) || /[''’]\d\d/u.test(text)
    ? (written(text, scope) ?? relative(text))
    : relative(text);
}

const PLAIN = { zoned: false, ordinal: false };

function digitsOnly(text: string): FoundDate | undefined {
  const count = Number(text);
  const zoned = { ...PLAIN, zoned: true, part: text, match: '\\d+' };
  if (count >= EARLIEST_SECONDS && count <= LATEST_SECONDS && !/^(?:19|20)\d{6}$/u.test(text)) {
    return { ...zoned, form: 'epoch-seconds', precision: 'time' };
  }
  if (count >= EARLIEST_SECONDS * 1000 && count <= LATEST_SECONDS * 1000) {
    return { ...zoned, form: 'epoch-millis', precision: 'time' };
  }
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/u.test(text)) {
    return { ...PLAIN, form: 'yyyyMMdd', precision: 'day', part: text, match: '\\d{8}' };
  }
  return undefined;
}

const ISO =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|[+-]\d\d(?::?\d\d)?))?)?$/u;
const ABBREVIATION = Object.keys(ZONES)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const TIME =
  '(?:(?<gap>,? ?(?:T|at|um|à|às|as|a las|v|om|op|kl\\.?|-|–|@|\\|)? ?)(?<H>\\d{1,2})(?<colon>[:hH]|(?<=[ T]\\d{1,2})\\.(?=\\d{2}(?!\\d)))(?<m>\\d{2})(?:(?<tick>:|(?<=\\.\\d{2})\\.)(?<s>\\d{2})(?<fraction>[.,]\\d{1,9})?)?(?<half> ?[AaPp]\\.? ?[Mm]\\b\\.?)?(?<zone> ?(?:Z|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2}|UTC|GMT|' +
  `${ABBREVIATION})(?!\\p{L}))?)?`;
const YEAR = '(?<y>\\d{4}|\\d{2}(?!\\d))';

const NAME = `(?<month>${MONTH})`;
const ORDINAL = '(?<ordinal>st|nd|rd|th|er|º|ª|°)?';
const START = '(?<![\\p{L}\\d])';
const END = '(?![\\p{L}\\d])';

/** Notations of dates, the most specific first. */
const EXPRESSIONS = [
  `(?<!\\d)(?<y>\\d{4})(?<s1>[-/.]|\\. |年 ?|년 ?)(?<M>\\d{1,2})(?<s2>\\k<s1>|月 ?|월 ?)(?<d>\\d{1,2})(?!\\d)(?<tail>\\.(?!\\d)|日|일)?${TIME}`,
  `(?<!\\d)(?<a>\\d{1,2})(?<s1>\\. ?|[-/])(?<b>\\d{1,2})(?<s2>\\. ?|[-/])${YEAR}(?!\\.\\d)${TIME}`,
  `${START}(?<d>\\d{1,2})${ORDINAL}(?<s1>\\.? ?(?:de |of |d['’] ?|ב)?|[-/])${NAME}(?<s2>,? (?:de |del )?|[-/]|\\.?,? ['’]?)${YEAR}${END}${TIME}`,
  `${START}${NAME}(?<s1> |[-/])(?<d>\\d{1,2})${ORDINAL}(?<s2>,? )(?<y>\\d{4})${TIME}`,
  // Wed Oct 10 20:19:24 +0000 2018, as APIs and C's ctime write timestamps.
  `${START}${NAME}(?<s1> +)(?<d>\\d{1,2})(?<gap> )(?<H>\\d{1,2})(?<colon>:)(?<m>\\d{2})(?<tick>:)(?<s>\\d{2})(?<zone> (?:[+-]\\d{4}|UTC|GMT|${ABBREVIATION}))?(?<s2> )(?<y>\\d{4})${END}`,
  // 2024. március 5., 2024 m. kovo 5 d., 2024. gada 5. marts
  `${START}(?<y>\\d{4})(?<s1>[.,]? (?:\\p{L}\\. )?|[-/])${NAME}(?<s2> |[-/])(?<d>\\d{1,2})(?!\\d)(?<tail>\\.(?!\\d)| d\\.)?${TIME}`,
  `${START}(?<y>\\d{4})(?<s1>[.,]? (?:\\p{L}{1,4}\\.? )?)(?<d>\\d{1,2})(?<s2>\\.? )${NAME}${END}`,
  `(?<!\\d)(?<a>\\d{1,2})(?<s1> )(?<b>\\d{1,2})(?<s2>, )(?<y>\\d{4})(?!\\d)`,
  `${START}${NAME}(?<s1>,? (?:de |del )?|[-/]|\\.?,? ['’])(?<y>\\d{4}|\\d{2}(?!\\d))${END}`,
  `^(?<M>\\d{1,2})(?<s1>[-/.])(?<y>\\d{4})$`,
  `^(?<y>\\d{4})(?<s1>[-/.]|年 ?|년 ?)(?<M>\\d{1,2})(?<tail>月|월)?$`,
].map((source) => new RegExp(source, 'dgiu'));

type Groups = Readonly<Record<string, string | undefined>>;

function written(raw: string, scope: LocaleScope): FoundDate | undefined {
  const text = raw.replace(/[\u00a0\u2009\u202f]/gu, ' ');
  if (ISO.test(text)) {
    const [year = '', month, day] = text.slice(0, 10).split('-');
    if (!plausible(Number(day), Number(month), year)) return undefined;
    const time = text.length > 10;
    const zoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/u.test(text.slice(10));
    return {
      form: 'iso',
      precision: time ? 'time' : 'day',
      part: text,
      match: '\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d\\S*)?',
      zoned,
      ordinal: false,
    };
  }
  for (const expression of EXPRESSIONS) {
    for (const found of overlapping(expression, text)) {
      const date = fromMatch(found, scope);
      if (date !== undefined) return date;
    }
  }
  return undefined;
}

/** Yields all matches, including overlapping ones: in "3 nights 12 May 2024" the second is the date. */
function* overlapping(expression: RegExp, text: string): Generator<RegExpExecArray> {
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    expression.lastIndex = found.index + 1;
    yield found;
  }
}

function precisionOf({ H, d, a }: Groups): FoundDate['precision'] {
  if (H !== undefined) return 'time';
  return d !== undefined || a !== undefined ? 'day' : 'month';
}

function fromMatch(found: RegExpExecArray, scope: LocaleScope): FoundDate | undefined {
  const { groups = {} } = found as { groups?: Groups };
  const { a, b, d, M, month, y } = groups;
  const [one, other] = [Number(a ?? d ?? 1), Number(b ?? M ?? 1)];
  const isDate = (day: number, ofMonth: number): boolean => plausible(day, ofMonth, y ?? '');
  if (!isDate(one, other) && !(a !== undefined && isDate(other, one))) return undefined;
  const locales = month === undefined ? [] : localesOfMonth(month, scope);
  if (month !== undefined && locales.length === 0) return undefined;
  const pieces = piecesOf(found);
  const zone = groups['zone']?.trim();
  const abbreviation = zone?.toUpperCase();
  return {
    form: pieces.map(({ format }) => format).join(''),
    match: pieces.map(({ source }) => source).join(''),
    precision: precisionOf(groups),
    part: found[0],
    zoned: zone !== undefined,
    ordinal: groups['ordinal'] !== undefined,
    ...(a === undefined || b === undefined ? {} : { numbers: [Number(a), Number(b)] as const }),
    ...(y?.length === 2 ? { shortYear: Number(y) } : {}),
    ...(month === undefined ? {} : { month: { name: month, locales } }),
    ...(abbreviation !== undefined && ZONES[abbreviation] !== undefined ? { abbreviation } : {}),
  };
}

function plausible(day: number, month: number, year: string): boolean {
  if (day < 1 || month < 1 || month > 12) return false;
  if (day > new Date(Date.UTC(2000 + (Number(year) % 400), month, 0)).getUTCDate()) return false;
  return year.length === 2 || (Number(year) >= 1970 && Number(year) < 2100);
}

/** Number of words in a text that is searched for a relative date. */
const MAX_WORDS = 12;

function relative(text: string): FoundDate | undefined {
  const words = text.split(/\s+/u);
  if (words.length > MAX_WORDS || text.length > MAX_LENGTH) return undefined;
  for (let from = 0; from < words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) {
      const part = words.slice(from, to).join(' ');
      if (part.length < 2 || parseTimeSpan(part) === undefined) continue;
      // A single word like "now" inside a sentence isn't a date.
      if (
        to - from === 1 &&
        words.length > 1 &&
        !/^(?:yesterday|gestern|hier|ayer|ontem|gisteren|včera)$/iu.test(part)
      )
        continue;
      return { ...PLAIN, form: 'relative', precision: 'relative', part, match: '' };
    }
  }
  return undefined;
}

/** Excel serials of 1 January 2000 and 2040: other numbers rarely all lie between. */
const FIRST_SERIAL = 36_526;
const LAST_SERIAL = 51_136;
/** A serial with a time: more decimals than amounts of money have. */
const SERIAL_TIME = /\.\d{4,}$/u;

/**
 * Returns whether a column's numbers are Excel serials: all in range, and the name or their
 * decimals suggest it.
 */
export function holdsSerials(texts: readonly string[], named: boolean): boolean {
  const numbers = texts.filter((text) => /^\d+(?:\.\d+)?$/u.test(text));
  if (numbers.length < 2 || !numbers.every(isSerial)) return false;
  return named || numbers.filter((text) => SERIAL_TIME.test(text)).length > numbers.length / 2;
}

/** Reads an Excel serial: a date whose cell has lost its format. */
export function findSerial(text: string): FoundDate | undefined {
  if (!/^\d{5}(?:\.\d+)?$/u.test(text) || !isSerial(text)) return undefined;
  const precision = text.includes('.') ? 'time' : 'day';
  return { ...PLAIN, form: 'excel-serial', precision, part: text, match: '\\d{5}(?:\\.\\d+)?' };
}

function isSerial(text: string): boolean {
  const serial = Number(text);
  return serial >= FIRST_SERIAL && serial < LAST_SERIAL;
}
