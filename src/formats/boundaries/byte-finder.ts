/**
 * Finds the next occurrence of one byte at or after a position, and remembers what it has seen, so
 * that looking again, also from a little further back, costs nothing. This keeps a scan linear
 * that goes back to the start of a damaged record.
 */
export class ByteFinder {
  readonly #byte: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** The byte does not occur in [from, at), and stands at `at` unless that is the end. */
  #from = 0;
  #at = -1;
  /** A longer stretch without the byte, [gapFrom, gapTo), kept when looking further back. */
  #gapFrom = 0;
  #gapTo = 0;

  constructor(byte: number) {
    this.#byte = byte;
  }

  load(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#from = 0;
    this.#at = -1;
    this.#gapFrom = 0;
    this.#gapTo = 0;
  }

  /** The position of the byte at or after `position`, or the length of the bytes if there is none. */
  next(position: number): number {
    if (position <= this.#at && position >= this.#from) return this.#at;
    return this.#search(position);
  }

  #search(position: number): number {
    if (position < this.#from && this.#at - this.#from > this.#gapTo - this.#gapFrom) {
      this.#gapFrom = this.#from;
      this.#gapTo = this.#at;
    }
    this.#at = this.#find(position);
    this.#from = position;
    return this.#at;
  }

  /** Searches around the gap that is known to be empty. */
  #find(position: number): number {
    if (position >= this.#gapTo) return this.#findIn(position, this.#bytes.length);
    if (position < this.#gapFrom) {
      const before = this.#findIn(position, this.#gapFrom);
      if (before < this.#gapFrom) return before;
    }
    return this.#findIn(this.#gapTo, this.#bytes.length);
  }

  #findIn(from: number, to: number): number {
    const bytes = to === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, to);
    const found = bytes.indexOf(this.#byte, from);
    return found < 0 ? to : found;
  }
}
