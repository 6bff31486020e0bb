/** How dates are written: from a text to the format that reads it. */
import { parseTimeSpan } from '../../mapping/dates/relative.js';
import { anyMonth } from './months.js';

/** A date as found in a text. */
export interface FoundDate {
  /**
   * A luxon format or one of the named forms of `date`. Day and month as `A` and `B` where both
   * stand in digits, day first or not: the whole column decides.
   */
  readonly form: string;
  /** The numbers that stand for A and B. */
  readonly numbers?: readonly [number, number];
  /** Languages that have the month's name. */
  readonly locales?: readonly string[];
  readonly precision: 'time' | 'day' | 'month' | 'relative';
  /** The part of the text that is the date. */
  readonly part: string;
  /** Expression that finds such a part. */
  readonly match: string;
  /** Whether an offset or a zone is stated. */
  readonly zoned: boolean;
  /** Whether the day has an ordinal's ending (5th, 1er). */
  readonly ordinal: boolean;
  /** An abbreviated zone (PDT) that has to be replaced by its offset, as the form wants one. */
  readonly abbreviation?: string;
}

/** Offsets of zones as exports abbreviate them. */
export const ZONES: Readonly<Record<string, string>> = {
  PDT: '-0700',
  PST: '-0800',
  MDT: '-0600',
  MST: '-0700',
  CDT: '-0500',
  CST: '-0600',
  EDT: '-0400',
  EST: '-0500',
  BRT: '-0300',
  WEST: '+0100',
  WET: '+0000',
  BST: '+0100',
  CET: '+0100',
  CEST: '+0200',
  MEZ: '+0100',
  MESZ: '+0200',
  SEČ: '+0100',
  SELČ: '+0200',
};

/** Longer texts are no dates, even if one stands in them. */
const LONGEST = 120;
const EARLIEST_SECONDS = Date.UTC(1995, 0) / 1000;
const LATEST_SECONDS = Date.UTC(2100, 0) / 1000;

/** The date in a text; nothing when there is none. */
export function findDate(text: string): FoundDate | undefined {
  if (text.length > LONGEST || text.length < 2) return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(text)) return digitsOnly(text);
  return /\d{2}/u.test(text) || /[''’]\d\d/u.test(text)
    ? (written(text) ?? relative(text))
    : relative(text);
}

const WHOLE = { zoned: false, ordinal: false };

function digitsOnly(text: string): FoundDate | undefined {
  const count = Number(text);
  const zoned = { ...WHOLE, zoned: true, part: text, match: '\\d+' };
  if (count >= EARLIEST_SECONDS && count <= LATEST_SECONDS && !/^(?:19|20)\d{6}$/u.test(text)) {
    return { ...zoned, form: 'epoch-seconds', precision: 'time' };
  }
  if (count >= EARLIEST_SECONDS * 1000 && count <= LATEST_SECONDS * 1000) {
    return { ...zoned, form: 'epoch-millis', precision: 'time' };
  }
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/u.test(text)) {
    return { ...WHOLE, form: 'yyyyMMdd', precision: 'day', part: text, match: '\\d{8}' };
  }
  return undefined;
}

const ISO =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|[+-]\d\d(?::?\d\d)?))?)?$/u;
const ABBREVIATION = Object.keys(ZONES)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const TIME =
  '(?:(?<gap>,? ?(?:T|at|um|à|às|as|a las|v|om|op|kl\\.?|-|–|@|\\|)? ?)(?<H>\\d{1,2})(?<colon>[:hH])(?<m>\\d{2})(?::(?<s>\\d{2})(?<fraction>[.,]\\d{1,9})?)?(?<half> ?[AaPp]\\.?[Mm]\\b\\.?)?(?<zone> ?(?:Z|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2}|UTC|GMT|' +
  `${ABBREVIATION})(?!\\p{L}))?)?`;
const YEAR = '(?<y>\\d{4}|\\d{2}(?!\\d))';

let expressions: readonly RegExp[] | undefined;

