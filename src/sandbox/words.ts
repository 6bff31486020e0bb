/** The words of a text: runs of letters and digits, without case and accents. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFD')
      .replace(/\p{Mn}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** A column of words: a space before and after each, so that ` word ` is found in it. */
export function wordColumn(text: string): string {
  const words = wordsOf(text);
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}
