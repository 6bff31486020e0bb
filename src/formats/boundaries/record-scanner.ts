import type { Dialect } from '../../model/chunk.js';
import type { BoundaryScanner, Break, Found } from '../format.js';
import { ByteFinder, LineFinder, lineStart, nextLineStart } from './lines.js';

/** A layout as the scanner needs it, in bytes. */
export interface RecordRules {
  readonly delimiter: Buffer;
  /** -1 for none. */
  readonly quote: number;
  /** Equal to `quote` if quotes are doubled; -1 for none. */
  readonly escape: number;
  readonly comment: Buffer | null;
  /** Whether blank lines are ignored; empty lines always are. */
  readonly skipsBlankLines: boolean;
  /** Expected number of fields; 0 if unknown or not checked. */
  readonly columns: number;
  readonly maxRecordBytes: number;
}

type RuleLimits = Partial<Pick<RecordRules, 'columns' | 'maxRecordBytes'>>;

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

/** Rules for one record per line. */
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

type WalkResult = 'end' | 'unclosed' | 'malformed' | 'need-more-data';

interface SuspectQuote {
  readonly open: number;
  readonly close: number;
}

/**
 * Limit of multi-line fields examined for one position. Rows of real exports have a few; without a
 * limit, each line of a file with badly broken quotes would scan the rest of the file.
 */
const MAX_FIELDS_OVER_LINES = 100;

/** UTF-8; needed to name the character after a quote. */
const MAX_CHARACTER_BYTES = 4;

const LF = 0x0a;
const CR = 0x0d;
const BLANKS = new Set([0x20, 0x09, 0x0b, 0x0c]);

/** No closing quote within the limit. */
const UNCLOSED = -1;
/** Depends on bytes that aren't loaded. */
const UNDECIDED = -2;

