/** The words of a text: runs of letters and digits, without case and accents. */
export function wordsOf(text: string): string[] {
  return foldWords(text).split(' ').filter(Boolean);
}

/** The words of a text with a space between; there may be one at either end, too. */
function foldWords(text: string): string {
  const letters = text.normalize('NFD').replace(NOT_ASCII, keepLetters).toLowerCase();
  // Which of the two small sigmas comes out depends on what stands around.
  return letters.replaceAll('ς', 'σ').replace(ASCII_BUT_LETTERS, ' ');
}

/** Between title and text, so that no phrase reaches from one into the other. No text has it as a word. */
const BETWEEN_FIELDS = ' ¦ ';

/** What the index of texts gets of a document, as one text. */
export function documentWords(document: {
  readonly title?: string | null;
  readonly text: string;
}): string {
  const { title, text } = document;
  return title ? indexedWords(title) + BETWEEN_FIELDS + indexedWords(text) : indexedWords(text);
}

/**
 * The index by itself lets case go and splits words at whatever is neither letter nor digit, as
 * long as it is ASCII.
 */
function indexedWords(text: string): string {
  const plain = text.search(NOT_ASCII) === -1 && !text.includes('\0');
  return plain ? text : foldWords(text);
}

/** A column of words: a space before and after each, so that ` word ` is found in it. */
export function wordColumn(text: string): string {
  const words = foldWords(text).trim();
  return words === '' ? '' : ` ${words} `;
}

// Every import goes through here, and the classes of Unicode are slow: few characters need them.
const NOT_ASCII = /[^\0-\x7f]+/g;
const ASCII_BUT_LETTERS = /[\0-\x2f\x3a-\x60\x7b-\x7f]+/g;

function keepLetters(characters: string): string {
  return characters.replace(/\p{Mn}+/gu, '').replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/**
 * libsql reads a text column only up to its first U+0000, and replaces lone surrogates. So texts
 * from outside are stored the way JSON writes them between its quotes: most texts are unchanged by
 * that, and no two texts become one.
 */
export function toStored(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The inverse of {@link toStored}. */
export function fromStored(stored: string): string {
  return JSON.parse(`"${stored}"`);
}
