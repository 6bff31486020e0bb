import type { Dialect } from '../../model/chunk.js';
import type { BoundaryScanner, Break, Found } from '../format.js';
import { ByteFinder, LineFinder, lineStart, nextLineStart } from './lines.js';

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

/** How walking through a record ended. */
type Walked = 'end' | 'unclosed' | 'malformed' | 'more';

/** Offsets of a field's quotes. */
interface SuspectQuote {
  readonly open: number;
  readonly close: number;
}

/**
 * Most fields with line ends that are walked through to tell what stands at a position. Rows of real
 * exports have a few; without a bound, each line of a file whose quotes are badly broken would look
 * through all that follows it.
 */
const MAX_FIELDS_OVER_LINES = 100;

/** In UTF-8. A character that can't stand behind a quote is named. */
const MAX_CHARACTER_BYTES = 4;

const LF = 0x0a;
const CR = 0x0d;
const BLANKS = new Set([0x20, 0x09, 0x0b, 0x0c]);

/** No closing quote within reach. */
const UNCLOSED = -1;
/** What follows the bytes decides. */
const UNDECIDED = -2;

/**
 * Finds where records end, by jumping from quote to quote and from line end to line end. A quote
 * opens a field only at the field's start; anywhere else in an unquoted field it is literal. The
 * scanner agrees with csv-parse on what is well-formed; what is not, it calls broken, so that
 * csv-parse never sees it.
 */
export class RecordScanner implements BoundaryScanner {
  end = 0;
  next = 0;
  lines = 0;
  broken: Break | undefined;

  readonly #rules: RecordRules;
  readonly #lineEnds = new LineFinder();
  readonly #quotes: ByteFinder;
  readonly #escapes: ByteFinder;
  readonly #delimiterByte: number;
  readonly #maxFieldsOverLines: number;
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;
  /** Where the record ends that was walked through; the bytes' length if no line end follows. */
  #walkedTo = 0;
  /** Where the last quoted field opened; `unclosed` at the limit: the first one. */
  #open = 0;
  /** Where the next field starts; `malformed`: where something stands that can't. */
  #after = 0;
  /**
   * Fields with line ends whose closing quote may be the opening quote of another record instead,
   * as it stands behind a delimiter or at the start of a line.
   */
  #suspects: SuspectQuote[] = [];
  /** How many more fields with line ends may be walked through. */
  #fieldsOverLines = 0;

  constructor(rules: RecordRules, maxFieldsOverLines: number = MAX_FIELDS_OVER_LINES) {
    this.#rules = rules;
    this.#maxFieldsOverLines = maxFieldsOverLines;
    this.#quotes = new ByteFinder(rules.quote);
    this.#escapes = new ByteFinder(rules.escape);
    this.#delimiterByte = rules.delimiter.length === 1 ? (rules.delimiter[0] as number) : -1;
  }

  load(bytes: Buffer, last: boolean): void {
    this.#bytes = bytes;
    this.#last = last;
    this.#lineEnds.load(bytes);
    this.#quotes.load(bytes);
    this.#escapes.load(bytes);
  }

