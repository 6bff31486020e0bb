/** What the name of a column speaks of, in any of the service's seven languages. */
import type { Concept, Lexicon } from './lexicon/concepts.js';
import { CS } from './lexicon/cs.js';
import { DE } from './lexicon/de.js';
import { EN } from './lexicon/en.js';
import { ES } from './lexicon/es.js';
import { FR } from './lexicon/fr.js';
import { NL } from './lexicon/nl.js';
import { PT } from './lexicon/pt.js';

const LEXICONS: readonly Lexicon[] = [CS, DE, EN, ES, FR, NL, PT];

let words: ReadonlyMap<string, ReadonlySet<Concept>> | undefined;

/** Every word of every language, with what it speaks of. */
function dictionary(): ReadonlyMap<string, ReadonlySet<Concept>> {
  if (words !== undefined) return words;
  const made = new Map<string, Set<Concept>>();
  for (const lexicon of LEXICONS) {
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
  for (const word of nameWords(name)) {
    for (const concept of lookUp(word)) found.add(concept);
  }
  if (/\b(?:number|num) of\b/u.test(nameWords(name).join(' '))) found.add('count').delete('id');
  return found;
}

/** The words of a name: `reviewDate_ISO` gives review, date, iso. */
export function nameWords(name: string): readonly string[] {
  return plainWords(
    name
      .replace(/\[\d+\]/gu, ' ')
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );
}

function plainWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function lookUp(word: string): Iterable<Concept> {
  const known = dictionary().get(word) ?? dictionary().get(word.replace(/s$/u, ''));
  return known ?? compoundConcepts(word) ?? [];
}

const SHORTEST_PART = 3;

/** The concepts of a compound's parts, if all of it is made of known words. */
function compoundConcepts(word: string): readonly Concept[] | undefined {
  for (let length = word.length - 2; length >= SHORTEST_PART; length -= 1) {
    const head = dictionary().get(word.slice(0, length));
    if (head === undefined) continue;
    const rest = word.slice(length);
    const tail = restConcepts(rest) ?? restConcepts(rest.replace(/^(?:s|n|en|es)/u, ''));
    if (tail !== undefined) return [...head, ...tail];
  }
  return undefined;
}

function restConcepts(rest: string): readonly Concept[] | undefined {
  if (rest === 'id') return ['id'];
  if (rest.length < SHORTEST_PART) return undefined;
  const known = dictionary().get(rest);
  return known === undefined ? compoundConcepts(rest) : [...known];
}
