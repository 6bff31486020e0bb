/**
 * Notices that values which should never come again do, in constant memory (Brent's algorithm): at
 * once where a value follows itself, else at the latest on the third round.
 */
export class CircleWatch<Value> {
  #last: Value | undefined;
  #mark: Value | undefined;
  #stepsToMark = 1;
  #stride = 1;

  /** Whether this value was there before. */
  comesRound(value: Value): boolean {
    if (value === this.#last || value === this.#mark) return true;
    this.#last = value;
    this.#stepsToMark -= 1;
    if (this.#stepsToMark === 0) {
      this.#mark = value;
      this.#stride *= 2;
      this.#stepsToMark = this.#stride;
    }
    return false;
  }
}
