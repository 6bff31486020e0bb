import type { Dialect } from '../../model/chunk.js';
import { ByteFinder, type LineFinder } from './lines.js';

/** How walking through a record ended. */
export type Walked = 'end' | 'unclosed' | 'malformed' | 'more';

/** Offsets of a field's quotes. */
export interface SuspectQuote {
  readonly open: number;
  readonly close: number;
}

const LF = 0x0a;
const CR = 0x0d;
/** No closing quote within reach. */
const UNCLOSED = -1;
/** What follows the bytes decides. */
const UNDECIDED = -2;

/**
 * Walks through one record whose fields may be quoted. A quote opens a field only at the field's
 * start; anywhere else in an unquoted field it is literal.
 */
export class QuoteWalk {
  /** `end`: where the record ends, without its line end; the bytes' length if no line end follows. */
  end = 0;
  /** Where the last quoted field opened; `unclosed` at the limit: the first one. */
  open = 0;
  /** `malformed`: where something stands behind a closing quote that can't. */
  after = 0;
  /**
   * Fields with line ends whose closing quote may be the opening quote of another record instead,
   * as it stands behind a delimiter or at the start of a line.
   */
  suspects: SuspectQuote[] = [];
  /** How many more fields with line ends may be walked through. */
  fieldsOverLines = 0;

  readonly #rules: RecordRules;
  readonly #lineEnds: LineFinder;
  readonly #quotes: ByteFinder;
  readonly #escapes: ByteFinder;
  readonly #delimiterByte: number;
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;
  #limit = 0;

  constructor(rules: RecordRules, lineEnds: LineFinder) {
    this.#rules = rules;
    this.#lineEnds = lineEnds;
    this.#quotes = new ByteFinder(rules.quote);
    this.#escapes = new ByteFinder(rules.escape);
    this.#delimiterByte = rules.delimiter.length === 1 ? (rules.delimiter[0] as number) : -1;
  }

  load(bytes: Buffer, last: boolean): void {
    this.#bytes = bytes;
    this.#last = last;
    this.#quotes.load(bytes);
    this.#escapes.load(bytes);
  }

  /** Whether there is any quote in a span. */
  hasQuote(from: number, to: number): boolean {
    return this.#rules.quote >= 0 && this.#quotes.next(from) < to;
  }

  /**
   * Walks from a record's start to its end.
   * @param limit no quoted field may reach beyond this
   */
  record(start: number, limit: number): Walked {
    if (this.suspects.length > 0) this.suspects = [];
    for (let at = start; ; at = this.after) {
      const outcome = this.#step(at, limit);
      if (outcome === 'field') continue;
      const isOutOfReach = this.#bytes.length >= limit || this.fieldsOverLines < 0;
      if (outcome === 'unclosed' && isOutOfReach) this.open = this.firstQuote(start);
      return outcome;
    }
  }

  /** Whether a record has as many fields as it should. */
  fits(start: number, end: number): boolean {
    return countFields(this.#bytes, start, end, this.#rules) === this.#rules.columns;
  }

  /** Where the first quoted field of a record opens that has one: the likeliest to be a stray quote. */
  firstQuote(start: number): number {
    let at = start;
    while (this.#bytes[at] !== this.#rules.quote) {
      this.#step(at, Number.POSITIVE_INFINITY);
      at = this.after;
    }
    return at;
  }

  /** Walks through a quoted field, or through unquoted ones up to a quoted one or the line's end. */
  #step(at: number, limit: number): Walked | 'field' {
    this.#limit = limit;
    if (this.#bytes[at] === this.#rules.quote) return this.#quotedField(at);
    const lineEnd = this.#lineEnds.next(at);
    const next = this.#nextField(at, lineEnd);
    if (next < 0) {
      this.end = lineEnd;
      return 'end';
    }
    this.after = next;
    return 'field';
  }

  /** Walks through a quoted field; `field` leaves the start of the next one in `after`. */
  #quotedField(open: number): Walked | 'field' {
    const close = this.#closingQuote(open + 1);
    this.open = open;
    if (close === UNDECIDED) return 'more';
    if (close === UNCLOSED) return 'unclosed';
    if (this.#lineEnds.next(open) < close && !this.#passLines(open, close)) return 'unclosed';
    const bytes = this.#bytes;
    const after = close + 1;
    this.after = after;
    const byte = bytes[after];
    if (byte === LF || byte === CR || (byte === undefined && this.#last)) {
      this.end = after;
      return 'end';
    }
    if (byte === undefined) return 'more';
    if (byte === this.#delimiterByte) {
      this.after = after + 1;
      return 'field';
    }
    return this.#longDelimiter(after);
  }

  #longDelimiter(after: number): Walked | 'field' {
    const { delimiter } = this.#rules;
    const there = this.#bytes.subarray(after, after + delimiter.length);
    if (delimiter.equals(there)) {
      this.after = after + delimiter.length;
      return 'field';
    }
    const cut = !this.#last && there.equals(delimiter.subarray(0, there.length));
    return cut ? 'more' : 'malformed';
  }

  /** Passes a field with line ends, unless there were too many of them. */
  #passLines(open: number, close: number): boolean {
    this.fieldsOverLines -= 1;
    if (this.#rules.columns >= 2 && this.#mayOpen(open, close)) this.suspects.push({ open, close });
    return this.fieldsOverLines >= 0;
  }

  /** Whether a closing quote, or the run of quotes it ends, stands where a field may start. */
  #mayOpen(open: number, close: number): boolean {
    const { delimiter, quote } = this.#rules;
    const bytes = this.#bytes;
    let first = close;
    while (bytes[first - 1] === quote && first - 1 > open) first -= 1;
    const before = bytes[first - 1];
    if (before === LF || before === CR) return true;
    if (before !== delimiter[delimiter.length - 1]) return false;
    const delimited = first - delimiter.length;
    return delimited > open && delimiter.equals(bytes.subarray(delimited, first));
  }

