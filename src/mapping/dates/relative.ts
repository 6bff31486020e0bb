/** Reads dates such as `vor 2 Monaten`, counted back from a stated moment. */
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './date-words.json' with { type: 'json' };
import { luxon } from './zones.js';

/** What relative dates count in. */
type RelativeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

/**
 * How one language says how long ago something was: an entry of `date-words.json`. All words are in
 * small letters and without accents, as texts are before they are compared.
 */
interface RelativeWords {
  /** Around the count and the unit, such as `vor … ` or `… ago`; `*` stands for both. */
  readonly frames: readonly string[];
  /** Words for one. */
  readonly one: readonly string[];
  /** Words that may precede the count and change little: `about`, `over`. */
  readonly roughly: readonly string[];
  /** Names and abbreviations; `m` alone is what Unicode's data for the language says it is. */
  readonly units: Readonly<Record<RelativeUnit, string>>;
  /** Words that say it without counting: days back. */
  readonly days: Readonly<Record<string, number>>;
  /** Words for this very moment. */
  readonly now: readonly string[];
}

/** How far back a text points. */
export interface TimeSpan {
  readonly unit: RelativeUnit;
  readonly count: number;
}

/** Texts whose span is remembered; exports repeat a few dozen. */
const MAX_TEXTS = 5_000;
const known = new Map<string, TimeSpan | undefined>();

/**
 * The span a text speaks of, in any of the languages; nothing when it speaks of none. A
 * language need not be stated: no text means different spans in two of them.
 */
export function parseTimeSpan(text: string): TimeSpan | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= MAX_TEXTS) known.clear();
  const span = findSpan(plain(text));
  known.set(text, span);
  return span;
}

/** Goes back from a moment (milliseconds), by the calendar of a zone. */
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

/** Small letters, no accents, one kind of space and of apostrophe. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’ʼ`´]/gu, "'")
    .replace(/\s+/gu, ' ')
    .trim();
}
