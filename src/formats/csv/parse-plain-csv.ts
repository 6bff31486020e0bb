import type { Dialect } from '../../model/chunk.js';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Whether {@link PlainCsv} can read a dialect: one character between fields, quotes doubled
 * inside quotes, no comments. Nearly all exports are like that.
 */
export function isPlain(dialect: Dialect): boolean {
  const { delimiter, quote, comment } = dialect;
  return delimiter.length === 1 && quote !== null && dialect.escape === quote && comment === null;
}

/**
 * Reads whole records of a plain dialect, one by one, in a fraction of csv-parse's time: it looks at
 * each character of an unquoted field once, and jumps from quote to quote in the others. Gives
 * exactly the records of csv-parse with the options of `csv-parse-options.ts`.
 */
export class PlainCsv {
  readonly #text: string;
  readonly #delimiter: number;
  readonly #quote: string;
  readonly #quoteCode: number;
  #at: number;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote as string;
    this.#quoteCode = this.#quote.charCodeAt(0);
    this.#at = afterLineEnds(text, 0);
  }

  /**
   * The fields of the next record; `undefined` at the end, and `'unclear'` where a quote is not
   * closed, or something stands behind one that can't: the cutter lets nothing like that through.
   */
  next(): string[] | 'unclear' | undefined {
    const text = this.#text;
    if (this.#at >= text.length) return undefined;
    const fields: string[] = [];
    for (;;) {
      const field = this.#field();
      if (field === undefined) return 'unclear';
      fields.push(field);
      if (this.#at >= text.length || text.charCodeAt(this.#at) !== this.#delimiter) break;
      this.#at += 1;
    }
    this.#at = afterLineEnds(text, this.#at);
    return fields;
  }

  #field(): string | undefined {
    const text = this.#text;
    const start = this.#at;
    if (start >= text.length || text.charCodeAt(start) !== this.#quoteCode) {
      this.#at = fieldEnd(text, start, this.#delimiter);
      return text.slice(start, this.#at);
    }
    const close = closingQuote(text, start, this.#quote);
    this.#at = close + 1;
    if (close < 0 || fieldEnd(text, this.#at, this.#delimiter) !== this.#at) return undefined;
    return unquoted(text, start, close, this.#quote);
  }
}

// V8 throws its quick code away when a character behind the end is asked for.

/** Behind the line ends, and with them behind empty lines, which are no records. */
function afterLineEnds(text: string, from: number): number {
  let at = from;
  while (at < text.length && isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where an unquoted field ends that starts at `from`. */
function fieldEnd(text: string, from: number, delimiter: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === delimiter || isLineEnd(code)) break;
    at += 1;
  }
  return at;
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

/** Where the quoted field that opens at `open` closes; -1 if it doesn't. */
function closingQuote(text: string, open: number, quote: string): number {
  let at = text.indexOf(quote, open + 1);
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  return at;
}

/** The content of a quoted field. */
function unquoted(text: string, open: number, close: number, quote: string): string {
  const content = text.slice(open + 1, close);
  return content.includes(quote) ? content.replaceAll(quote + quote, quote) : content;
}