  /** Where the quoted field ends whose content starts at `from`. */
  #closingQuote(from: number): number {
    const { quote, escape: mark } = this.#rules;
    const found = mark === quote ? this.#undoubledQuote(from) : this.#unescapedQuote(from);
    if (found >= this.#limit) return UNCLOSED;
    if (found < this.#bytes.length) return found;
    return this.#last ? UNCLOSED : UNDECIDED;
  }

  /** The first quote within the limit that is not followed by another one. */
  #undoubledQuote(from: number): number {
    const { quote } = this.#rules;
    const bytes = this.#bytes;
    let at = this.#quotes.next(from);
    while (at < this.#limit && bytes[at + 1] === quote) at = this.#quotes.next(at + 2);
    return at;
  }

  /** The first quote that no escape precedes; an escape takes the byte behind it. */
  #unescapedQuote(from: number): number {
    let quote = this.#quotes.next(from);
    if (this.#rules.escape < 0) return quote;
    let mark = this.#escapes.next(from);
    while (mark < quote) {
      if (quote < mark + 2) quote = this.#quotes.next(mark + 2);
      mark = this.#escapes.next(mark + 2);
    }
    return quote;
  }

  /** From inside an unquoted field: where the next quoted field opens on this line, or -1. */
  #nextField(from: number, lineEnd: number): number {
    if (this.#delimiterByte < 0) return this.#afterLongDelimiter(from, lineEnd);
    let quote = this.#quotes.next(from);
    while (quote < lineEnd) {
      if (this.#bytes[quote - 1] === this.#delimiterByte) return quote;
      quote = this.#quotes.next(quote + 1);
    }
    return -1;
  }

  /** Delimiters of several bytes can overlap themselves, so they are counted off from the left. */
  #afterLongDelimiter(from: number, lineEnd: number): number {
    if (!this.hasQuote(from, lineEnd)) return -1;
    const { delimiter } = this.#rules;
    const found = this.#bytes.indexOf(delimiter, from);
    return found < 0 || found + delimiter.length > lineEnd ? -1 : found + delimiter.length;
  }
}

/** What the scanner needs to know about a layout, as bytes. */
export interface RecordRules {
  readonly delimiter: Buffer;
  /** The quote's byte; -1 when quotes mean nothing. */
  readonly quote: number;
  /** The escape's byte, equal to `quote` when quotes are doubled; -1 when there is none. */
  readonly escape: number;
  readonly comment: Buffer | null;
  /** Whether a line of blanks is no record; an empty line never is. */
  readonly skipsBlankLines: boolean;
  /** Number of fields that a record should have; 0 when that is not known or not to be checked. */
  readonly columns: number;
  /** Longer records are not read. */
  readonly maxRecordBytes: number;
}

type RuleLimits = Partial<Pick<RecordRules, 'columns' | 'maxRecordBytes'>>;

/** The rules of a CSV dialect. */
export function csvRules(
  dialect: Dialect,
  { columns = 0, maxRecordBytes = Number.MAX_SAFE_INTEGER }: RuleLimits = {},
): RecordRules {
  return {
    delimiter: Buffer.from(dialect.delimiter),
    quote: byteOf(dialect.quote),
    escape: dialect.quote === null ? -1 : byteOf(dialect.escape),
    comment: dialect.comment === null ? null : Buffer.from(dialect.comment),
    skipsBlankLines: false,
    columns,
    maxRecordBytes,
  };
}

/** The rules of one record a line. */
export function lineRules(maxRecordBytes: number = Number.MAX_SAFE_INTEGER): RecordRules {
  return {
    delimiter: Buffer.alloc(0),
    quote: -1,
    escape: -1,
    comment: null,
    skipsBlankLines: true,
    columns: 0,
    maxRecordBytes,
  };
}

function byteOf(character: string | null): number {
  return character === null ? -1 : character.charCodeAt(0);
}

/** How many fields a record has; its quotes must make sense. */
export function countFields(bytes: Buffer, start: number, end: number, rules: RecordRules): number {
  return fieldStarts(bytes.subarray(start, end), rules).length;
}

/** Where each field of a record starts; its quotes must make sense. */
export function fieldStarts(record: Buffer, rules: RecordRules): readonly number[] {
  const { delimiter, quote } = rules;
  const starts = [0];
  let at = 0;
  for (;;) {
    if (quote >= 0 && record[at] === quote) at = afterQuoted(record, at + 1, rules);
    const found = record.indexOf(delimiter, at);
    if (found < 0) return starts;
    at = found + delimiter.length;
    starts.push(at);
  }
}

/** Where a quoted field ends, whose content starts at `from`. */
function afterQuoted(record: Buffer, from: number, rules: RecordRules): number {
  const { quote, escape: mark } = rules;
  let at = from;
  while (at < record.length) {
    const byte = record[at];
    if (byte === mark && (mark !== quote || record[at + 1] === quote)) at += 2;
    else if (byte === quote) return at + 1;
    else at += 1;
  }
  return at;
}
