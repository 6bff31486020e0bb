/** Texts in messages: cut at graphemes, quoted, and safe to print. */

/**
 * Control characters, line separators, direction changes and lone surrogates, which affect a
 * terminal or the order of a line.
 */
export const UNPRINTABLE: RegExp = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Graphemes of an excerpt by default. */
const EXCERPT_LENGTH = 40;
/** UTF-16 code units examined for each grapheme of an excerpt; one may have many. */
const UNITS_PER_GRAPHEME = 16;

/** Quotes a text: shortened at a grapheme boundary, and safe to print. */
export function quote(text: string): string {
  return escapeInvisible(JSON.stringify(excerpt(text)));
}

/** Shortens a text to its first graphemes, followed by an ellipsis. */
export function excerpt(text: string, max: number = EXCERPT_LENGTH): string {
  const start = firstGraphemes(text.slice(0, max * UNITS_PER_GRAPHEME), max);
  if (start.length === text.length) return text;
  // A grapheme longer than the window is cut: drop its lone surrogate.
  return `${start.replace(/\p{Cs}$/u, '')}…`;
}

/** Cuts a text after `max` graphemes. */
export function firstGraphemes(text: string, max: number): string {
  if (text.length <= max) return text;
  // Fast path: none of these characters combines with the one before it.
  if (/^[\n\u0020-\u02ff]*$/u.test(text.slice(0, max + 1))) return text.slice(0, max);
  let count = 0;
  for (const { index } of graphemesOf(text)) {
    if (count === max) return text.slice(0, index);
    count += 1;
  }
  return text;
}

/** Created on demand, which takes 9 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Splits a text into graphemes: characters as a reader sees them. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/**
 * Escapes what JSON doesn't: C1 controls, line separators, changes of direction, byte order marks.
 */
export function escapeInvisible(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    escapeCharacter,
  );
}

/** Writes a character as JSON escapes it: `\u202e`. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Begins a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Ends a message with a full stop, unless it has an end. */
export function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** `a list`, `null`, `missing`, `a number`: the type of a value that should have another. */
export function typeText(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** Escapes a text to match it literally in a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}

/** Makes a line of foreign text safe to print, by escaping {@link UNPRINTABLE} characters. */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, escapeCharacter);
}

/** Returns whether an input is a URL and not a path. */
export function isAddress(input: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(input);
}

/** Formats an address for display: without user, password and query, which often are secrets. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** Writes a service's address without repeated slashes and those at its end: one service has one. */
export function serviceAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+/g, '/').replace(/\/$/, '')}`;
}

/** Formats an input for display: a path as it is. */
export function shownInput(input: string): string {
  if (!isAddress(input)) return input;
  if (URL.canParse(input)) return shownAddress(new URL(input));
  return input.replace(/[?#].*$/s, '').replace(/\/\/.*@/s, '//…@');
}

/** Address with a part that isn't shown; those of databases are shown by `shownState`. */
const SECRETIVE = /^https?:\/\/[^/]*@|^https?:\/\/.*[?#]/is;

/** Formats a word of a command: what has to be typed again at the end of an address becomes `?…`. */
function shownWord(word: string): string {
  return SECRETIVE.test(word) ? `${shownInput(word)}?…` : word;
}

/** Hides secrets of the addresses among the words of a command line in a message that quotes them. */
export function hideAddresses(message: string, words: readonly string[]): string {
  const addresses = words.flatMap((word) => word.match(/https?:\/\/.*/is) ?? []);
  return addresses
    .filter((address) => SECRETIVE.test(address))
    .reduce((text, address) => text.replaceAll(address, shownInput(address)), message);
}

/** Quotes a text as a word for a POSIX shell, without the secrets of an address. */
export function shellWord(text: string): string {
  const word = shownWord(text);
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a file's name for a shell, so that it isn't taken for an option: `./-x.csv`. */
export function fileWord(file: string): string {
  return shellWord(file.length > 1 && file.startsWith('-') ? `./${file}` : file);
}
