/** Whether the values of a column are places at all: `state` may be one of moderation. */
import { nameWords, plainText } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

const IN = 'en es fr de pt nl cs it pl sv da nb fi tr ru uk hu ro el hr ja zh ko'.split(' ');
const OTHER_NAMES =
  'uk usa us england scotland wales northern ireland great britain holland czech republic korea emirates uae schweiz';

let countries: ReadonlySet<string> | undefined;

/** Names and codes of countries in the languages of column names, plain. */
function countryNames(): ReadonlySet<string> {
  if (countries !== undefined) return countries;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const made = new Set<string>(OTHER_NAMES.split(' '));
  for (const locale of IN) {
    const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = names.of(code);
      if (name === undefined) continue;
      made.add(plainText(name)).add(code.toLowerCase());
    }
  }
  countries = made;
  return made;
}

/** Whether most values name countries, or have a country's code of two or three letters. */
export function areCountries(distinct: readonly string[]): boolean {
  const known = distinct.filter((text) => {
    return /^[A-Z]{3}$/u.test(text) || countryNames().has(plainText(text));
  });
  return known.length >= distinct.length / 2;
}

const STATES = new Set(WORDS.states.flatMap((line) => line.split(' ')));

/** Whether most values are codes of states, or some are states that are well known. */
export function areStates(distinct: readonly string[]): boolean {
  const codes = distinct.filter((text) => /^(?:[A-Z]{2}-)?[A-Z]{2,3}$/u.test(text));
  if (codes.length >= distinct.length * 0.8) return true;
  const known = distinct.filter((text) => STATES.has(plainText(text)));
  return known.length >= Math.max(1, distinct.length / 4);
}

/** What becomes of a text, an order or an account, as columns called `state` and `status` say. */
const MODERATION = new Set(WORDS.moderation.flatMap((line) => line.split(' ')));

/** Why values are no places; nothing where they may be. */
export function notPlaces(distinct: readonly string[]): string | undefined {
  const stated = distinct.filter((text) => text !== '');
  const states = stated.filter((text) => isModeration(text));
  if (states.length >= stated.length / 2) return 'its values say what became of something';
  const capital = stated.filter((text) => !/^\p{Ll}/u.test(text));
  if (capital.length < stated.length * 0.7) return 'its values are no names';
  return undefined;
}

function isModeration(text: string): boolean {
  const words = nameWords(text.toLowerCase());
  return words.length > 0 && words.length <= 3 && words.some((word) => MODERATION.has(word));
}
