/** How a whole column writes its dates: the forms, the order of day and month, the language. */
import { thousands } from '../../model/figures.js';
import { chooseLocales } from './date-pieces.js';
import { type FoundDate, findDate, findSerial, holdsSerials } from './dates.js';
import { absentTexts, isPlaceholder } from './known-values.js';

/** What a column of dates is like. */
export interface DateColumn {
  /** Share of the values that are dates. */
  readonly share: number;
  /** Forms for the step `date`, the most frequent first. */
  readonly forms: readonly string[];
  /** Languages of the month names, the fewest that read all, the most frequent first. */
  readonly locales: readonly string[];
  /** The name of a month that other languages, as likely as these, take for another month. */
  readonly doubtfulMonth: string | undefined;
  readonly precision: FoundDate['precision'];
  readonly relative: boolean;
  /** Share of the dates that state their offset. */
  readonly zoned: number;
  /** Expression that takes the date out of the text around it; absent where there is none. */
  readonly match: string | undefined;
  /** Whether days have endings (5th) that must be taken off. */
  readonly ordinals: boolean;
  /** How the order of day and month was found out; absent where it goes without saying. */
  readonly order: DayOrder | undefined;
  /** Texts before and behind relative dates. */
  readonly around: readonly string[];
  /** Abbreviations of zones among the dates. */
  readonly abbreviations: readonly string[];
  /** Texts that stand for "no date". */
  readonly absent: readonly string[];
  /** Values that are no dates, and don't say so either: how many, and the first. */
  readonly strays: { readonly count: number; readonly first: string | undefined };
}

/** The order of day and month where both stand in digits. */
export interface DayOrder {
  readonly dayFirst: boolean;
  readonly decided: boolean;
  readonly evidence: string;
}

interface Dated {
  readonly text: string;
  readonly found: FoundDate;
}

const RAREST = 0.002;

/**
 * Reads a column's values as dates; nothing when hardly any is one.
 * @param named whether its name speaks of a date
 */
export function dateColumn(texts: readonly string[], named = false): DateColumn | undefined {
  const find = finderFor(texts, named);
  const dated = texts.flatMap((text): Dated[] => {
    const found = find(text);
    return found === undefined ? [] : [{ text, found }];
  });
  const unread = texts.filter((text) => find(text) === undefined);
  const absent = absentTexts(unread);
  const none = unread.filter((text) => absent.includes(text)).length;
  if (dated.length === 0 || dated.length < (texts.length - none) / 2) return undefined;
  const strays = unread.filter((text) => !isPlaceholder(text));
  const order = dayOrder(dated);
  const forms = formsOf(dated, order?.dayFirst ?? true);
  const absolute = dated.filter(({ found }) => found.form !== 'relative');
  return {
    share: dated.length / (texts.length - none),
    forms: forms.length === 0 ? ['relative'] : forms,
    ...localesOf(dated),
    precision: usualPrecision(dated),
    relative: absolute.length < dated.length,
    zoned: dated.filter(({ found }) => found.zoned).length / dated.length,
    ordinals: dated.some(({ found }) => found.ordinal),
    around: aroundRelative(dated),
    abbreviations: [...new Set(dated.flatMap(({ found }) => found.abbreviation ?? []))],
    absent,
    strays: { count: strays.length, first: strays[0] },
    match: matchOf(absolute),
    order,
  };
}

/** How the column's dates are found. Languages that few write are asked only where nothing else is read. */
function finderFor(
  texts: readonly string[],
  named: boolean,
): (text: string) => FoundDate | undefined {
  const serials = holdsSerials(texts, named);
  const worded = texts.filter((text) => WORDED.test(text) && findDate(text) === undefined);
  const tongues = worded.length >= texts.length * MANY_WORDED ? 'all' : 'usual';
  return (text) => (serials ? findSerial(text) : undefined) ?? findDate(text, tongues);
}

