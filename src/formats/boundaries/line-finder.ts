import { ByteFinder } from './byte-finder.js';

const LF = 0x0a;
const CR = 0x0d;

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
