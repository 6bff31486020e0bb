import { homedir } from 'node:os';

/**
 * The words of a command line as a POSIX shell takes them apart. A quote need not be closed: the
 * last word is what somebody is typing, and empty after a space.
 * @param line up to the cursor
 */
export function shellWords(line: string): readonly string[] {
  const words = [''];
  for (const [piece, single, double, escaped] of line.matchAll(PIECES)) {
    if (/^\s/.test(piece)) words.push('');
    else words.push(`${words.pop()}${single ?? escaped ?? expanded(double, piece)}`);
  }
  return words;
}

/** Space; what stands in quotes, closed or not; a character behind `\`; and what is none of these. */
const PIECES = /\s+|'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.?)|[^\s'"\\]+/gs;

/** With `~` and exported variables put in; of a variable of the shell alone nothing is known here. */
function expanded(double: string | undefined, piece: string): string {
  const text = double ?? piece.replace(/^~(?=\/|$)/, homedir);
  return text.replaceAll(
    /\\([$`"\\])|\$(?:(\w+)|\{(\w+)\})/g,
    (all, escaped, name, inBraces) => escaped ?? process.env[name ?? inBraces] ?? all,
  );
}