/** A year, a word and a day: what a date in an unknown language looks like. */
const WORDED = /^(?=.*(?<!\d)(?:19|20)\d\d(?!\d))(?=.*\p{L}{2}).{6,40}$/u;
const MANY_WORDED = 0.05;

/** Day first or month first: what is above 12 is a day. */
function dayOrder(dated: readonly Dated[]): DayOrder | undefined {
  const pairs = dated.flatMap(({ found }) => (found.numbers === undefined ? [] : [found.numbers]));
  if (pairs.length === 0) return undefined;
  const first = pairs.filter(([a]) => a > 12).length;
  const second = pairs.filter(([, b]) => b > 12).length;
  const [most, least, which, unit] =
    first >= second ? [first, second, 'first', 'day'] : [second, first, 'second', 'month'];
  if (most > 0 && least <= most * 0.02) {
    const evidence = `in ${thousands(most)} of ${thousands(pairs.length)} dates the ${which} number is above 12, so the ${unit} comes first`;
    return { dayFirst: unit === 'day', decided: true, evidence };
  }
  return undecidedOrder(dated, pairs.length);
}

/** What is usual where these separators and clocks are. */
function undecidedOrder(dated: readonly Dated[], count: number): DayOrder {
  const forms = dated.map(({ found }) => found.form);
  const american = forms.some((form) => form.includes('h:')) && forms.some((f) => f.includes('/'));
  const dots = forms.filter((form) => /A\.\s?B/u.test(form)).length > forms.length / 2;
  const evidence = dots
    ? 'dates with dots have the day first'
    : `none of the ${thousands(count)} dates says which number is the day`;
  return { dayFirst: !american, decided: dots, evidence };
}

/** Formats of all dates, the most frequent first. */
function formsOf(dated: readonly Dated[], dayFirst: boolean): readonly string[] {
  const counts = new Map<string, number>();
  const long = dated.some(({ found }) => found.form.includes('MMMM'));
  for (const { found } of dated) {
    // Either token reads full names and short ones.
    const form = ordered(found.form, dayFirst).replace(/M{3,4}/u, long ? 'MMMM' : 'MMM');
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= dated.length * RAREST)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([form]) => form);
}

function ordered(form: string, dayFirst: boolean): string {
  const [first, second] = dayFirst ? ['d', 'M'] : ['M', 'd'];
  return form.replace('A', first).replace('B', second);
}

function localesOf(dated: readonly Dated[]): Pick<DateColumn, 'locales' | 'doubtfulMonth'> {
  const months = dated.flatMap(({ found }) => found.month ?? []);
  const names = months.map(({ name }) => name);
  const candidates = [...new Set(months.flatMap(({ locales }) => locales))];
  return chooseLocales(names, candidates);
}

function usualPrecision(dated: readonly Dated[]): FoundDate['precision'] {
  const counts = new Map<FoundDate['precision'], number>();
  for (const { found } of dated) {
    counts.set(found.precision, (counts.get(found.precision) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'day';
}

/** Needed when other text stands around some of the dates. */
function matchOf(dated: readonly Dated[]): string | undefined {
  const partial = dated.some(
    ({ text, found }) => text.replace(/[\u00a0\u2009\u202f]/gu, ' ') !== found.part,
  );
  if (!partial) return undefined;
  const sources = [...new Set(dated.map(({ found }) => found.match))];
  return sources
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 8)
    .join('|');
}

function aroundRelative(dated: readonly Dated[]): readonly string[] {
  const around = new Set<string>();
  for (const { text, found } of dated) {
    if (found.form !== 'relative') continue;
    const plain = text.split(/\s+/u).join(' ');
    const at = plain.indexOf(found.part);
    const before = plain.slice(0, at).trim();
    const behind = plain.slice(at + found.part.length).trim();
    if (before !== '') around.add(before);
    if (behind !== '') around.add(behind);
  }
  return [...around];
}
