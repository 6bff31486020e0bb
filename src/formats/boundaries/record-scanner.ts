import { lineStart } from './line-ends.js';
import { LineFinder, LineIndex } from './line-finder.js';
import { QuoteWalk, type SuspectQuote, type Walked } from './quote-walk.js';
import type { RecordRules } from './record-rules.js';
import { RememberedWalk } from './remembered-walk.js';

/**
 * What stands at a position: a `record`; `nothing` (a blank or a comment line); a `broken` record,
 * whose quotes make no sense and which is taken to be its first line; a record that is `over` the
 * largest size; or `more` bytes are needed to tell.
 */
export type Found = 'record' | 'nothing' | 'broken' | 'over' | 'more';

/** Why a record is broken. Offsets are those of the bytes that were loaded. */
export interface Break {
  readonly kind: 'unclosed-quote' | 'malformed-quote';
  /** How many lines below the record's first one the quote stands that opened the field. */
  readonly lines: number;
  /** `malformed-quote`: what stands behind the closing quote. */
  readonly after: number;
}

/**
 * So many bytes may be looked at in vain before what was seen is remembered: to remember takes longer
 * than to look again, but for files whose quotes are badly broken.
 */
const PATIENCE_BYTES = 64 * 1024;

/** In UTF-8. A character that can't stand behind a quote is named. */
const MAX_CHARACTER_BYTES = 4;

const BLANKS = new Set([0x20, 0x09, 0x0b, 0x0c]);

/** A way to walk through a record; what a member means stands at {@link QuoteWalk}. */
interface RecordWalk {
  readonly end: number;
  readonly open: number;
  readonly after: number;
  record(start: number, limit: number): Walked;
  /** Of the record just walked through, which ends at `end`. */
  fits(start: number, end: number): boolean;
  /** Of the record just walked through. Whoever asks for the next one has settled the one before. */
  suspectsOf(start: number): Iterable<SuspectQuote>;
}

/**
 * Finds where records end, by jumping from quote to quote and from line end to line end. It agrees
 * with csv-parse on what is well-formed; what is not, it calls broken, so that csv-parse never
 * sees it.
 */
export class RecordScanner {
  /** End of what was found, without its line end. */
  end = 0;
  /** Start of what follows. */
  next = 0;
  /** Number of lines that end in what was found. */
  lines = 0;
  /** Set when a record is broken. */
  broken: Break | undefined;

  readonly #rules: RecordRules;
  readonly #lineEnds = new LineFinder();
  readonly #walk: QuoteWalk;
  readonly #remembered: RememberedWalk;
  readonly #lineIndex = new LineIndex();
  readonly #patience: number;
  /** Bytes of this load that were looked at for records that didn't come of it. */
  #inVain = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;

  /** @param patience after how many bytes looked at in vain to remember what was seen */
  constructor(rules: RecordRules, patience: number = PATIENCE_BYTES) {
    this.#rules = rules;
    this.#patience = patience;
    this.#walk = new QuoteWalk(rules, this.#lineEnds);
    this.#remembered = new RememberedWalk(rules, this.#walk);
  }

  /** @param last whether nothing follows these bytes */
  load(bytes: Buffer, last: boolean): void {
    this.#bytes = bytes;
    this.#last = last;
    this.#lineEnds.load(bytes);
    this.#walk.load(bytes, last);
    this.#remembered.load(bytes);
    this.#lineIndex.load(bytes);
    this.#inVain = 0;
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

  /** Goes from quote to quote through a record that has any. */
  #scanQuoted(start: number): Found {
    const walk = this.#remembers ? this.#remembered : this.#walk;
    const outcome = this.#walkThrough(walk, start);
    if (outcome === 'more') return 'more';
    const { end, open, after } = walk;
    if (outcome === 'unclosed') return this.#break(start, 'unclosed-quote', open);
    if (outcome === 'malformed') {
      const isNamed = this.#last || after + MAX_CHARACTER_BYTES <= this.#bytes.length;
      return isNamed ? this.#break(start, 'malformed-quote', open, after) : 'more';
    }
    if (this.#isTooLong(start, end)) {
      this.#inVain += end - start;
      return this.#breakLong(start);
    }
    if (this.#mayGoOn(end)) return 'more';
    const swallowing = this.#swallowing(walk, start);
    if (swallowing === 'more') return 'more';
    if (swallowing !== undefined) return this.#break(start, 'unclosed-quote', swallowing.open);
    const found = this.#finish(start, end, 'record');
    if (found === 'record') this.lines += this.#linesBetween(start, end);
    return found;
  }

  get #remembers(): boolean {
    return this.#inVain > this.#patience;
  }

  #linesBetween(start: number, end: number): number {
    if (this.#lineEnds.next(start) >= end) return 0;
    return (this.#remembers ? this.#lineIndex : this.#lineEnds).count(start, end);
  }

  #walkThrough(walk: RecordWalk, start: number): Walked {
    const limit = start + this.#rules.maxRecordBytes;
    const outcome = walk.record(start, limit);
    if (outcome === 'malformed') this.#inVain += walk.after - start;
    if (outcome === 'unclosed') this.#inVain += Math.min(limit, this.#bytes.length) - start;
    return outcome;
  }

  /**
   * The field, if any, that swallows a later record: the record just walked has the wrong number of
   * fields; but if the field's closing quote is taken as an opening one, then the line it stands on
   * starts a record of its own with the right number. One stray quote would cost both otherwise.
   */
  #swallowing(walk: RecordWalk, start: number): SuspectQuote | 'more' | undefined {
    const { end } = walk;
    for (const suspect of walk.suspectsOf(start)) {
      const startsRecord = this.#isRecord(
        walk,
        lineStart(this.#bytes, suspect.open, suspect.close),
      );
      if (startsRecord === 'more') return 'more';
      if (startsRecord) return walk.fits(start, end) ? undefined : suspect;
    }
    return undefined;
  }

  /** Whether a well-formed record with the right number of fields starts at `start`. */
  #isRecord(walk: RecordWalk, start: number): boolean | 'more' {
    const outcome = this.#walkThrough(walk, start);
    if (outcome === 'more') return 'more';
    if (outcome !== 'end') return false;
    const { end } = walk;
    this.#inVain += end - start;
    if (this.#isTooLong(start, end)) return false;
    return this.#mayGoOn(end) ? 'more' : walk.fits(start, end);
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
      this.broken = { kind, lines: this.#linesBetween(start, quote), after };
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
