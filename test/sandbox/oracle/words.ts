const MARK = /^\p{Mn}$/u;
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;

/** The words of a text, character by character: letters and digits, without case and accents. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text.normalize('NFD')) {
    if (MARK.test(character)) continue;
    if (LETTER_OR_DIGIT.test(character)) {
      word += character;
      continue;
    }
    if (word !== '') words.push(word);
    word = '';
  }
  if (word !== '') words.push(word);
  // Both small sigmas are one letter.
  return words.map((each) => each.toLowerCase().replaceAll('ς', 'σ'));
}

/** Whether these words stand in this order, one after the other, somewhere in the text. */
export function holdsPhrase(text: string, phrase: readonly string[]): boolean {
  const words = wordsIn(text);
  return words.some((_, start) => phrase.every((word, index) => words[start + index] === word));
}

/** Whether each of these words stands somewhere in the texts. */
export function holdsWords(texts: readonly string[], wanted: readonly string[]): boolean {
  const words = new Set(texts.flatMap(wordsIn));
  return wanted.every((word) => words.has(word));
}