  /**
   * Looks at what starts at `start`, which must be the start of a line and not the end of the bytes.
   * No byte before it plays a part, and none behind those loaded could change what is found: so a
   * file gives the same records however it is read, and from wherever a record starts.
   */
  scan(start: number): Found {
    this.broken = undefined;
    const lineEnd = this.#lineEnds.next(start);
    if (this.#isNothing(start, lineEnd)) return this.#finish(start, lineEnd, 'nothing');
    if (!this.#hasQuote(start, lineEnd)) return this.#finish(start, lineEnd, 'record');
    return this.#scanQuoted(start);
  }

  /** Goes to the start of the next line. */
  skip(from: number): boolean {
    const bytes = this.#bytes;
    const next = nextLineStart(bytes, from);
    // A CR at the end of what is loaded may be half of a CRLF.
    const isKnown = this.#last || (next >= 0 && (next < bytes.length || bytes[next - 1] === LF));
    this.next = next < 0 ? bytes.length : isKnown ? next : next - 1;
    this.lines = isKnown ? 1 : 0;
    return isKnown;
  }

  /** Goes from quote to quote through a record that has any. */
  #scanQuoted(start: number): Found {
    this.#fieldsOverLines = this.#maxFieldsOverLines;
    const outcome = this.#walk(start);
    if (outcome === 'more') return 'more';
    const end = this.#walkedTo;
    if (outcome === 'unclosed') return this.#break(start, 'unclosed-quote', this.#open);
    if (outcome === 'malformed') {
      const after = this.#after;
      const isNamed = this.#last || after + MAX_CHARACTER_BYTES <= this.#bytes.length;
      return isNamed ? this.#break(start, 'malformed-quote', this.#open, after) : 'more';
    }
    if (this.#isTooLong(start, end)) return this.#breakLong(start);
    if (this.#mayGoOn(end)) return 'more';
    const swallowing = this.#swallowing(start);
    if (swallowing === 'more') return 'more';
    if (swallowing !== undefined) return this.#break(start, 'unclosed-quote', swallowing.open);
    const found = this.#finish(start, end, 'record');
    if (found === 'record') this.lines += this.#lineEnds.count(start, end);
    return found;
  }

  /**
   * The field, if any, that swallows a later record: the record just walked has the wrong number of
   * fields; but if the field's closing quote is taken as an opening one, then the line it stands on
   * starts a record of its own with the right number. One stray quote would cost both otherwise.
   */
  #swallowing(start: number): SuspectQuote | 'more' | undefined {
    const end = this.#walkedTo;
    for (const suspect of this.#suspects) {
      const startsRecord = this.#isRecord(lineStart(this.#bytes, suspect.open, suspect.close));
      if (startsRecord === 'more') return 'more';
      if (startsRecord) return this.#fits(start, end) ? undefined : suspect;
    }
    return undefined;
  }

  /** Whether a well-formed record with the right number of fields starts at `start`. */
  #isRecord(start: number): boolean | 'more' {
    const outcome = this.#walk(start);
    if (outcome === 'more') return 'more';
    const end = this.#walkedTo;
    if (outcome !== 'end' || this.#isTooLong(start, end)) return false;
    return this.#mayGoOn(end) ? 'more' : this.#fits(start, end);
  }

  /** Whether a record has as many fields as it should. */
  #fits(start: number, end: number): boolean {
    const record = this.#bytes.subarray(start, end);
    return fieldStarts(record, this.#rules).length === this.#rules.columns;
  }

  #isTooLong(start: number, end: number): boolean {
    return end > start + this.#rules.maxRecordBytes;
  }

  /** Whether a record that ends here may do so only because no more bytes are there. */
  #mayGoOn(end: number): boolean {
    return end === this.#bytes.length && !this.#last;
  }

  /**
   * A record of several lines is broken if it is too long: if a quote stood on its last line behind
   * the limit, the field it opens would count as unclosed, and nobody looks as far.
   */
  #breakLong(start: number): Found {
    if (this.#isTooLong(start, this.#lineEnds.next(start))) return 'over';
    return this.#break(start, 'unclosed-quote', this.#firstQuote(start));
  }

  #break(start: number, kind: Break['kind'], quote: number, after: number = -1): Found {
    const found = this.#finish(start, this.#lineEnds.next(start), 'broken');
    if (found === 'broken') {
      this.broken = { kind, lines: this.#lineEnds.count(start, quote), after };
    }
    return found;
  }

  #finish(start: number, end: number, found: Found): Found {
    if (this.#isTooLong(start, end)) return 'over';
    const next = this.#lineEnds.after(end, this.#last);
    if (next < 0) return 'more';
    this.end = end;
    this.next = next;
    this.lines = next > end ? 1 : 0;
    return found;
  }

  #isNothing(start: number, lineEnd: number): boolean {
    if (lineEnd === start) return true;
    const { comment, skipsBlankLines } = this.#rules;
    if (skipsBlankLines) {
      let at = start;
      while (at < lineEnd && BLANKS.has(this.#bytes[at] as number)) at += 1;
      return at === lineEnd;
    }
    if (comment === null) return false;
    const end = start + comment.length;
    return end <= lineEnd && comment.equals(this.#bytes.subarray(start, end));
  }

  #hasQuote(from: number, to: number): boolean {
    return this.#rules.quote >= 0 && this.#quotes.next(from) < to;
  }

  /** Walks from a record's start to its end; no quoted field may reach beyond the largest size. */
  #walk(start: number): Walked {
    const limit = start + this.#rules.maxRecordBytes;
    if (this.#suspects.length > 0) this.#suspects = [];
    for (let at = start; ; at = this.#after) {
      const outcome = this.#passFields(at, limit);
      if (outcome === 'field') continue;
      const isOutOfReach = this.#bytes.length >= limit || this.#fieldsOverLines < 0;
      if (outcome === 'unclosed' && isOutOfReach) this.#open = this.#firstQuote(start);
      return outcome;
    }
  }

  /** Where the first quoted field of a record opens that has one: the likeliest to be a stray quote. */
  #firstQuote(start: number): number {
    let at = start;
    while (this.#bytes[at] !== this.#rules.quote) {
      this.#passFields(at, Number.POSITIVE_INFINITY);
      at = this.#after;
    }
    return at;
  }

