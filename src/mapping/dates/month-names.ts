/**
 * Names of the months as reviews are dated with them. They are listed in
 * `date-words.json`, beside the language data of Node.js, because that changes from version to version (`sep`, `sept`, `sept.`)
 * and holds one spelling of the several in use.
 */
import { Info } from 'luxon';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };

/** Per month, the spellings in use: full, inflected, abbreviated; dots are optional anyway. */
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
