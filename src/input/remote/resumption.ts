const MOST_IN_A_ROW = 4;
const MOST_IN_ALL = 50;
const FIRST_WAIT_MS = 250;

/** Decides whether a connection that broke is taken up again: a few times in a row without a byte. */
export class Resumption {
  #inARow = 0;
  #inAll = 0;

  /** Something has come. */
  progress(): void {
    this.#inARow = 0;
  }

  /** How long to wait before the next try, in milliseconds; `undefined` if that was enough. */
  next(): number | undefined {
    if (this.#inARow === MOST_IN_A_ROW || this.#inAll === MOST_IN_ALL) return undefined;
    const wait = FIRST_WAIT_MS * 2 ** this.#inARow;
    this.#inARow += 1;
    this.#inAll += 1;
    return wait;
  }
}