/**
 * Finds the ends of records by jumping from quote to quote and line end to line end. A quote opens
 * a field only at the field's start; elsewhere in an unquoted field it is literal. The scanner and
 * csv-parse agree on what is well-formed; everything else is reported as broken and never reaches
 * csv-parse.
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
  /** End of the last record walked through; the length of the bytes if no line end follows. */
  #walkedTo = 0;
  /** Start of the last quoted field; for `unclosed` at the limit, of the record. */
  #open = 0;
  /** Start of the next field; for `malformed`, offset of the invalid character. */
  #after = 0;
  /**
   * Multi-line fields whose closing quote may really open a field of another record, as it follows
   * a delimiter or starts a line.
   */
  #suspects: SuspectQuote[] = [];
  /** Multi-line fields that may still be walked through. */
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
   * Scans what starts at `start`, which must be the start of a line and not the end of the bytes.
   * Bytes before it have no influence, and neither have bytes that aren't loaded: a file yields the
   * same records however it is read, and from whichever record.
   */
  scan(start: number): Found {
    this.broken = undefined;
    const lineEnd = this.#lineEnds.next(start);
    if (this.#isBlank(start, lineEnd)) return this.#finish(start, lineEnd, 'blank');
    if (!this.#hasQuote(start, lineEnd)) return this.#finish(start, lineEnd, 'record');
    return this.#scanQuoted(start);
  }

  /** Moves to the start of the next line. */
  skip(from: number): boolean {
    const bytes = this.#bytes;
    const next = nextLineStart(bytes, from);
    // A CR at the end of the loaded bytes may be part of CRLF.
    const isKnown = this.#last || (next >= 0 && (next < bytes.length || bytes[next - 1] === LF));
    this.next = next < 0 ? bytes.length : isKnown ? next : next - 1;
    this.lines = isKnown ? 1 : 0;
    return isKnown;
  }

  /** Scans a record that contains quotes. */
  #scanQuoted(start: number): Found {
    this.#fieldsOverLines = this.#maxFieldsOverLines;
    const outcome = this.#walk(start);
    if (outcome === 'need-more-data') return 'need-more-data';
    const end = this.#walkedTo;
    if (outcome === 'unclosed') return this.#break(start, 'unclosed-quote', this.#open);
    if (outcome === 'malformed') {
      const after = this.#after;
      const isNamed = this.#last || after + MAX_CHARACTER_BYTES <= this.#bytes.length;
      return isNamed ? this.#break(start, 'malformed-quote', this.#open, after) : 'need-more-data';
    }
    if (this.#isTooLong(start, end)) return this.#breakLong(start);
    if (this.#mayGoOn(end)) return 'need-more-data';
    const swallowing = this.#swallowing(start);
    if (swallowing === 'need-more-data') return 'need-more-data';
    if (swallowing !== undefined) return this.#break(start, 'unclosed-quote', swallowing.open);
    const found = this.#finish(start, end, 'record');
    if (found === 'record') this.lines += this.#lineEnds.count(start, end);
    return found;
  }

  /**
   * Finds the field that swallows a later record: the record has the wrong number of fields, but if
   * the field's closing quote is read as an opening one, the line it is on starts a record with the
   * right number. Without this check, one stray quote costs both records.
   */
  #swallowing(start: number): SuspectQuote | 'need-more-data' | undefined {
    const end = this.#walkedTo;
    for (const suspect of this.#suspects) {
      const startsRecord = this.#isRecord(lineStart(this.#bytes, suspect.open, suspect.close));
      if (startsRecord === 'need-more-data') return 'need-more-data';
      if (startsRecord) return this.#fits(start, end) ? undefined : suspect;
    }
    return undefined;
  }

  /** Returns whether a well-formed record with the expected number of fields starts at `start`. */
  #isRecord(start: number): boolean | 'need-more-data' {
    const outcome = this.#walk(start);
    if (outcome === 'need-more-data') return 'need-more-data';
    const end = this.#walkedTo;
    if (outcome !== 'end' || this.#isTooLong(start, end)) return false;
    return this.#mayGoOn(end) ? 'need-more-data' : this.#fits(start, end);
  }

  /** Returns whether a record has the expected number of fields. */
  #fits(start: number, end: number): boolean {
    const record = this.#bytes.subarray(start, end);
    return fieldStarts(record, this.#rules).length === this.#rules.columns;
  }

  #isTooLong(start: number, end: number): boolean {
    return end > start + this.#rules.maxRecordBytes;
  }

  /** Returns whether the record could continue in bytes that aren't loaded. */
  #mayGoOn(end: number): boolean {
    return end === this.#bytes.length && !this.#last;
  }

  /**
   * Reports a multi-line record that is too long as broken: like an unclosed field, it isn't
   * searched beyond the limit.
   */
  #breakLong(start: number): Found {
    if (this.#isTooLong(start, this.#lineEnds.next(start))) return 'too-long';
    return this.#break(start, 'unclosed-quote', start);
  }

  #break(start: number, kind: Break['kind'], quote: number, after: number = -1): Found {
    const found = this.#finish(start, this.#lineEnds.next(start), 'broken');
    if (found === 'broken') {
      this.broken = { kind, lines: this.#lineEnds.count(start, quote), after };
    }
    return found;
  }

  #finish(start: number, end: number, found: Found): Found {
    if (this.#isTooLong(start, end)) return 'too-long';
    const next = this.#lineEnds.after(end, this.#last);
    if (next < 0) return 'need-more-data';
    this.end = end;
    this.next = next;
    this.lines = next > end ? 1 : 0;
    return found;
  }

  #isBlank(start: number, lineEnd: number): boolean {
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

  /** Walks from a record's start to its end; a quoted field can't reach beyond the size limit. */
  #walk(start: number): WalkResult {
    const limit = start + this.#rules.maxRecordBytes;
    if (this.#suspects.length > 0) this.#suspects = [];
    for (let at = start; ; at = this.#after) {
      const outcome = this.#passFields(at, limit);
      if (outcome === 'field') continue;
      const isOutOfReach = this.#bytes.length >= limit || this.#fieldsOverLines < 0;
      // The first quoted field, which is on the record's first line, is the likeliest to be stray.
      if (outcome === 'unclosed' && isOutOfReach) this.#open = start;
      return outcome;
    }
  }

  /** Skips one quoted field, or unquoted fields up to a quoted one or the end of the line. */
  #passFields(at: number, limit: number): WalkResult | 'field' {
    if (this.#bytes[at] === this.#rules.quote) return this.#passQuoted(at, limit);
    const lineEnd = this.#lineEnds.next(at);
    const next = this.#quotedFieldAfter(at, lineEnd);
    if (next < 0) this.#walkedTo = lineEnd;
    else this.#after = next;
    return next < 0 ? 'end' : 'field';
  }

  #passQuoted(open: number, limit: number): WalkResult | 'field' {
    const close = this.#closingQuote(open + 1, limit);
    this.#open = open;
    if (close === UNDECIDED) return 'need-more-data';
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
    return isCut ? 'need-more-data' : 'malformed';
  }

  /** Skips a multi-line field unless the limit is reached. */
  #passLines(open: number, close: number): boolean {
    this.#fieldsOverLines -= 1;
    const { columns } = this.#rules;
    if (columns >= 2 && this.#mayOpen(open, close)) this.#suspects.push({ open, close });
    return this.#fieldsOverLines >= 0;
  }

  /** Returns whether a closing quote, or the run of quotes it ends, is where a field could start. */
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

  #closingQuote(from: number, limit: number): number {
    const { quote, escape: mark } = this.#rules;
    const bytes = this.#bytes;
    let found = this.#quotes.next(from);
    if (mark === quote) {
      while (found < limit && bytes[found + 1] === quote) found = this.#quotes.next(found + 2);
    } else if (mark >= 0) {
      // An escape covers the byte after it.
      for (let at = this.#escapes.next(from); at < found; at = this.#escapes.next(at + 2)) {
        if (found < at + 2) found = this.#quotes.next(at + 2);
      }
    }
    if (found >= limit) return UNCLOSED;
    // The last byte loaded may be the first of two quotes.
    const known = this.#last ? bytes.length : bytes.length - 1;
    if (found < known) return found;
    return this.#last ? UNCLOSED : UNDECIDED;
  }

  /** Starting inside an unquoted field: offset of the next quoted field on the line, or -1. */
  #quotedFieldAfter(from: number, lineEnd: number): number {
    const { delimiter } = this.#rules;
    if (this.#delimiterByte < 0) {
      if (!this.#hasQuote(from, lineEnd)) return -1;
      // Delimiters of several bytes can overlap themselves, so count them from the left.
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

/** Offsets of a well-formed record's fields. */
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
