const LF = 0x0a;
const CR = 0x0d;

/** Where the line after the one at `from` starts, or -1 if the line doesn't end in these bytes. */
export function nextLineStart(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const end = lf < 0 ? bytes.length : lf;
  const cr = bytes.subarray(0, end).indexOf(CR, from);
  if (cr < 0) return lf < 0 ? -1 : lf + 1;
  return cr + 1 === lf ? lf + 1 : cr + 1;
}

/** Where the line starts on which `position` stands, looking no further back than `from`. */
export function lineStart(bytes: Buffer, from: number, position: number): number {
  const before = bytes.subarray(from, position);
  return from + Math.max(before.lastIndexOf(LF), before.lastIndexOf(CR)) + 1;
}

/** Finds and counts line ends: LF, CRLF, and CR alone. */
export class LineFinder {
  readonly #lf = new ByteFinder(LF);
  readonly #cr = new ByteFinder(CR);
  #bytes: Buffer = Buffer.alloc(0);

  load(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#lf.load(bytes);
    this.#cr.load(bytes);
  }

  /** Where the line of `position` ends; the length of the bytes if it doesn't. */
  next(position: number): number {
    return Math.min(this.#lf.next(position), this.#cr.next(position));
  }

  /** How many lines end in a span. */
  count(from: number, to: number): number {
    let count = 0;
    for (let at = this.#lf.next(from); at < to; at = this.#lf.next(at + 1)) count += 1;
    for (let at = this.#cr.next(from); at < to; at = this.#cr.next(at + 1)) {
      if (this.#bytes[at + 1] !== LF) count += 1;
    }
    return count;
  }

  /** Where the next line starts, given where this one ends; -1 if what follows decides. */
  after(end: number, last: boolean): number {
    const bytes = this.#bytes;
    if (end === bytes.length) return last ? end : -1;
    if (bytes[end] === LF) return end + 1;
    if (end + 1 < bytes.length) return bytes[end + 1] === LF ? end + 2 : end + 1;
    return last ? end + 1 : -1;
  }
}

/**
 * Finds the next occurrence of one byte at or after a position, and remembers the stretch without it,
 * so that looking again, also from further back, costs nothing there. This keeps a scan linear that
 * goes back to the start of a damaged record.
 */
export class ByteFinder {
  readonly #byte: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** The byte does not occur in [from, at), and stands at `at` unless that is the end. */
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

  /** The position of the byte at or after `position`, or the length of the bytes if there is none. */
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
