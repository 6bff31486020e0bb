/** Finds dates in texts, with the format that reads them. */
import { monthNames } from '../../mapping/dates/parse-format.js';
import { parseTimeSpan } from '../../mapping/dates/relative.js';
import { escapeRegExp } from '../../model/text.js';
import { listWords } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

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

/** Regular expression for the name of a month in any language. */
const MONTH =
  "(?:(?:tháng|thg) \\d{1,2}|\\p{Script=Thai}+(?:\\.\\p{Script=Thai}+)*\\.?|\\p{L}[\\p{L}\\p{M}'’]*\\.?)";

/** UTC offsets by time zone abbreviation. */
export const ZONES: Readonly<Record<string, string>> = WORDS.zones;

/** Length of a text that is searched for a date, in UTF-16 code units. */
const MAX_LENGTH = 120;
const EARLIEST_SECONDS = Date.UTC(1995, 0) / 1000;
const LATEST_SECONDS = Date.UTC(2100, 0) / 1000;

/** Finds the date in a text; `undefined` if there is none. */
export function findDate(text: string, scope: LocaleScope = 'common'): FoundDate | undefined {
  if (text.length > MAX_LENGTH || text.length < 2) return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(text)) return digitsOnly(text);
  const mayBeWritten = /\d{2}/u.test(text) || /[''’]\d\d/u.test(text);
  // `3 days ago, 08:12` is no August of 2008, although "ago" is one in Portuguese.
  const isWritten = mayBeWritten && parseTimeSpan(text) === undefined;
  return (isWritten ? written(text, scope) : undefined) ?? relative(text);
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
  const pieces = datePieces(found);
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

/** A part of a date, as a luxon format and as a regular expression. */
interface Piece {
  readonly format: string;
  readonly source: string;
}

/** Returns the pieces of a match, one for each named group, in the order of the text. */
function datePieces({ groups = {}, indices }: RegExpExecArray): readonly Piece[] {
  const places = Object.entries(indices?.groups ?? {}).flatMap(([name, place]) =>
    place === undefined ? [] : [{ name, start: place[0] }],
  );
  return places
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ name }) => {
      const text = groups[name] ?? '';
      return text === '' ? [] : pieceOf(name, text, groups);
    });
}

/** Formats and expressions of the groups that are always written in the same way. */
const PIECES: Readonly<Partial<Record<string, Piece>>> = {
  d: digits('d', '\\d{1,2}'),
  M: digits('M', '\\d{1,2}'),
  a: digits('A', '\\d{1,2}'),
  b: digits('B', '\\d{1,2}'),
  m: digits('mm', '\\d{2}'),
  s: digits('ss', '\\d{2}'),
  // A replace step removes it before the date is read.
  ordinal: digits('', '(?:st|nd|rd|th|er|º|ª|°)?'),
};

function pieceOf(name: string, text: string, groups: Groups): readonly Piece[] {
  const fixed = PIECES[name];
  if (fixed !== undefined) return [fixed];
  const space = text.startsWith(' ') ? [literal(' ')] : [];
  switch (name) {
    case 'y':
      return [digits(text.length === 2 ? 'yy' : 'yyyy', `\\d{${text.length}}`)];
    case 'month':
      return [digits(text.replaceAll('.', '').length > 4 ? 'MMMM' : 'MMM', MONTH)];
    case 'H':
      return [digits(groups['half'] === undefined ? 'H' : 'h', '\\d{1,2}')];
    case 'fraction':
      return [literal(text.charAt(0)), digits('u', '\\d+')];
    case 'half':
      return [...space, digits('a', '[AaPp]\\.?\\s?[Mm]\\.?')];
    case 'zone':
      return [...space, ...zonePieces(text.trim())];
    default:
      return [literal(text)];
  }
}

function digits(format: string, source: string): Piece {
  return { format, source };
}

function zonePieces(zone: string): readonly Piece[] {
  if (ZONES[zone.toUpperCase()] !== undefined) return [digits('ZZZ', '\\p{L}{3,4}')];
  const name = /^(?:Z|UTC|GMT)/iu.exec(zone)?.[0] ?? '';
  const offset = zone.slice(name.length);
  const named = name === '' ? [] : [literal(name)];
  if (offset === '') return named;
  return [...named, digits(offset.includes(':') ? 'ZZ' : 'ZZZ', '[+-]\\d{2}:?\\d{2}')];
}

function literal(text: string): Piece {
  // Luxon formats quote literal text.
  const format = /\p{L}/u.test(text) ? `'${text.replaceAll("'", '’')}'` : text;
  const source = escapeRegExp(text).replace(/\s/gu, '\\s');
  return { format, source };
}

/** Languages to search for month names: the common ones, or all that Node.js supports. */
type LocaleScope = 'common' | 'all';

/** The service's languages, then those with most speakers, then all others in Unicode's data. */
const LOCALE_GROUPS = WORDS.monthLocales.map(listWords);

const known = new Map<string, readonly string[]>();

/** Finds the languages with a month of this name, in the first group that has any. */
function localesOfMonth(name: string, scope: LocaleScope): readonly string[] {
  const key = `${scope} ${name}`;
  const locales = known.get(key) ?? findLocales(name, scope);
  known.set(key, locales);
  return locales;
}

function findLocales(name: string, scope: LocaleScope): readonly string[] {
  for (const group of scope === 'common' ? LOCALE_GROUPS.slice(0, 1) : LOCALE_GROUPS) {
    const locales = Intl.DateTimeFormat.supportedLocalesOf(group);
    const found = locales.filter((locale) => monthNames(locale).numberOf(name) !== undefined);
    if (found.length > 0) return found;
  }
  return [];
}

/** The name of a month that an equally good language takes for another month. */
export interface DoubtfulMonth {
  readonly name: string;
  readonly locale: string;
}

/** Chooses the fewest languages that read all names, the most frequent first. */
export function chooseLocales(
  names: readonly string[],
  candidates: readonly string[],
): { readonly locales: readonly string[]; readonly doubtfulMonth: DoubtfulMonth | undefined } {
  const locales: string[] = [];
  let open = names;
  let doubtfulMonth: DoubtfulMonth | undefined;
  while (open.length > 0 && locales.length < MAX_LOCALES) {
    const counted = candidates.map((locale) => ({ locale, read: readBy(locale, open) }));
    const [best, ...others] = counted.toSorted((one, other) => other.read.length - one.read.length);
    if (best === undefined || best.read.length === 0) break;
    doubtfulMonth ??= others
      .filter(({ read }) => read.length === best.read.length)
      .flatMap(({ locale }) =>
        best.read.flatMap((name) => (isOther(name, locale, best.locale) ? [{ name, locale }] : [])),
      )[0];
    locales.push(best.locale);
    open = open.filter((name) => !best.read.includes(name));
  }
  return { locales, doubtfulMonth };
}

const MAX_LOCALES = 12;

function readBy(locale: string, names: readonly string[]): readonly string[] {
  const { numberOf } = monthNames(locale);
  return names.filter((name) => numberOf(name) !== undefined);
}

/** Returns whether two languages use a name for different months: `listopad` is October or November. */
function isOther(name: string, one: string, other: string): boolean {
  const number = monthNames(one).numberOf(name);
  return number !== undefined && number !== monthNames(other).numberOf(name);
}
