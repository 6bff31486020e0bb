/** Recognises columns that say in another language what a different one says. */
import { detectLanguage } from '../../mapping/steps/text.js';
import { conceptsOf, hasAny, nameWords } from '../lexicon/name-concepts.js';
import { languageCode } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';

/** Number of records whose languages are compared. */
const MAX_COMPARED = 40;
/** Minimum share of the translations whose original is there. */
const MIN_ORIGINALS = 0.9;

/**
 * Returns whether a column translates a different one, by their names and languages: `body_en` that
 * of `body`, `text` that of `originalText`.
 */
export function translates(one: ColumnProfile, original: ColumnProfile): boolean {
  const [own, other] = [nameParts(one), nameParts(original)];
  const isMarked = (own.isTranslated && !other.isTranslated) || other.isOriginal;
  const isAlike = own.base === other.base || own.base === '' || other.base === '';
  if (one === original || !isMarked || own.isOriginal || !isAlike) return false;
  const pairs = one.column.texts.flatMap((text, at) => {
    const source = original.column.texts[at];
    return text === undefined || source === undefined ? [] : [[text, source] as const];
  });
  const told = pairs
    .slice(0, MAX_COMPARED)
    .map((texts) => texts.map((text) => detectLanguage(text)));
  const known = told.filter(([first, second]) => first !== undefined && second !== undefined);
  const isWhole = pairs.length >= one.filled.length * MIN_ORIGINALS;
  return isWhole && known.filter(([first, second]) => first !== second).length > known.length / 2;
}

/** Takes apart a name: what it is about, and what it says of translations. */
function nameParts({ name }: ColumnProfile) {
  const words = nameWords(name);
  const isOf = (word: string, concept: string): boolean =>
    hasAny({ concepts: conceptsOf(word) }, [concept]);
  const marks = words.filter((word) => languageCode(word) !== undefined || isOf(word, 'processed'));
  const originals = words.filter((word) => isOf(word, 'original'));
  const base = words.filter((word) => !marks.includes(word) && !originals.includes(word)).join(' ');
  return { base, isTranslated: marks.length > 0, isOriginal: originals.length > 0 };
}
