import type { Dialect } from '../../model/chunk.js';
import { couldBeFormula } from '../../model/reject-columns.js';

/** What names of columns and origins consist of: it has to be told from the delimiter. */
const PLAIN = /[\w:. -]/;

/**
 * Makes a function that writes a text as one field of a dialect: on one line, and never a formula.
 * Where quotes mean nothing, what would end the field is left out.
 * @returns `undefined` for a dialect in which plain words can't be written
 */
export function csvFieldWriter(dialect: Dialect): ((text: string) => string) | undefined {
  const { delimiter, quote } = dialect;
  if (quote !== null) return (text) => quoted(plain(text), dialect, quote);
  if (PLAIN.test(delimiter)) return undefined;
  return (text) => plain([...text].map((one) => (delimiter.includes(one) ? ' ' : one)).join(''));
}

/** One line without control characters, that does not begin as a formula does. */
function plain(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return couldBeFormula(line) && !line.startsWith("'") ? `'${line}` : line;
}

function quoted(text: string, { delimiter, escape: mark }: Dialect, quote: string): string {
  const special = [...delimiter, quote, mark ?? quote, ' '];
  if (!special.some((one) => text.includes(one))) return text;
  return `${quote}${escaped(text, quote, mark)}${quote}`;
}

function escaped(text: string, quote: string, mark: string | null): string {
  // Nothing could make it literal.
  if (mark === null) return text.replaceAll(quote, quote === "'" ? '"' : "'");
  const marked = mark === quote ? text : text.replaceAll(mark, mark + mark);
  return marked.replaceAll(quote, mark + quote);
}
