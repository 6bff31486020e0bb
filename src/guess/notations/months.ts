/** Month names in a text of which no language is known. */
import { monthNames } from '../../mapping/dates/plan-format.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

/** Whether a name is looked for in the usual languages only, or in all that Node.js knows. */
export type Tongues = 'usual' | 'all';

/** The languages of the service first, then those of most speakers, then all others of Unicode's data. */
const GROUPS = WORDS.monthLocales.map((lines) => lines.flatMap((line) => line.split(' ')));

const known = new Map<string, readonly string[]>();

/** The languages that have a month of this name, of the most usual group in which any has; else none. */
export function localesOfMonth(name: string, tongues: Tongues): readonly string[] {
  const key = `${tongues} ${name}`;
  const locales = known.get(key) ?? findLocales(name, tongues);
  known.set(key, locales);
  return locales;
}

function findLocales(name: string, tongues: Tongues): readonly string[] {
  for (const group of tongues === 'usual' ? GROUPS.slice(0, 1) : GROUPS) {
    const locales = Intl.DateTimeFormat.supportedLocalesOf(group);
    const found = locales.filter((locale) => monthNames(locale).numberOf(name) !== undefined);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The fewest languages that read all names, the most frequent first, and a name that other languages,
 * which read as many, take for another month.
 */
export function chooseLocales(
  names: readonly string[],
  candidates: readonly string[],
): { readonly locales: readonly string[]; readonly doubtfulMonth: string | undefined } {
  const locales: string[] = [];
  let open = names;
  let doubtfulMonth: string | undefined;
  while (open.length > 0 && locales.length < MAX_LOCALES) {
    const counted = candidates.map((locale) => ({ locale, read: readBy(locale, open) }));
    const [best, ...others] = counted.toSorted((one, other) => other.read.length - one.read.length);
    if (best === undefined || best.read.length === 0) break;
    doubtfulMonth ??= best.read.find((name) =>
      others.some(
        ({ locale, read }) =>
          read.length === best.read.length && isOther(name, locale, best.locale),
      ),
    );
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

/** Whether two languages take a name for different months: `listopad` is October or November. */
function isOther(name: string, one: string, other: string): boolean {
  const number = monthNames(one).numberOf(name);
  return number !== undefined && number !== monthNames(other).numberOf(name);
}
