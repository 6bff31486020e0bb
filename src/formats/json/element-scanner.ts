import { DocumentScanner } from '../boundaries/document-scanner.js';
import type { BoundaryScanner, Found } from '../format.js';
import { isJsonBlank } from './json-outline.js';

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Byte classes: opens a bracket, or may end a value. */
const OPENS = 1;
const ENDS = 2;
const BYTE_CLASS: Uint8Array = new Uint8Array(256);
BYTE_CLASS[OPEN_LIST] = OPENS;
BYTE_CLASS[OPEN_OBJECT] = OPENS;
BYTE_CLASS[CLOSE_LIST] = ENDS;
BYTE_CLASS[CLOSE_OBJECT] = ENDS;
BYTE_CLASS[COMMA] = ENDS;

/** Limit of nesting, as open brackets are stored. */
const MAX_DEPTH = 1_000_000;

const ONE_PER_LINE =
  'If it holds several documents, write each on one line, for example with jq -c. Otherwise fix it or download it again.';
const LIST_PER_LINE =
  'If each line is a list, set the format to jsonl (--format jsonl) and records to "[]". If lists span several lines, write each on one line, for example with jq -c. Otherwise fix it or download it again.';

/** Layout of a document around its elements. */
interface Elements {
  /** Whether elements are in a list, separated by commas, or values one after another. */
  readonly inList: boolean;
  /** Whether the list is an object: each element follows its key. */
  readonly keyed?: boolean;
  readonly maxRecordBytes?: number;
  /** Brackets that follow the list's own, in order. */
  readonly closing?: Uint8Array;
  /** Whether an element came before, so that a closing bracket ends another, empty one. */
  readonly hasBegun?: boolean;
}

/**
 * Finds the ends of elements in a list, or of values one after another. The comma or bracket after
 * an element is skipped with it. Blanks before an element are `nothing`.
 */
export class ElementScanner extends DocumentScanner implements BoundaryScanner {
  readonly #inList: boolean;
  readonly #closer: number;
  readonly #maxRecordBytes: number;
  readonly #closing: number[];
  #hasBegun: boolean;
  /** Whether the list's closing bracket was passed. */
  #closed = false;
  /** Closing brackets of open lists and objects, innermost last. */
  #expectedClosers: number[] = [];
  #inString = false;
  #escaped = false;

  constructor({
    inList,
    keyed = false,
    maxRecordBytes = Number.MAX_SAFE_INTEGER,
    closing = new Uint8Array(),
    hasBegun = false,
  }: Elements) {
    super();
    this.#inList = inList;
    this.#closer = keyed ? CLOSE_OBJECT : CLOSE_LIST;
    this.#maxRecordBytes = maxRecordBytes;
    this.#closing = [...closing];
    this.#hasBegun = hasBegun;
  }

  scan(start: number): Found {
    if (this.#closed) return 'closed';
    if (isJsonBlank(this.bytes[start])) return this.#passBlanks(start);
    const at = this.#follow(start);
    if (this.fault !== undefined) return 'fault';
    const isOver = (at < 0 ? this.bytes.length : at) - start > this.#maxRecordBytes;
    if (at < 0 || isOver) return this.#unfinished(isOver);
    return this.#passDelimiter(at) ? this.#element(start, at) : 'fault';
  }

  /**
   * Resets the state if an element is too long or incomplete, as it is scanned again from its
   * start.
   */
  #unfinished(isOver: boolean): Found {
    this.#expectedClosers = [];
    this.#inString = false;
    this.#escaped = false;
    if (isOver) return 'too-long';
    return this.last ? this.#failInside(this.bytes.length) : 'need-more-data';
  }

  /** Reports an element with its delimiter; an empty list has none. */
  #element(start: number, at: number): Found {
    if (this.#closed && at === start && !this.#hasBegun) return this.pass(start, at + 1, 'blank');
    this.#hasBegun = true;
    this.end = this.#inList ? at : at + 1;
    while (this.end > start && isJsonBlank(this.bytes[this.end - 1])) this.end -= 1;
    return this.pass(start, at + 1, 'record');
  }

