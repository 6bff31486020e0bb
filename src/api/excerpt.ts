/** Controls, halves of characters, and what changes the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from outside as one short line that is safe to print. */
export function excerpt(text: string, characters = 200): string {
  const line = text
    .slice(0, characters * 10)
    .replace(/\s+/g, ' ')
    .replace(UNPRINTABLE, '')
    .trim();
  const shown = Array.from(line);
  return shown.length <= characters ? line : `${shown.slice(0, characters).join('')}…`;
}