/** The ways to write a date, those that say most first. */
function dateExpressions(): readonly RegExp[] {
  if (expressions !== undefined) return expressions;
  const month = `(?<month>${anyMonth().pattern})`;
  const ordinal = '(?<ordinal>st|nd|rd|th|er|º|ª|°)?';
  const start = '(?<![\\p{L}\\d])';
  const end = '(?![\\p{L}\\d])';
  const sources = [
    `(?<!\\d)(?<y>\\d{4})(?<s1>[-/.])(?<M>\\d{1,2})\\k<s1>(?<d>\\d{1,2})(?!\\d)${TIME}`,
    `(?<!\\d)(?<a>\\d{1,2})(?<s1>\\. ?|[-/])(?<b>\\d{1,2})(?<s2>\\. ?|[-/])${YEAR}(?!\\.\\d)${TIME}`,
    `${start}(?<d>\\d{1,2})${ordinal}(?<s1>\\.? ?(?:de |of |d['’] ?)?|[-/])${month}(?<s2>,? (?:de |del )?|[-/]|\\.?,? ['’]?)${YEAR}${end}${TIME}`,
    `${start}${month}(?<s1> |[-/])(?<d>\\d{1,2})${ordinal}(?<s2>,? )(?<y>\\d{4})${TIME}`,
    // Wed Oct 10 20:19:24 +0000 2018, as some services and many programs print a moment.
    `${start}${month}(?<s1> +)(?<d>\\d{1,2})(?<gap> )(?<H>\\d{1,2})(?<colon>:)(?<m>\\d{2}):(?<s>\\d{2})(?<zone> (?:[+-]\\d{4}|UTC|GMT|${ABBREVIATION}))?(?<s2> )(?<y>\\d{4})${end}`,
    `(?<!\\d)(?<a>\\d{1,2})(?<s1> )(?<b>\\d{1,2})(?<s2>, )(?<y>\\d{4})(?!\\d)`,
    `${start}${month}(?<s1>,? (?:de |del )?|[-/]|\\.?,? ['’])(?<y>\\d{4}|\\d{2}(?!\\d))${end}`,
    `^(?<M>\\d{1,2})(?<s1>[-/.])(?<y>\\d{4})$`,
    `^(?<y>\\d{4})(?<s1>[-/.])(?<M>\\d{1,2})$`,
  ];
  expressions = sources.map((source) => new RegExp(source, 'iu'));
  return expressions;
}

type Groups = Readonly<Record<string, string | undefined>>;

