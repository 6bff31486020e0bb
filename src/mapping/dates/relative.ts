/** Parses relative dates, for example `vor 2 Monaten`, and counts back from a given moment. */

// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };
import { cached, luxon } from './zones.js';

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
  /** Names and abbreviations; the meaning of `m` alone follows Unicode's data for the language. */
  readonly units: Readonly<Record<RelativeUnit, string>>;
  /** Words without a count (`yesterday`), in days back. */
  readonly days: Readonly<Record<string, number>>;
  readonly now: readonly string[];
}

export interface TimeSpan {
  readonly unit: RelativeUnit;
  readonly count: number;
}

/** Cache size; exports repeat a few dozen texts. */
const MAX_CACHED_SPANS = 5_000;
/**
 * Parses a relative date in any language; `undefined` if it isn't one. The language need not be
 * known: no text means different spans in two languages.
 */
export const parseTimeSpan: (text: string) => TimeSpan | undefined = cached(
  MAX_CACHED_SPANS,
  (text) => findSpan(normalise(text)),
);

/** Subtracts a span from a moment (milliseconds), by the calendar of a zone. */
export function countBack(
  asOf: number,
  { unit, count }: TimeSpan,
  zone: string,
): number | undefined {
  const date = luxon()
    .DateTime.fromMillis(asOf, { zone })
    .minus({ [unit]: count });
  return date.isValid ? date.toMillis() : undefined;
}

type SpanReader = (text: string) => TimeSpan | undefined;

let readers: readonly SpanReader[] | undefined;

function findSpan(text: string): TimeSpan | undefined {
  readers ??= Object.values<RelativeWords>(WORDS.relative).map(spanReader);
  for (const reader of readers) {
    const span = reader(text);
    if (span !== undefined) return span;
  }
  return undefined;
}

function spanReader(words: RelativeWords): SpanReader {
  const units = new Map<string, RelativeUnit>();
  for (const [unit, names] of Object.entries(words.units)) {
    for (const name of names.split(' ')) units.set(name, unit as RelativeUnit);
  }
  const roughly = `(?:(?:${words.roughly.join('|')})\\.? )?`;
  const count = `(?:(\\d{1,4})|(?:${words.one.join('|')}))`;
  const unit = `(${[...units.keys()].map((name) => name.replace('.', '\\.')).join('|')})\\.?`;
  const inner = `${roughly}(?:${count} ?)?${unit}`;
  const patterns = words.frames.map((frame) => new RegExp(`^${frame.replace('*', inner)}$`, 'u'));
  return (text) => {
    if (words.now.includes(text)) return { unit: 'seconds', count: 0 };
    if (Object.hasOwn(words.days, text)) return { unit: 'days', count: words.days[text] as number };
    for (const pattern of patterns) {
      const [, digits, name] = pattern.exec(text) ?? [];
      const found = units.get(name ?? '');
      if (found !== undefined) return { unit: found, count: Number(digits ?? 1) };
    }
    return undefined;
  };
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
