/** Finds the concepts in a column's name, in any language of `words.json`. */
import { repairEncoding } from '../../mapping/steps/repair-encoding.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import GROUPS from './concept-groups.json' with { type: 'json' };
// biome-ignore lint/correctness/useImportExtensions: it is data
import VALUE_WORDS from './value-words.json' with { type: 'json' };
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './words.json' with { type: 'json' };

/**
 * Lists the keys of JSON data. Types are inferred from it, so that declarations have the keys themselves:
 * many programs can't compile declarations that import JSON.
 */
export function keysOf<Data extends object>(data: Data): (keyof Data)[] {
  return Object.keys(data) as (keyof Data)[];
}

const CONCEPTS = keysOf(WORDS.en);
const GROUP_NAMES = keysOf(GROUPS);

/** Meaning of a word in a column's name. */
export type Concept = (typeof CONCEPTS)[number];

/** Returns whether some of the concepts in a column's name belong to a group. */
export function hasAny(
  { concepts }: { readonly concepts: ReadonlySet<Concept> },
  group: (typeof GROUP_NAMES)[number] | readonly string[],
): boolean {
  const wanted: readonly string[] = typeof group === 'string' ? GROUPS[group] : group;
  return [...concepts].some((concept) => wanted.includes(concept));
}

let words: ReadonlyMap<string, ReadonlySet<Concept>> | undefined;

/**
 * Maps every word of every language, in lower case and without accents, to its concepts. If a word has
 * several, the column's values decide later.
 */
function dictionary(): ReadonlyMap<string, ReadonlySet<Concept>> {
  if (words !== undefined) return words;
  const made = new Map<string, Set<Concept>>();
  for (const lexicon of Object.values(WORDS)) {
    for (const [concept, list] of Object.entries(lexicon)) {
      for (const word of plainWords(list)) {
        made.set(word, (made.get(word) ?? new Set()).add(concept as Concept));
      }
    }
  }
  words = made;
  return made;
}

/**
 * Finds the concepts in a name. Case, accents, camelCase, snake_case and separators don't matter;
 * compounds (`Bewertungsdatum`, `reviewtext`) are split. All keys of a path count, as `review.body`
 * is more specific than `body`.
 */
export function conceptsOf(name: string): ReadonlySet<Concept> {
  const all = nameWords(name);
  if (TIMESTAMPS.has(all.join(' '))) return new Set(['date', 'written']);
  const found = wordConcepts(name, all);
  const plain = all.join(' ');
  if (/\b(?:number|num) of\b/u.test(plain)) found.add('count').delete('id');
  if (NUMBER_IN_FRENCH.test(plain) && hasAny({ concepts: found }, 'countable')) {
    found.add('count').delete('name');
    found.delete('author');
  }
  // `nombre` and `jméno` may be anybody's name.
  if (found.has('place') && !all.some((word) => isOf(word, 'author') && !isOf(word, 'name'))) {
    found.delete('author');
  }
  // `by` is a town in Danish, but not in "Handled by".
  if (all.length > 1 && !all.some((word) => word !== 'by' && isOf(word, 'city'))) {
    found.delete('city');
  }
  if (found.has('reply') && areOwnAnswers(name, found)) found.delete('reply');
  if (found.has('positive') && !found.has('negative') && all.some(isNegation)) {
    found.add('negative').delete('positive');
  }
  return found;
}

function isOf(word: string, concept: Concept): boolean {
  return [...lookUp(word)].includes(concept);
}

/**
 * Returns whether answers are the author's, about what was good or bad, and not a reply:
 * `answers.love.value`.
 */
function areOwnAnswers(name: string, concepts: ReadonlySet<Concept>): boolean {
  const isAsked = hasAny({ concepts }, ['positive', 'negative']) || /\banswers\.\w/iu.test(name);
  const replies = nameWords(name).filter((word) => isOf(word, 'reply'));
  return isAsked && replies.every((word) => ANSWERS.has(word));
}

/** Words for an answer to a question, or to a review. */
const ANSWERS = new Set(VALUE_WORDS.answers.flatMap(nameWords));

/** Collects the concepts of a name's words; of a question with unknown words, only those that it asks for. */
function wordConcepts(name: string, all: readonly string[]): Set<Concept> {
  const isLong = all.length > 4 || name.includes('?');
  const content = isLong ? all.filter((word) => !isFunctionWord(word)) : all;
  const found = new Set(content.flatMap((word) => [...lookUp(word)]));
  if (!isLong || !/\s/u.test(name.trim()) || !all.some(isUnknown)) return found;
  // Others are only mentioned in it: wheelchair users, lecture notes.
  return new Set(
    [...found].filter((concept) => hasAny({ concepts: new Set([concept]) }, 'answers')),
  );
}