function written(raw: string): FoundDate | undefined {
  const text = raw.replace(/[\u00a0\u2009\u202f]/gu, ' ');
  if (ISO.test(text)) {
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
  for (const expression of dateExpressions()) {
    const found = expression.exec(text);
    if (found?.groups === undefined) continue;
    const date = fromGroups(found[0], found.groups);
    if (date !== undefined) return date;
  }
  return undefined;
}

function precisionOf({ H, d, a }: Groups): FoundDate['precision'] {
  if (H !== undefined) return 'time';
  return d !== undefined || a !== undefined ? 'day' : 'month';
}

function fromGroups(part: string, groups: Groups): FoundDate | undefined {
  const pieces = piecesOf(part, groups);
  const { a, b, d, M, month, y } = groups;
  if (!plausible(Number(d ?? 1), Number(M ?? 1), y ?? '')) return undefined;
  if (a !== undefined && (Number(a) > 31 || Number(b) > 31)) return undefined;
  const locales = month === undefined ? undefined : anyMonth().locales(month);
  if (locales?.length === 0) return undefined;
  const zone = groups['zone']?.trim();
  const abbreviation = zone?.toUpperCase();
  return {
    form: pieces.map(({ format }) => format).join(''),
    match: pieces.map(({ source }) => source).join(''),
    precision: precisionOf(groups),
    part,
    zoned: zone !== undefined,
    ordinal: groups['ordinal'] !== undefined,
    ...(a === undefined || b === undefined ? {} : { numbers: [Number(a), Number(b)] as const }),
    ...(locales === undefined ? {} : { locales }),
    ...(abbreviation !== undefined && ZONES[abbreviation] !== undefined ? { abbreviation } : {}),
  };
}

function plausible(day: number, month: number, year: string): boolean {
  if (day < 1 || day > 31 || month < 1 || month > 12) return false;
  return year.length === 2 || (Number(year) >= 1970 && Number(year) < 2100);
}

interface Piece {
  readonly format: string;
  readonly source: string;
}

const ORDER = [
  ['y', 's1', 'M', 's1', 'd'],
  ['a', 's1', 'b', 's2', 'y'],
  ['d', 'ordinal', 's1', 'month', 's2', 'y'],
  ['month', 's1', 'd', 'ordinal', 's2', 'y'],
  ['month', 's1', 'y'],
  ['M', 's1', 'y'],
];
const TIME_ORDER = ['gap', 'H', 'colon', 'm', 's', 'fraction', 'half', 'zone'];
const YEAR_LAST = ['month', 's1', 'd', 'gap', 'H', 'colon', 'm', 's', 'zone', 's2', 'y'];

/** The format and the expression of each group, in the order in which they stand. */
function piecesOf(part: string, groups: Groups): readonly Piece[] {
  const has = (name: string): boolean => groups[name] !== undefined;
  const pieces = (names: readonly string[]): readonly Piece[] =>
    names.flatMap((name) => {
      const text = groups[name];
      return text === undefined || text === '' ? [] : pieceOf(name, text, groups);
    });
  if (has('month') && has('H') && part.endsWith(groups['y'] ?? '') && /^\p{L}/u.test(part)) {
    return pieces(YEAR_LAST);
  }
  const numeric = ORDER.filter((names) => names.every((name) => name === 'ordinal' || has(name)));
  const yearFirst = /^\d{4}/u.test(part);
  const order = numeric.find(
    (names) => (names[0] === 'y') === yearFirst && startsWith(part, groups[names[0] as string]),
  ) ?? ['y', 's1', 'M'];
  return pieces([...order, ...TIME_ORDER]);
}

function startsWith(part: string, text: string | undefined): boolean {
  return text !== undefined && part.startsWith(text);
}

function pieceOf(name: string, text: string, groups: Groups): readonly Piece[] {
  switch (name) {
    case 'y':
      return [digits(text.length === 2 ? 'yy' : 'yyyy', `\\d{${text.length}}`)];
    case 'd':
    case 'M':
      return [digits(name, '\\d{1,2}')];
    case 'a':
    case 'b':
      return [digits(name.toUpperCase(), '\\d{1,2}')];
    case 'month':
      return [digits(text.replaceAll('.', '').length > 4 ? 'MMMM' : 'MMM', '\\p{L}+\\.?')];
    case 'H':
      return [digits(groups['half'] === undefined ? 'H' : 'h', '\\d{1,2}')];
    case 'm':
      return [digits('mm', '\\d{2}')];
    case 's':
      return [literal(':'), digits('ss', '\\d{2}')];
    case 'fraction':
      return [literal(text.charAt(0)), digits('u', '\\d+')];
    case 'half':
      return [...spaceOf(text), digits('a', '[AaPp]\\.?[Mm]\\.?')];
    case 'zone':
      return [...spaceOf(text), ...zonePieces(text.trim())];
    case 'ordinal':
      // A step takes it off before the date is read.
      return [{ format: '', source: '(?:st|nd|rd|th|er|º|ª|°)?' }];
    default:
      return [literal(text)];
  }
}

function digits(format: string, source: string): Piece {
  return { format, source };
}

function spaceOf(text: string): readonly Piece[] {
  return text.startsWith(' ') ? [literal(' ')] : [];
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
  // In a format, text that stands for itself goes in quotes.
  const format = /\p{L}/u.test(text) ? `'${text.replaceAll("'", '’')}'` : text;
  const source = text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&').replace(/\s/gu, '\\s');
  return { format, source };
}

/** Words around `2 weeks ago` that are cut off on the way to it. */
const MOST_WORDS = 12;

function relative(text: string): FoundDate | undefined {
  const words = text.split(/\s+/u);
  if (words.length > MOST_WORDS || text.length > LONGEST) return undefined;
  for (let from = 0; from < words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) {
      const part = words.slice(from, to).join(' ');
      if (part.length < 2 || parseTimeSpan(part) === undefined) continue;
      // A lone word such as "now" or "net" inside a sentence says nothing.
      if (
        to - from === 1 &&
        words.length > 1 &&
        !/^(?:yesterday|gestern|hier|ayer|ontem|gisteren|včera)$/iu.test(part)
      )
        continue;
      return { ...WHOLE, form: 'relative', precision: 'relative', part, match: '' };
    }
  }
  return undefined;
}
