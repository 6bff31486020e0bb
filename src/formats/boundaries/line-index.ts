import { LineFinder } from './line-finder.js';

/** Counts the line ends of any span, and looks for each of them once. */
export class LineIndex {
  readonly #lines = new LineFinder();
  /** Where each line starts, but for the first, as far as anybody has asked. */
  #starts: number[] = [];
  #seen = 0;
  #length = 0;

  load(bytes: Buffer): void {
    this.#lines.load(bytes);
    this.#starts = [];
    this.#seen = 0;
    this.#length = bytes.length;
  }

  /** How many lines end in a span that starts with a line and does not end within a CRLF. */
  count(from: number, to: number): number {
    while (this.#seen <= to && this.#seen < this.#length) {
      const end = this.#lines.next(this.#seen);
      this.#seen = this.#lines.after(end, true);
      if (this.#seen > end) this.#starts.push(this.#seen);
    }
    return this.#upTo(to) - this.#upTo(from);
  }

  /** How many lines start at or before a position, the first one aside. */
  #upTo(position: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
