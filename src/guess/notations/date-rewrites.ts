/** Rewrites parts of dates that the step `date` doesn't read: other digits, day halves and eras. */
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

/** A text with the replacements that were applied to it, for the step `replace`. */
export interface RewrittenDate {
  readonly text: string;
  readonly replacements: Readonly<Record<string, string>>;
}

/** First digits of other scripts: Arabic, Persian, Devanagari, Bengali and Thai. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
const DIGITS = ZEROS.flatMap((zero) =>
  Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(zero + digit), String(digit)]),
);
const CLOCK = '(\\d{1,2}(?::\\d{2}){1,2})';
const HALVES = Object.entries(WORDS.dayHalves).map(([half, words]) => [
  `(?:${words})\\s*${CLOCK}`,
  `$1 ${half}`,
]);
/** Years between the Buddhist era and the common one. */
const BUDDHIST_OFFSET = 543;
const BUDDHIST_YEARS = Array.from({ length: 40 }, (_, at) => 2540 + at).map((year) => [
  `(?<!\\d)${year}(?!\\d)`,
  String(year - BUDDHIST_OFFSET),
]);

const REWRITES = [...DIGITS, ...HALVES, ...BUDDHIST_YEARS].map(([source = '', instead = '']) => ({
  source,
  instead,
  pattern: new RegExp(source, 'gu'),
}));
/** Whether a text may need a replacement. */
const NEEDED = new RegExp(
  `[\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\u09e6-\\u09ef\\u0e50-\\u0e59]|(?<!\\d)25[4-7]\\d(?!\\d)|${Object.values(WORDS.dayHalves).join('|')}`,
  'u',
);

/** Applies the replacements that a date needs. */
export function rewriteDate(text: string): RewrittenDate {
  if (!NEEDED.test(text)) return { text, replacements: {} };
  const replacements: Record<string, string> = {};
  let rewritten = text;
  for (const { source, instead, pattern } of REWRITES) {
    const next = rewritten.replace(pattern, instead);
    if (next !== rewritten) replacements[source] = instead;
    rewritten = next;
  }
  return { text: rewritten, replacements };
}
