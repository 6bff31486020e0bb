/** Splits a text into words: runs of letters and digits, without case and accents. */
export function searchWords(text: string): string[] {
  return foldWords(text).split(' ').filter(Boolean);
}

/** Folds a text to its words, separated by spaces, perhaps with one at either end. */
function foldWords(text: string): string {
  const letters = text.normalize('NFD').replace(NOT_ASCII, keepLetters).toLowerCase();
  // toLowerCase() chooses between the two small sigmas by the neighbouring letters.
  return letters.replaceAll('ς', 'σ').replace(ASCII_BUT_LETTERS, ' ');
}

/**
 * Separates title and text, so that no phrase matches across them. Can't occur as a word of a text.
 */
const BETWEEN_FIELDS = ' ¦ ';

/** Text of a document for the full-text index. */
export function documentWords(document: {
  readonly title?: string | null;
  readonly text: string;
}): string {
  const { title, text } = document;
  return title ? indexedWords(title) + BETWEEN_FIELDS + indexedWords(text) : indexedWords(text);
}

/** Prepares a text for the index, which folds case and splits words itself, but only in ASCII. */
function indexedWords(text: string): string {
  const plain = text.search(NOT_ASCII) === -1 && !text.includes('\0');
  return plain ? text : foldWords(text);
}

/**
 * Formats words for a column, with a space before and after each, so that ` word ` can be searched
 * for.
 */
export function wordColumn(text: string): string {
  const words = foldWords(text).trim();
  return words === '' ? '' : ` ${words} `;
}

// Unicode character classes are slow and few characters need them, so ASCII is handled separately.
const NOT_ASCII = /[^\0-\x7f]+/g;
const ASCII_BUT_LETTERS = /[\0-\x2f\x3a-\x60\x7b-\x7f]+/g;

function keepLetters(characters: string): string {
  return characters.replace(/\p{Mn}+/gu, '').replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/**
 * Escapes a text from outside for a column as JSON does within quotes. libsql reads a text only up
 * to its first U+0000 and replaces lone surrogates. Most texts are unchanged, and distinct texts
 * stay distinct.
 */
export function toStored(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reverses {@link toStored}. */
export function fromStored(stored: string): string {
  return JSON.parse(`"${stored}"`);
}
