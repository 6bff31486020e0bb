const LINE_END = 0x0a;

/** Cuts pieces of UTF-8 into lines. */
export class LineSplitter {
  /** The start of a line that goes on. */
  #held: Buffer[] = [];

  /** @returns the lines that are whole now, without their ends */
  add(piece: Buffer): readonly string[] {
    const end = piece.lastIndexOf(LINE_END);
    if (end < 0) {
      this.#held.push(piece);
      return [];
    }
    const whole = Buffer.concat([...this.#held, piece.subarray(0, end)]).toString('utf8');
    this.#held = end + 1 < piece.length ? [piece.subarray(end + 1)] : [];
    return whole.split('\n');
  }
}