function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word) || QUESTION_WORDS.has(word);
}

/** Names that form tools give to the time of an answer. */
const TIMESTAMPS = new Set(phrasesOf(VALUE_WORDS.timestamps));

const QUESTION_WORDS = new Set(listWords(VALUE_WORDS.questionWords));

/** Returns whether a word of a question has a meaning that the lexicon doesn't know. */
function isUnknown(word: string): boolean {
  if (word.length < 2 || QUESTION_WORDS.has(word) || FORM_WORDS.has(word)) return false;
  return /\p{L}/u.test(word) && [...lookUp(word)].length === 0;
}

/** Function words that are ignored in a question, but meaningful in a short name like `reviewed on`. */
const FUNCTION_WORDS = new Set(listWords(VALUE_WORDS.functionWords));

/** `nombre` means name in Spanish, but in French, before these words, a number of something. */
const NUMBER_IN_FRENCH = /\bnombre (?:de|d|total)\b/u;

/** Whether a word negates: "What did you not like?", "Was hat Ihnen nicht gefallen?", "¿Qué no le gustó?" */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

const NEGATIONS = new Set(listWords(VALUE_WORDS.negations));

/** Words that forms add to a label: `Your name (optional)`. */
const FORM_WORDS = new Set(listWords(VALUE_WORDS.formWords));

/**
 * Counts the words of a name that aren't in the lexicon, which mostly name other things. 0 for
 * questions, which are full of such words.
 */
export function unknownWords(name: string): number {
  const all = nameWords(name).filter(
    (word) =>
      word.length > 2 && !/^\d+$/u.test(word) && !FORM_WORDS.has(word) && !QUESTION_WORDS.has(word),
  );
  return all.length > 4 ? 0 : all.filter((word) => [...lookUp(word)].length === 0).length;
}

/** Splits a name into words: `reviewDate_ISO` gives review, date, iso. */
export function nameWords(name: string): readonly string[] {
  return plainWords(
    // Trimming may have cut off a no-break space, the end of a garbled name.
    repairEncoding(`${name.trimEnd()}\xa0`)
      .replace(/\[\d+\]/gu, ' ')
      // Elasticsearch wraps each document in this key.
      .replace(/^_source\./u, '')
      .replace(/^\s*(?:#|№)|\b[nN][°º]/gu, ' nr ')
      // Latin letters, often ID, after a word in another script.
      .replace(/(\p{Lo})([A-Za-z])/gu, '$1 $2')
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
}

/** Normalises a text for comparison: lower case, no accents, single spaces. Keeps texts without any word, like emoji. */
export function plainText(text: string): string {
  return nameWords(text.toLowerCase()).join(' ') || text.trim().toLowerCase();
}

/** The words of a list. */
export function listWords(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** The phrases of a list, normalised for comparison. */
export function phrasesOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('|')).map(plainText);
}

function plainWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function lookUp(word: string): Iterable<Concept> {
  const known = dictionary().get(word) ?? dictionary().get(word.replace(/(?<=\p{L}{3})s$/u, ''));
  return known ?? compoundConcepts(word) ?? (ID_WORD.test(word) ? ['id'] : []);
}

/** A word that names an id: `steamid`, but not `android`. */
const ID_WORD = /^(?!(?:andro|pa|unpa|val|inval|avo|hybr|cov|gr|rap|sol|ra|flu)id$)[a-z]{2,}id$/u;
/** End of a compound that names an id: `reviewnr`. */
const ID_SUFFIX = /^(?:id|nr|nro)$/u;
const MIN_PART_LENGTH = 3;
/** Han, kana and decomposed Hangul, where a word may be one character. */
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** Finds the concepts of a compound; `undefined` unless all its parts are known words. */
function compoundConcepts(word: string): readonly Concept[] | undefined {
  const shortest = shortestPart(word);
  for (let length = word.length - 1; length >= shortest; length -= 1) {
    const head = dictionary().get(word.slice(0, length));
    if (head === undefined) continue;
    const rest = word.slice(length);
    const tail = restConcepts(rest) ?? restConcepts(rest.replace(/^(?:s|n|en|es)/u, ''));
    if (tail !== undefined) return [...head, ...tail];
  }
  return undefined;
}

function shortestPart(word: string): number {
  return EAST_ASIAN.test(word) ? 1 : MIN_PART_LENGTH;
}

function restConcepts(rest: string): readonly Concept[] | undefined {
  if (ID_SUFFIX.test(rest)) return ['id'];
  if (rest.length < shortestPart(rest)) return undefined;
  const known = dictionary().get(rest);
  return known === undefined ? compoundConcepts(rest) : [...known];
}
