const LF = 0x0a;
const CR = 0x0d;

/** Offset of the line after the one at `from`; -1 if the line doesn't end in these bytes. */
export function nextLineStart(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const end = lf < 0 ? bytes.length : lf;
  const cr = bytes.subarray(0, end).indexOf(CR, from);
  if (cr < 0) return lf < 0 ? -1 : lf + 1;
  return cr + 1 === lf ? lf + 1 : cr + 1;
}

/** Offset of the start of the line that contains `position`, searching back to `from`. */
export function lineStart(bytes: Buffer, from: number, position: number): number {
  const before = bytes.subarray(from, position);
  return from + Math.max(before.lastIndexOf(LF), before.lastIndexOf(CR)) + 1;
}

/** Finds and counts line ends (LF, CRLF and lone CR). */
export class LineFinder {
  readonly #lf = new ByteFinder(LF);
  readonly #cr = new ByteFinder(CR);
  #bytes: Buffer = Buffer.alloc(0);

  load(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#lf.load(bytes);
    this.#cr.load(bytes);
  }

  /** Offset of the next line end; the length of the bytes if there is none. */
  next(position: number): number {
    return Math.min(this.#lf.next(position), this.#cr.next(position));
  }

  /** Counts line ends in a span. */
  count(from: number, to: number): number {
    let count = 0;
    for (let at = this.#lf.next(from); at < to; at = this.#lf.next(at + 1)) count += 1;
    for (let at = this.#cr.next(from); at < to; at = this.#cr.next(at + 1)) {
      if (this.#bytes[at + 1] !== LF) count += 1;
    }
    return count;
  }

  /** Offset of the line after a line end at `end`; -1 if that depends on bytes not loaded. */
  after(end: number, last: boolean): number {
    const bytes = this.#bytes;
    if (end === bytes.length) return last ? end : -1;
    if (bytes[end] === LF) return end + 1;
    if (end + 1 < bytes.length) return bytes[end + 1] === LF ? end + 2 : end + 1;
    return last ? end + 1 : -1;
  }
}

/**
 * Finds a byte and remembers the range without it, so that repeated and backward searches cost
 * nothing there. Keeps a scan linear that returns to the start of a malformed record.
 */
export class ByteFinder {
  readonly #byte: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** The byte isn't in [from, at); it is at `at`, unless that is the end. */
  #from = 0;
  #at = -1;

  constructor(byte: number) {
    this.#byte = byte;
  }

  load(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#from = 0;
    this.#at = -1;
  }

  /** Offset of the byte at or after `position`; the length of the bytes if there is none. */
  next(position: number): number {
    if (position >= this.#from && position <= this.#at) return this.#at;
    const isBehind = position > this.#at;
    const bytes = isBehind ? this.#bytes : this.#bytes.subarray(0, this.#from);
    const found = bytes.indexOf(this.#byte, position);
    if (found >= 0) this.#at = found;
    else if (isBehind) this.#at = bytes.length;
    this.#from = position;
    return this.#at;
  }
}
