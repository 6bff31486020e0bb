/** Month names of the service's languages, found in a text of which no language is known. */
import { monthNames } from '../../mapping/dates/month-names.js';

const LOCALES = ['en', 'es', 'fr', 'de', 'pt', 'nl', 'cs'] as const;

let known:
  | { readonly pattern: string; readonly locales: (name: string) => readonly string[] }
  | undefined;

/** Source of an expression for a month's name in any language, and the languages that have a name. */
export function anyMonth(): NonNullable<typeof known> {
  if (known !== undefined) return known;
  const all = LOCALES.map((locale) => ({ locale, ...monthNames(locale) }));
  const sources = all.map(({ pattern }) => pattern.replace(/\\\.\?$/u, '')).join('|');
  const names = [...new Set(sources.replace(/\(\?:|\)/gu, '').split('|'))].filter((name) =>
    /\p{L}/u.test(name),
  );
  const longestFirst = names.toSorted((a, b) => b.length - a.length).join('|');
  known = {
    pattern: `(?:${longestFirst})\\.?`,
    locales: (name) =>
      all.filter(({ numberOf }) => numberOf(name) !== undefined).map(({ locale }) => locale),
  };
  return known;
}
