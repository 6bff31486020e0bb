import { BrokenInput } from './broken-input.js';

/** Remembers the pieces of a stream that were looked at, as it can't be read twice. */
export class Replay {
  readonly #pieces: AsyncGenerator<Uint8Array, void, undefined>;
  #seen: Uint8Array[] = [];
  #wasRead = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(pieces: AsyncGenerator<Uint8Array, void, undefined>) {
    this.#pieces = pieces;
  }

  async *peek(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; ; at += 1) {
      if (at === this.#seen.length && !(await this.#see())) return;
      yield this.#seen[at] as Uint8Array;
    }
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#wasRead) throw new BrokenInput('it was read before', 'A stream can be read once.');
    this.#wasRead = true;
    const seen = this.#seen;
    this.#seen = [];
    try {
      for (let piece = seen.shift(); piece !== undefined; piece = seen.shift()) yield piece;
      if (this.#failure !== undefined) throw this.#failure.error;
      yield* this.#pieces;
    } finally {
      await this.#pieces.return();
    }
  }

  async #see(): Promise<boolean> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      const { value, done } = await this.#pieces.next();
      if (!done) this.#seen.push(value);
      return !done;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}
