import { countFields } from './count-fields.js';
import { lineStart } from './line-ends.js';
import { LineFinder } from './line-finder.js';
import { type Doubt, QuoteWalk } from './quote-walk.js';
import type { RecordRules } from './record-rules.js';

/**
 * What stands at a position: a `record`; `nothing` (a blank or a comment line); a `broken` record,
 * whose quotes make no sense and which is taken to be its first line; a record that is `over` the
 * largest size; or `more` bytes are needed to tell.
 */
export type Found = 'record' | 'nothing' | 'broken' | 'over' | 'more';

/** Why a record is broken. Offsets are those of the bytes that were loaded. */
export interface Break {
  readonly kind: 'unclosed-quote' | 'malformed-quote';
  /** Where the quote stands that opened the field. */
  readonly quote: number;
  /** `malformed-quote`: what stands behind the closing quote. */
  readonly after: number;
}

const BLANKS = new Set([0x20, 0x09, 0x0b, 0x0c]);

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
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;

  constructor(rules: RecordRules) {
    this.#rules = rules;
    this.#walk = new QuoteWalk(rules, this.#lineEnds);
  }

  /** @param last whether nothing follows these bytes */
  load(bytes: Buffer, last: boolean): void {
    this.#bytes = bytes;
    this.#last = last;
    this.#lineEnds.load(bytes);
    this.#walk.load(bytes, last);
  }

  /** Looks at what starts at `start`, which must be the start of a line and not the end of the bytes. */
  scan(start: number): Found {
    this.broken = undefined;
    const lineEnd = this.#lineEnds.next(start);
    if (this.#isNothing(start, lineEnd)) return this.#finish(start, lineEnd, 'nothing');
    if (!this.#walk.hasQuote(start, lineEnd)) return this.#finish(start, lineEnd, 'record');
    return this.#scanQuoted(start);
  }

  /** Goes from quote to quote through a record that has any. */
  #scanQuoted(start: number): Found {
    const walk = this.#walk;
    const limit = start + this.#rules.maxRecordBytes;
    switch (walk.record(start, limit)) {
      case 'more':
        return 'more';
      case 'unclosed':
        return this.#break(start, { kind: 'unclosed-quote', quote: walk.open, after: -1 });
      case 'malformed':
        return this.#break(start, { kind: 'malformed-quote', quote: walk.open, after: walk.after });
      case 'end':
        break;
    }
    const { end, lines } = walk;
    const swallowing = walk.doubts.length === 0 ? undefined : this.#swallowing(start);
    if (swallowing === 'more') return 'more';
    if (swallowing !== undefined) {
      return this.#break(start, { kind: 'unclosed-quote', quote: swallowing.open, after: -1 });
    }
    const found = this.#finish(start, end, 'record');
    if (found === 'record') this.lines += lines;
    return found;
  }

  /**
   * The field, if any, that swallows a later record: the record just walked has the wrong number of
   * fields; but if the field's closing quote is taken as an opening one, then the line it stands on
   * starts a record of its own with the right number. One stray quote would cost both otherwise.
   */
  #swallowing(start: number): Doubt | 'more' | undefined {
    const { end, doubts } = this.#walk;
    for (const doubt of doubts) {
      const startsRecord = this.#isRecord(lineStart(this.#bytes, start, doubt.close));
      if (startsRecord === 'more') return 'more';
      if (startsRecord) return this.#fits(start, end) ? undefined : doubt;
    }
    return undefined;
  }

  #fits(start: number, end: number): boolean {
    return countFields(this.#bytes, start, end, this.#rules) === this.#rules.columns;
  }

  /** Whether a well-formed record with the right number of fields starts at `start`. */
  #isRecord(start: number): boolean | 'more' {
    const limit = start + this.#rules.maxRecordBytes;
    const outcome = this.#walk.record(start, limit);
    if (outcome === 'more') return 'more';
    if (outcome !== 'end') return false;
    const { end } = this.#walk;
    if (end === this.#bytes.length && !this.#last && end <= limit) return 'more';
    return this.#fits(start, end);
  }

  #break(start: number, broken: Break): Found {
    const found = this.#finish(start, this.#lineEnds.next(start), 'broken');
    if (found === 'broken') this.broken = broken;
    return found;
  }

  #finish(start: number, end: number, found: Found): Found {
    const limit = start + this.#rules.maxRecordBytes;
    if (end > limit) return 'over';
    const next = this.#lineEnds.after(end, this.#last);
    if (next < 0) return this.#bytes.length > limit ? 'over' : 'more';
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