  /** Passes a quoted field, or unquoted ones up to a quoted one or the line's end. */
  #passFields(at: number, limit: number): Walked | 'field' {
    if (this.#bytes[at] === this.#rules.quote) return this.#passQuoted(at, limit);
    const lineEnd = this.#lineEnds.next(at);
    const next = this.#quotedFieldAfter(at, lineEnd);
    if (next < 0) this.#walkedTo = lineEnd;
    else this.#after = next;
    return next < 0 ? 'end' : 'field';
  }

  #passQuoted(open: number, limit: number): Walked | 'field' {
    const close = this.#closingQuote(open + 1, limit);
    this.#open = open;
    if (close === UNDECIDED) return 'more';
    if (close === UNCLOSED) return 'unclosed';
    if (this.#lineEnds.next(open) < close && !this.#passLines(open, close)) return 'unclosed';
    const after = close + 1;
    this.#after = after;
    const byte = this.#bytes[after];
    if (byte === LF || byte === CR || (byte === undefined && this.#last)) {
      this.#walkedTo = after;
      return 'end';
    }
    if (byte === this.#delimiterByte) {
      this.#after = after + 1;
      return 'field';
    }
    const { delimiter } = this.#rules;
    const there = this.#bytes.subarray(after, after + delimiter.length);
    if (delimiter.equals(there)) {
      this.#after = after + delimiter.length;
      return 'field';
    }
    const isCut = !this.#last && there.equals(delimiter.subarray(0, there.length));
    return isCut ? 'more' : 'malformed';
  }

  /** Passes a field with line ends, unless there were too many of them. */
  #passLines(open: number, close: number): boolean {
    this.#fieldsOverLines -= 1;
    const { columns } = this.#rules;
    if (columns >= 2 && this.#mayOpen(open, close)) this.#suspects.push({ open, close });
    return this.#fieldsOverLines >= 0;
  }

  /** Whether a closing quote, or the run of quotes it ends, stands where a field may start. */
  #mayOpen(open: number, close: number): boolean {
    const { delimiter, quote } = this.#rules;
    const bytes = this.#bytes;
    let first = close;
    while (bytes[first - 1] === quote && first - 1 > open) first -= 1;
    const before = bytes[first - 1];
    if (before === LF || before === CR) return true;
    const delimited = first - delimiter.length;
    return delimited > open && delimiter.equals(bytes.subarray(delimited, first));
  }

  /** Where the quoted field ends whose content starts at `from`. */
  #closingQuote(from: number, limit: number): number {
    const { quote, escape: mark } = this.#rules;
    const bytes = this.#bytes;
    let found = this.#quotes.next(from);
    if (mark === quote) {
      while (found < limit && bytes[found + 1] === quote) found = this.#quotes.next(found + 2);
    } else if (mark >= 0) {
      // An escape takes the byte behind it.
      for (let at = this.#escapes.next(from); at < found; at = this.#escapes.next(at + 2)) {
        if (found < at + 2) found = this.#quotes.next(at + 2);
      }
    }
    if (found >= limit) return UNCLOSED;
    if (found < bytes.length) return found;
    return this.#last ? UNCLOSED : UNDECIDED;
  }

  /** From inside an unquoted field: where the next quoted field opens on this line, or -1. */
  #quotedFieldAfter(from: number, lineEnd: number): number {
    const { delimiter } = this.#rules;
    if (this.#delimiterByte < 0) {
      if (!this.#hasQuote(from, lineEnd)) return -1;
      // Delimiters of several bytes can overlap themselves, so they are counted off from the left.
      const found = this.#bytes.indexOf(delimiter, from);
      return found < 0 || found + delimiter.length > lineEnd ? -1 : found + delimiter.length;
    }
    let quote = this.#quotes.next(from);
    while (quote < lineEnd) {
      if (this.#bytes[quote - 1] === this.#delimiterByte) return quote;
      quote = this.#quotes.next(quote + 1);
    }
    return -1;
  }
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
