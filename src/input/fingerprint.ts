import { createHash } from 'node:crypto';

/** SHA-256 of an input as it is stored, computed while it is read. */
export class Fingerprint {
  #hex: string | null = null;

  /** In hex; `null` unless it was read from its first to its last byte. */
  get hex(): string | null {
    return this.#hex;
  }

  async *pass(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    this.#hex = null;
    const hash = createHash('sha256');
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
    this.#hex = hash.digest('hex');
  }
}
