import { countLineEnds } from '../../model/chunk.js';
import type { BoundaryScanner, Found, SourceFault } from '../format.js';

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const CR = 0x0d;
const REMEDY = 'Fix the document or fetch it again, then run the import again.';

/** How a document is laid out around its elements. */
interface Elements {
  /** They are in a list, with commas between them; otherwise values one after another. */
  readonly inList: boolean;
  readonly maxRecordBytes?: number;
  /** The brackets that close the document after the list's own, in that order. */
  readonly closing?: Uint8Array;
  /** Whether an element came before: then a closing bracket ends another one, which is empty. */
  readonly hasBegun?: boolean;
}

/**
 * Finds where the elements of a list end, or values one after another. What is passed over includes
 * the comma or bracket behind an element. Blanks before an element are nothing of their own.
 */
export class ElementScanner implements BoundaryScanner {
  end = 0;
  next = 0;
  lines = 0;
  fault: SourceFault | undefined;

  readonly #inList: boolean;
  readonly #maxRecordBytes: number;
  readonly #closing: number[];
  #hasBegun: boolean;
  /** Whether the list's own bracket has been passed. */
  #closed = false;
  #scanner: JsonScanner;
  #bytes: Buffer = Buffer.alloc(0);
  #last = false;

  constructor({
    inList,
    maxRecordBytes = Number.MAX_SAFE_INTEGER,
    closing = new Uint8Array(),
    hasBegun = false,
  }: Elements) {
    this.#inList = inList;
    this.#maxRecordBytes = maxRecordBytes;
    this.#closing = [...closing];
    this.#hasBegun = hasBegun;
    this.#scanner = new JsonScanner(inList);
  }

  load(bytes: Buffer, last: boolean): void {
    this.#bytes = bytes;
    this.#last = last;
  }

