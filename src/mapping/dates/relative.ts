/** Parses relative dates, for example `vor 2 Monaten`, and counts back from a given moment. */

// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };
import { cached, localTimeConverter, luxon, type SkippedTime } from './zones.js';

type RelativeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

/**
 * Words for relative dates in one language: an entry of `date-words.json`. All words are lower-case
 * and without accents, like the normalised texts they are compared with.
 */
interface RelativeWords {
  /** Text around the count and the unit: `vor *`, `* ago`; `*` is both. */
  readonly frames: readonly string[];
  readonly one: readonly string[];
  /** Words before the count that are ignored: `about`, `over`. */
  readonly roughly: readonly string[];
  /**
   * Names and abbreviations; `_` is a blank. The first, without a number, means one (`tydzien temu`).
   * What `m` means is from Unicode's data for the language.
   */
  readonly units: Readonly<Record<RelativeUnit, string>>;
  /** Words without a count (`yesterday`), in days back. */
  readonly days: Readonly<Record<string, number>>;
  /** None that is a code or a name elsewhere: `na` (now, in Norwegian), `ma` (today, in Hungarian). */
  readonly now: readonly string[];
  /** Words before a time of day: `yesterday at 10:20`. */
  readonly at: readonly string[];
}

export interface TimeSpan {
  readonly unit: RelativeUnit;
  readonly count: number;
  /** Time on that day, in minutes; only of a count of days, as in `yesterday, 10:20`. */
  readonly minuteOfDay?: number;
}

/** Cache size; exports repeat a few dozen texts. */
const MAX_CACHED_SPANS = 5_000;
/**
 * Parses a relative date in any language; `undefined` if it isn't one. The language need not be
 * known: a text never means two different spans.
 */
export const parseTimeSpan: (text: string) => TimeSpan | undefined = cached(
  MAX_CACHED_SPANS,
  (text) => findSpan(normalise(text)),
);

/**
 * Subtracts a span from a moment (milliseconds), by the calendar of a zone; `undefined` beyond what
 * dates can hold.
 */
export function countBack(
  asOf: number,
  { unit, count, minuteOfDay }: TimeSpan,
  zone: string,
): number | SkippedTime | undefined {
  const counted = luxon()
    .DateTime.fromMillis(asOf, { zone })
    .minus({ [unit]: count });
  if (!counted.isValid) return undefined;
  if (minuteOfDay === undefined) return counted.toMillis();
  const { year, month, day } = counted;
  return localTimeConverter(zone)(Date.UTC(year, month - 1, day, 0, minuteOfDay));
}

type SpanReader = (text: string) => TimeSpan | undefined;

const LANGUAGES: readonly RelativeWords[] = Object.values<RelativeWords>(WORDS.relative);

/** Compiled with the first text. */
let patterns: Readonly<Record<'marks' | 'clock', RegExp>> | undefined;
let readers: readonly SpanReader[] | undefined;

function findSpan(text: string): TimeSpan | undefined {
  patterns ??= { marks: marksPattern(), clock: clockPattern() };
  // Most texts aren't relative dates, and one pattern is tried faster than those of all languages.
  if (!patterns.marks.test(text)) return undefined;
  const [, day, hour = '', minute = '', half = ''] = patterns.clock.exec(text) ?? [];
  if (day === undefined) return spanOf(text);
  const minuteOfDay = minutesOf(Number(hour), Number(minute), half);
  const span = spanOf(day);
  if (span?.unit !== 'days' || minuteOfDay === undefined) return undefined;
  return { ...span, minuteOfDay };
}

function spanOf(text: string): TimeSpan | undefined {
  readers ??= LANGUAGES.map(spanReader);
  for (const reader of readers) {
    const span = reader(text);
    if (span !== undefined) return span;
  }
  return undefined;
}

/** Matches texts with a word that a relative date has: that of a frame, of a day, or of now. */
function marksPattern(): RegExp {
  const words = LANGUAGES.flatMap(({ frames, days, now }) => [
    ...frames.map(
      (frame) => frame.split(/ \?|\*/u).toSorted((a, b) => b.length - a.length)[0] ?? '',
    ),
    ...Object.keys(days),
    ...now,
  ]);
  // Some scripts write words without blanks between them.
  const marks = [...new Set(words)].map((word) => (/^[a-z]/.test(word) ? `\\b${word}\\b` : word));
  return new RegExp(marks.join('|'), 'u');
}

/** Splits `yesterday, 10:20` and `hier a 8h30` into the day and the time. */
function clockPattern(): RegExp {
  const at = LANGUAGES.flatMap((words) => words.at).join('|');
  return new RegExp(
    `^(.+?),?(?: (?:${at})\\.?)? (\\d{1,2})[:.h](\\d\\d)(?: ?([ap])\\.?m\\.?| uhr)?$`,
    'u',
  );
}

/** @param half `a` or `p` of a clock with twelve hours; empty for one with 24 */
function minutesOf(hour: number, minute: number, half: string): number | undefined {
  if (minute > 59 || hour > (half === '' ? 23 : 12)) return undefined;
  const hours = half === '' ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return 60 * hours + minute;
}

function spanReader(words: RelativeWords): SpanReader {
  const units = new Map<string, RelativeUnit>();
  /** Names that mean one without saying so. */
  const singular = new Set<string>();
  for (const [unit, list] of Object.entries(words.units)) {
    const names = list.split(' ').map((name) => name.replaceAll('_', ' '));
    for (const name of names) units.set(name, unit as RelativeUnit);
    singular.add(names[0] ?? '');
  }
  const roughly = `(?:(?:${words.roughly.join('|')})\\.? )?`;
  const count = `(${['\\d{1,4}', ...words.one].join('|')})`;
  const unit = `(${[...units.keys()].map((name) => name.replace('.', '\\.')).join('|')})\\.?`;
  const inner = `${roughly}(?:${count} ?)?${unit}`;
  const framed = words.frames.map((frame) => new RegExp(`^${frame.replace('*', inner)}$`, 'u'));
  return (text) => {
    if (words.now.includes(text)) return { unit: 'seconds', count: 0 };
    if (Object.hasOwn(words.days, text)) return { unit: 'days', count: words.days[text] as number };
    for (const pattern of framed) {
      const [, number, name = ''] = pattern.exec(text) ?? [];
      const found = units.get(name);
      const count = countIn(number, singular.has(name));
      if (found !== undefined && count !== undefined) return { unit: found, count };
    }
    return undefined;
  };
}

/** Reads digits, or a word for one. Without either, a singular is one, and "vor Jahren" any number. */
function countIn(number: string | undefined, isSingular: boolean): number | undefined {
  if (number === undefined) return isSingular ? 1 : undefined;
  return /^\d/.test(number) ? Number(number) : 1;
}

function normalise(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’ʼ`´]/gu, "'")
    .replace(/\s+/gu, ' ')
    .trim();
}
