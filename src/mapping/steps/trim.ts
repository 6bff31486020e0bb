/**
 * Takes white space off both ends of a text: line breaks, no-break and zero-width spaces included.
 * A joiner that shapes the letter before it stays: in Arabic and the scripts of India it is part
 * of the spelling.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  // Nearly all texts begin and end with what is plainly no space.
  if (end > 0 && isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(end - 1))) return text;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1)) && !shapesALetter(text, end - 1)) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Whether it is a letter, a digit or a sign of ASCII. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

const OTHER_SPACES = new Set([
  0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff,
]);

/** White space as Unicode has it, and the characters of no width that stand for a space. */
function isSpace(code: number): boolean {
  if (code < 0x85) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code >= 0x2000 && code <= 0x200d) return true;
  return OTHER_SPACES.has(code);
}

/** Whether the joiner (or non-joiner) at `index` follows a letter of a script that uses it. */
function shapesALetter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if ((code !== 0x200c && code !== 0x200d) || index === 0) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0x600 && before <= 0xdff;
}
