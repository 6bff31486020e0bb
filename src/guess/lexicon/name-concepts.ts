/** What the name of a column speaks of, in any of the languages of `words.json`. */
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from './words.json' with { type: 'json' };

/** What the words of a column's name can speak of. */
export type Concept = keyof (typeof WORDS)['en'];

let words: ReadonlyMap<string, ReadonlySet<Concept>> | undefined;

/**
 * Every word of every language, in small letters and without accents, with what it speaks of. A word
 * may speak of several things: the values of the column then decide.
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
 * What a name speaks of. Case, accents, camelCase, snake_case and what stands between the words
 * don't matter; compounds (`Bewertungsdatum`, `reviewtext`) are taken apart. Words of a path's last
 * key count, and those before it, as `review.body` says more than `body`.
 */
export function conceptsOf(name: string): ReadonlySet<Concept> {
  const found = new Set<Concept>();
  const all = nameWords(name);
  const asks = all.length > 4;
  for (const word of all) {
    if (asks && LITTLE.has(word)) continue;
    for (const concept of lookUp(word)) found.add(concept);
  }
  const plain = all.join(' ');
  if (/\b(?:number|num) of\b/u.test(plain)) found.add('count').delete('id');
  if (NUMBER_IN_FRENCH.test(plain) && COUNTED.some((concept) => found.has(concept))) {
    found.add('count').delete('name');
    found.delete('author');
  }
  if (found.has('positive') && !found.has('negative') && all.some((word) => NOT.has(word))) {
    found.add('negative').delete('positive');
  }
  return found;
}

/** In a question these join other words; in a name such as `at` or `reviewed on` they speak. */
const LITTLE = new Set('on at by from in up is op am von door no run since of as it'.split(' '));

/** A name in Spanish, a number in French, where it is a number of something. */
const NUMBER_IN_FRENCH = /\bnombre (?:de|d|total)\b/u;
const COUNTED: readonly Concept[] = ['review', 'rating', 'likes', 'comments', 'text'];

/** "What did you not like?", "Was hat Ihnen nicht gefallen?", "¿Qué no le gustó?" */
const NOT = new Set(
  'not didn didnt don dont doesn least less nicht weniger wenigsten no menos pas moins niet minder minst nao ne nejmene'.split(
    ' ',
  ),
);

/** What forms put around a name: `Your name (optional)`. */
const POLITE = new Set(
  'your the display full public shown optional ihr ihre freiwillig optionnel facultatif votre opcional seu sua uw optioneel vase nepovinne'.split(
    ' ',
  ),
);

/** How many words of a name, which is no question, mean nothing that is known: of a thing, mostly. */
export function unknownWords(name: string): number {
  const all = nameWords(name).filter(
    (word) => word.length > 2 && !/^\d+$/u.test(word) && !POLITE.has(word),
  );
  return all.length > 4 ? 0 : all.filter((word) => [...lookUp(word)].length === 0).length;
}

/** The words of a name: `reviewDate_ISO` gives review, date, iso. */
export function nameWords(name: string): readonly string[] {
  return plainWords(
    name
      .replace(/\[\d+\]/gu, ' ')
      // Around each document that Elasticsearch gives.
      .replace(/^_source\./u, '')
      .replace(/^\s*(?:#|№)|\b[nN][°º]/gu, ' nr ')
      // An ID behind a word of another script.
      .replace(/(\p{Lo})([A-Za-z])/gu, '$1 $2')
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
}

/** A text to compare: small letters, no accents, one space between words; signs alone stay. */
export function plainText(text: string): string {
  return nameWords(text.toLowerCase()).join(' ') || text.trim().toLowerCase();
}

function plainWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function lookUp(word: string): Iterable<Concept> {
  const known = dictionary().get(word) ?? dictionary().get(word.replace(/(?<=\p{L}{3})s$/u, ''));
  return known ?? compoundConcepts(word) ?? (/^[a-z]{2,}id$/u.test(word) ? ['id'] : []);
}

/** How a number, which is an id, is written at the end of a compound: `reviewnr`. */
const NUMBER_OF_A_THING = /^(?:id|nr|nro)$/u;
const SHORTEST_PART = 3;
/** Han, kana and Hangul, the latter taken apart: a word may be one character. */
const DENSE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

/** The concepts of a compound's parts, if all of it is made of known words. */
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
  return DENSE.test(word) ? 1 : SHORTEST_PART;
}

function restConcepts(rest: string): readonly Concept[] | undefined {
  if (NUMBER_OF_A_THING.test(rest)) return ['id'];
  if (rest.length < shortestPart(rest)) return undefined;
  const known = dictionary().get(rest);
  return known === undefined ? compoundConcepts(rest) : [...known];
}
