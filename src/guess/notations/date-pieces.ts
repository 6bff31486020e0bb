/** Turns a matched date into a format, and finds the languages of month names. */
import { monthNames } from '../../mapping/dates/parse-format.js';
import { escapeRegExp } from '../../model/text.js';
import { wordsOf } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

type Groups = Readonly<Record<string, string | undefined>>;

/** Regular expression for the name of a month in any language. */
export const MONTH =
  "(?:(?:tháng|thg) \\d{1,2}|\\p{Script=Thai}+(?:\\.\\p{Script=Thai}+)*\\.?|\\p{L}[\\p{L}\\p{M}'’]*\\.?)";

/** UTC offsets by time zone abbreviation. */
export const ZONES: Readonly<Record<string, string>> = WORDS.zones;

/** A part of a date, as a luxon format and as a regular expression. */
export interface Piece {
  readonly format: string;
  readonly source: string;
}

/** Returns the pieces of a match, one for each named group, in the order of the text. */
export function piecesOf({ groups = {}, indices }: RegExpExecArray): readonly Piece[] {
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
export type LocaleScope = 'common' | 'all';

/** The service's languages, then those with most speakers, then all others in Unicode's data. */
const LOCALE_GROUPS = WORDS.monthLocales.map(wordsOf);

const known = new Map<string, readonly string[]>();

/** Finds the languages with a month of this name, in the first group that has any. */
export function localesOfMonth(name: string, scope: LocaleScope): readonly string[] {
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
