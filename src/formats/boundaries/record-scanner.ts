import type { BoundaryScanner, Break, Found } from '../format.js';
import { LineFinder, lineStart, nextLineStart } from './lines.js';
import type { RecordRules } from './quote-walk.js';
import { QuoteWalk, type SuspectQuote, type Walked } from './quote-walk.js';

/**
 * Most fields with line ends that are walked through to tell what stands at a position. Rows of real
 * exports have a few; without a bound, each line of a file whose quotes are badly broken would look
 * through all that follows it.
 */
const MAX_FIELDS_OVER_LINES = 100;

/** In UTF-8. A character that can't stand behind a quote is named. */
const MAX_CHARACTER_BYTES = 4;

const LF = 0x0a;
const BLANKS = new Set([0x20, 0x09, 0x0b, 0x0c]);

/**
 * Finds where records end, by jumping from quote to quote and from line end to line end. It agrees
 * with csv-parse on what is well-formed; what is not, it calls broken, so that csv-parse never
 * sees it.
 */
export class RecordScanner implements BoundaryScanner {
  end = 0;
  next = 0;
  lines = 0;
  broken: Break | undefined;

  readonly #rules: RecordRules;
  readonly #lineEnds = new LineFinder();
  readonly #walk: QuoteWalk;
  readonly #maxFieldsOverLines: number;
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;

  constructor(rules: RecordRules, maxFieldsOverLines: number = MAX_FIELDS_OVER_LINES) {
    this.#rules = rules;
    this.#maxFieldsOverLines = maxFieldsOverLines;
    this.#walk = new QuoteWalk(rules, this.#lineEnds);
  }

  load(bytes: Buffer, last: boolean): void {
    this.#bytes = bytes;
    this.#last = last;
    this.#lineEnds.load(bytes);
    this.#walk.load(bytes, last);
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
    if (!this.#walk.hasQuote(start, lineEnd)) return this.#finish(start, lineEnd, 'record');
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
    const walk = this.#walk;
    walk.fieldsOverLines = this.#maxFieldsOverLines;
    const outcome = this.#walkThrough(start);
    if (outcome === 'more') return 'more';
    const { end, open, after } = walk;
    if (outcome === 'unclosed') return this.#break(start, 'unclosed-quote', open);
    if (outcome === 'malformed') {
      const isNamed = this.#last || after + MAX_CHARACTER_BYTES <= this.#bytes.length;
      return isNamed ? this.#break(start, 'malformed-quote', open, after) : 'more';
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

  #walkThrough(start: number): Walked {
    return this.#walk.record(start, start + this.#rules.maxRecordBytes);
  }

  /**
   * The field, if any, that swallows a later record: the record just walked has the wrong number of
   * fields; but if the field's closing quote is taken as an opening one, then the line it stands on
   * starts a record of its own with the right number. One stray quote would cost both otherwise.
   */
  #swallowing(start: number): SuspectQuote | 'more' | undefined {
    const { end, suspects } = this.#walk;
    for (const suspect of suspects) {
      const startsRecord = this.#isRecord(lineStart(this.#bytes, suspect.open, suspect.close));
      if (startsRecord === 'more') return 'more';
      if (startsRecord) return this.#walk.fits(start, end) ? undefined : suspect;
    }
    return undefined;
  }

  /** Whether a well-formed record with the right number of fields starts at `start`. */
  #isRecord(start: number): boolean | 'more' {
    const outcome = this.#walkThrough(start);
    if (outcome === 'more') return 'more';
    const { end } = this.#walk;
    if (outcome !== 'end' || this.#isTooLong(start, end)) return false;
    return this.#mayGoOn(end) ? 'more' : this.#walk.fits(start, end);
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
    const isOneLine = this.#isTooLong(start, this.#lineEnds.next(start));
    return isOneLine ? 'over' : this.#break(start, 'unclosed-quote', this.#walk.firstQuote(start));
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
    if (skipsBlankLines) return this.#isBlank(start, lineEnd);
    if (comment === null) return false;
    const end = start + comment.length;
    return end <= lineEnd && comment.equals(this.#bytes.subarray(start, end));
  }

  #isBlank(start: number, end: number): boolean {
    let at = start;
    while (at < end && BLANKS.has(this.#bytes[at] as number)) at += 1;
    return at === end;
  }
}
