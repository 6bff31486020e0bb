/** Reads counts: `1,234`, `3 people found this helpful`, `1.2K`, `3万`. */
import type { RuleObject } from '../../mapping/mapping.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

const GROUPED = "\\d{1,3}(?:[.,\\s'’]\\d{3})+(?!\\d)";
const BETWEEN_THOUSANDS = "(?<=\\d)[.,\\s'’](?=\\d{3}(?!\\d))";
const NUMBER = '\\d+(?:[.,]\\d+)?';

/** Powers of ten by the words for them: `k`, `тыс`, `万`. */
const MAGNITUDES: Readonly<Record<string, string>> = WORDS.magnitudes;
const WORDS_BY_LENGTH = Object.keys(MAGNITUDES).toSorted((a, b) => b.length - a.length);
/** Ends the word: `m` is neither in `mil` nor in `m²`. Scripts without blanks have no such end. */
const END = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}²³])';
const SHORTENED = new RegExp(`(${NUMBER})\\s*(${WORDS_BY_LENGTH.join('|')})${END}`, 'iu');

/** Returns whether a text has one whole or shortened number among few words. */
export function isCount(text: string): boolean {
  return text.length < 60 && (/^\D*\d{1,9}\D*$/u.test(text) || isShortened(text));
}

/** Returns whether a number is written with a word for its thousands: `1.2K`. */
export function isShortened(text: string): boolean {
  return SHORTENED.test(text);
}

/** Makes the steps that read the counts of a column, shortened ones by an exponent: `1.2e3`. */
export function countSteps(
  texts: readonly string[],
): Pick<RuleObject, 'match' | 'replace' | 'number'> {
  const grouped = texts.flatMap((text) => new RegExp(GROUPED, 'u').exec(text)?.[0] ?? []);
  const shortened = texts.map((text) => SHORTENED.exec(text)).filter((found) => found !== null);
  const words = [...new Set(shortened.flatMap(([, , word = '']) => wordsLike(word)))];
  const patterns = [
    ...(words.length === 0 ? [] : [`${NUMBER}\\s*(?:${words.join('|')})${END}`]),
    ...(grouped.length === 0 ? [] : [GROUPED]),
    '\\d+',
  ];
  const exponents = words.map((word) => [`\\s*${word}$`, `e${MAGNITUDES[word.toLowerCase()]}`]);
  // In `1,2K` a comma separates decimals, in `1,234` thousands: the latter goes first.
  const replace = grouped.length === 0 ? exponents : [[BETWEEN_THOUSANDS, ''], ...exponents];
  const dotted = grouped.filter((text) => text.includes('.')).length;
  const isComma =
    dotted > grouped.length / 2 || shortened.some(([, number]) => number?.includes(','));
  return {
    match: patterns.join('|'),
    ...(words.length === 0 ? {} : { replace: Object.fromEntries(replace) }),
    number: isComma ? ',' : '.',
  };
}

/** Lists a word with those that the next export may have: `K` with `M`. */
function wordsLike(word: string): readonly string[] {
  return /^[km]$/iu.test(word) ? ['K', 'k', 'M', 'm'] : [word];
}
