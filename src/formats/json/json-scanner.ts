/** What a scan stopped at, beside a position: the bytes' end, or brackets that don't match. */
export const AT_END = -1;
export const MISMATCH = -2;
const GO_ON = -3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
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
