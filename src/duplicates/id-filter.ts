/** Bits set for an id, all in one word: a look costs one access to memory. */
const BITS = 4;

/**
 * Says of most ids that they were never added (a Bloom filter). With ten bits of room for each id
 * that was added, it is wrong about three in a hundred others; with five, about twelve.
 */
export class IdFilter {
  readonly #words: Uint32Array;

  constructor(bytes: number) {
    this.#words = new Uint32Array(Math.max(1, Math.floor(bytes / 4)));
  }

  /** Takes two words of the id's hash: all of `word` and the lower 20 bits of `bits` count. */
  add(word: number, bits: number): void {
    const at = this.#indexOf(word);
    this.#words[at] = (this.#words[at] as number) | maskOf(bits);
  }

  /** `false`: it was not added. */
  mayHave(word: number, bits: number): boolean {
    const mask = maskOf(bits);
    return ((this.#words[this.#indexOf(word)] as number) & mask) === mask;
  }

  #indexOf(word: number): number {
    return Math.floor((word / 2 ** 32) * this.#words.length);
  }
}

function maskOf(bits: number): number {
  let mask = 0;
  for (let index = 0; index < BITS; index += 1) mask |= 1 << ((bits >>> (5 * index)) & 31);
  return mask;
}