  skip(from: number): boolean {
    if (this.#closed) return this.#skipTail(from);
    const at = this.#follow(from);
    if (at < 0) return this.#skipAll(from);
    if (!this.#passDelimiter(at)) return false;
    this.#hasBegun = true;
    this.pass(from, at + 1, 'record');
    return true;
  }

  /** Checks the end of the document after the list. */
  #skipTail(from: number): boolean {
    const bytes = this.bytes;
    let at = from;
    for (; this.#closing.length > 0; at += 1) {
      at = this.#follow(at);
      if (at < 0) return this.#skipAll(from);
      if (bytes[at] === COMMA) continue;
      if (bytes[at] !== this.#closing.shift()) this.#failBrackets(at);
      if (this.fault !== undefined) return false;
    }
    const other = bytes.subarray(at).findIndex((byte) => !isJsonBlank(byte));
    if (other >= 0) {
      const remedy = bytes[at + other] === OPEN_LIST ? LIST_PER_LINE : ONE_PER_LINE;
      this.fail(at + other, 'something follows the end of the document', remedy);
    } else this.#skipAll(from);
    return other < 0 && this.last;
  }

  /** Skips the loaded bytes and asks for more. */
  #skipAll(from: number): false {
    const { length } = this.bytes;
    this.pass(from, this.withoutHalfLineEnd(length), 'blank');
    if (!this.last) return false;
    if (this.#closed && this.#closing.length > 0) {
      this.fail(length, 'it ends before its closing brackets');
    }
    if (!this.#closed && (this.#inList || from < length)) this.#failInside(length);
    return false;
  }

  #passBlanks(start: number): Found {
    let at = start;
    while (isJsonBlank(this.bytes[at])) at += 1;
    const next = this.withoutHalfLineEnd(at);
    return next === start ? 'need-more-data' : this.pass(start, next, 'blank');
  }

  /** Returns whether an element may end at this byte. */
  #passDelimiter(at: number): boolean {
    if (!this.#inList || this.bytes[at] === COMMA) return true;
    this.#closed = this.bytes[at] === this.#closer;
    if (!this.#closed) this.#failBrackets(at);
    return this.#closed;
  }

  /**
   * Follows brackets and strings to the end of the next element: in a list, the comma or closing
   * bracket after it; for values one after another, its own closing bracket. Returns -1 if the
   * bytes end first or brackets don't match. Resumes where it stopped when called again.
   */
  #follow(from: number): number {
    const bytes = this.bytes;
    for (let at = from; at < bytes.length; at += 1) {
      if (this.#inString) {
        at = this.#string(at);
        continue;
      }
      const byte = bytes[at] as number;
      if (byte === QUOTE) this.#inString = true;
      if (BYTE_CLASS[byte] === 0) continue;
      if (this.#passBracket(byte, at)) return at;
      if (this.fault !== undefined) return -1;
    }
    return -1;
  }

  /** Handles a bracket or comma. Returns whether it ends the element. */
  #passBracket(byte: number, at: number): boolean {
    if (BYTE_CLASS[byte] === OPENS) {
      if (this.#expectedClosers.length === MAX_DEPTH) {
        this.fail(at, `its lists and objects are nested more than ${MAX_DEPTH} levels deep`);
      }
      this.#expectedClosers.push(byte === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
      return false;
    }
    if (this.#inList && this.#expectedClosers.length === 0) return true;
    if (byte === COMMA) return false;
    if (this.#expectedClosers.pop() === byte)
      return !this.#inList && this.#expectedClosers.length === 0;
    this.#failBrackets(at);
    return false;
  }

  /** Skips a string. Returns the offset of its closing quote, or the end of the bytes. */
  #string(from: number): number {
    const bytes = this.bytes;
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

  #failBrackets(at: number): 'fault' {
    return this.fail(at, 'its brackets do not match');
  }

  #failInside(at: number): 'fault' {
    return this.fail(at, `it ends in the middle of ${this.#inList ? 'the list' : 'a value'}`);
  }
}