  scan(start: number): Found {
    if (this.#closed) return 'closed';
    if (isJsonBlank(this.#bytes[start])) return this.#passBlanks(start);
    const at = this.#scanner.scan(this.#bytes, start);
    if (at === MISMATCH) return this.#failBrackets(this.#scanner.mismatch);
    const isOver = (at === AT_END ? this.#bytes.length : at) - start > this.#maxRecordBytes;
    if (at === AT_END || isOver) return this.#unfinished(isOver);
    return this.#passDelimiter(at) ? this.#element(start, at) : 'fault';
  }

  /** An element that is too long, or whose end isn't loaded: looking at it begins anew. */
  #unfinished(isOver: boolean): Found {
    this.#scanner = new JsonScanner(this.#inList);
    if (isOver) return 'over';
    return this.#last ? this.#failInside(this.#bytes.length) : 'more';
  }

  /** An element with its delimiter; between the brackets of an empty list there is none. */
  #element(start: number, at: number): Found {
    if (this.#closed && at === start && !this.#hasBegun)
      return this.#pass(start, at + 1, 'nothing');
    this.#hasBegun = true;
    this.end = this.#inList ? at : at + 1;
    while (this.end > start && isJsonBlank(this.#bytes[this.end - 1])) this.end -= 1;
    return this.#pass(start, at + 1, 'record');
  }

  skip(from: number): boolean {
    if (this.#closed) return this.#skipTail(from);
    const at = this.#scanner.scan(this.#bytes, from);
    if (at === MISMATCH) this.#failBrackets(this.#scanner.mismatch);
    if (at < 0) return this.#skipAll(from);
    if (!this.#passDelimiter(at)) return false;
    this.#hasBegun = true;
    this.#pass(from, at + 1, 'record');
    return true;
  }

  /** Makes sure that the document ends as it should: what follows the list holds no records. */
  #skipTail(from: number): boolean {
    const bytes = this.#bytes;
    let at = from;
    for (; this.#closing.length > 0; at += 1) {
      at = this.#scanner.scan(bytes, at);
      if (at === MISMATCH) this.#failBrackets(this.#scanner.mismatch);
      if (at < 0) return this.#skipAll(from);
      if (bytes[at] === COMMA) continue;
      if (bytes[at] !== this.#closing.shift()) this.#failBrackets(at);
      if (this.fault !== undefined) return false;
    }
    const other = bytes.subarray(at).findIndex((byte) => !isJsonBlank(byte));
    if (other >= 0) this.#fail(at + other, 'something follows the end of the document');
    else this.#skipAll(from);
    return other < 0 && this.#last;
  }

  /** Skips the loaded bytes and asks for more. */
  #skipAll(from: number): false {
    const { length } = this.#bytes;
    this.#pass(from, length - this.#halfLineEnd(length), 'nothing');
    if (!this.#last) return false;
    if (this.#closed && this.#closing.length > 0) {
      this.#fail(length, 'it ends before its last bracket');
    }
    if (!this.#closed && (this.#inList || from < length)) this.#failInside(length);
    return false;
  }

  #passBlanks(start: number): Found {
    let at = start;
    while (isJsonBlank(this.#bytes[at])) at += 1;
    const next = at - this.#halfLineEnd(at);
    return next === start ? 'more' : this.#pass(start, next, 'nothing');
  }

  /** A CR at the end of what is loaded may be the first half of a CRLF, which is one line end. */
  #halfLineEnd(end: number): number {
    const isLast = end === this.#bytes.length && !this.#last;
    return isLast && this.#bytes[end - 1] === CR ? 1 : 0;
  }

  /** Whether an element may end here: that values one after another do, the scanner knows. */
  #passDelimiter(at: number): boolean {
    if (!this.#inList || this.#bytes[at] === COMMA) return true;
    this.#closed = this.#bytes[at] === CLOSE_LIST;
    if (!this.#closed) this.#failBrackets(at);
    return this.#closed;
  }

  #pass(from: number, to: number, found: Found): Found {
    this.next = to;
    this.lines = countLineEnds(this.#bytes, from, to);
    return found;
  }

  #failBrackets(at: number): 'fault' {
    return this.#fail(
      at,
      this.#scanner.tooDeep
        ? `its lists and objects are nested more than ${DEEPEST} levels deep`
        : 'its brackets do not match',
    );
  }

  #failInside(at: number): 'fault' {
    return this.#fail(at, `it ends in the middle of ${this.#inList ? 'the list' : 'a value'}`);
  }

  #fail(at: number, reason: string): 'fault' {
    this.fault ??= { at, reason, remedy: REMEDY };
    return 'fault';
  }
}

/** What a scan stopped at, beside a position: the bytes' end, or brackets that don't match. */
export const AT_END = -1;
export const MISMATCH = -2;
const GO_ON = -3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** For each byte, whether it opens a bracket, or may end a value. */
const OPENS = 1;
const ENDS = 2;
const MEANS: Uint8Array = new Uint8Array(256);
MEANS[OPEN_LIST] = OPENS;
MEANS[OPEN_OBJECT] = OPENS;
MEANS[CLOSE_LIST] = ENDS;
MEANS[CLOSE_OBJECT] = ENDS;
MEANS[COMMA] = ENDS;

/** Most levels of lists and objects: the brackets have to be remembered. */
export const DEEPEST = 1_000_000;

/**
 * Follows brackets and strings through JSON to where the next record ends: in a list, at the comma
 * or closing bracket behind it; among values one after another, at its own closing bracket. Can be
 * fed piece after piece.
 */
export class JsonScanner {
  /** Where brackets don't match, after {@link MISMATCH}. */
  mismatch = 0;
  /** Whether that is because they are nested deeper than {@link DEEPEST}. */
  tooDeep = false;
  /** Closing brackets that are due, the innermost last. */
  readonly #due: number[] = [];
  #inString = false;
  #escaped = false;
  readonly #inList: boolean;

  constructor(inList: boolean) {
    this.#inList = inList;
  }

  /** Goes on from `from`. Returns that position, {@link AT_END} or {@link MISMATCH}. */
  scan(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      if (this.#inString) {
        at = this.#string(bytes, at);
        continue;
      }
      const byte = bytes[at] as number;
      if (byte === QUOTE) this.#inString = true;
      if (MEANS[byte] === 0) continue;
      const stop = this.#bracket(byte, at);
      if (stop !== GO_ON) return stop;
    }
    return AT_END;
  }

  /** A bracket or a comma: where to stop, or whether to go on. */
  #bracket(byte: number, at: number): number {
    if (MEANS[byte] === OPENS) return this.#open(byte) ? GO_ON : this.#mismatched(at);
    if (this.#inList && this.#due.length === 0) return at;
    if (byte === COMMA) return GO_ON;
    if (this.#due.pop() !== byte) return this.#mismatched(at);
    return this.#inList || this.#due.length > 0 ? GO_ON : at;
  }

  #open(byte: number): boolean {
    this.tooDeep = this.#due.length === DEEPEST;
    if (this.tooDeep) return false;
    this.#due.push(byte === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
    return true;
  }

  #mismatched(at: number): number {
    this.mismatch = at;
    return MISMATCH;
  }

  /** Returns the position of the closing quote, or the end of the bytes. */
  #string(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at += 1) {
      if (this.#escaped) this.#escaped = false;
      else if (bytes[at] === BACKSLASH) this.#escaped = true;
      else if (bytes[at] === QUOTE) {
        this.#inString = false;
        return at;
      }
    }
    return at;
  }
}

/** Whether a byte is blank in JSON, or stands before each text of a sequence (RFC 7464). */
export function isJsonBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x1e;
}
