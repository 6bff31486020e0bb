const NONE = Buffer.alloc(0);

/** Reads pieces of a source as far as is asked for, and passes over bytes once they are used. */
export class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer = NONE;
  #ended = false;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** What is held, after reading on until it is `wanted` bytes; fewer at the end of the source. */
  async atLeast(wanted: number): Promise<Buffer> {
    while (this.#held.length < wanted && !this.#ended) {
      // A piece stands until the next one is asked for.
      this.#held = Buffer.from(this.#held);
      const { value, done } = await this.#pieces.next();
      if (done) this.#ended = true;
      else this.#hold(value);
    }
    return this.#held;
  }

  pass(bytes: number): void {
    this.#held = this.#held.subarray(bytes);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #hold({ buffer, byteOffset, length }: Uint8Array): void {
    const piece = Buffer.from(buffer, byteOffset, length);
    this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
  }
}
