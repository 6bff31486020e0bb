/** What is known of a sourceId that was seen before. */
export interface Earlier {
  /** Whether the earlier document had the same content. */
  readonly same: boolean;
  /** Number of the earlier document's record in the whole run, from 0. */
  readonly ordinal: number;
}

/** Two 32-bit words of the hash of a sourceId. */
export type IdHash = readonly [high: number, low: number];

/** So many tables share the entries: when one grows, the others stay as they are. */
const PARTITIONS = 256;

/**
 * Remembers which sourceIds a run has seen, in 16 bytes an entry: hashes, not the ids themselves.
 * Two different ids meet with a probability of about n² ÷ 2⁶⁵ (for ten million documents: three in
 * a million); they then show as a repeat with other content, which is reported as invalid with
 * both places, never dropped in silence.
 */
export class SeenDocuments {
  readonly #partitions = Array.from({ length: PARTITIONS }, () => new Partition());

  /** How many distinct ids are remembered. */
  get size(): number {
    return this.#partitions.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Remembers a document, or tells which earlier one had the same sourceId.
   * @param contentHash an unsigned 32-bit word of the content's hash
   * @param ordinal number of the document's record in the run, from 0, below 2³² − 1
   */
  see(id: IdHash, contentHash: number, ordinal: number): Earlier | undefined {
    const partition = this.#partitions[id[0] % PARTITIONS] as Partition;
    return partition.see(id, contentHash, ordinal);
  }
}

/** 32-bit words of an entry: two of the id's hash, one of the content's, one the ordinal. */
const ENTRY_WORDS = 4;
const FIRST_CAPACITY = 16;
/** Above this share of used entries, looking one up takes too many steps. */
const FULLEST = 0.8;
const GROWTH = 1.25;

/** An open-addressed table of entries. */
class Partition {
  size = 0;
  #words = new Uint32Array(FIRST_CAPACITY * ENTRY_WORDS);
  #capacity = FIRST_CAPACITY;

  see(id: IdHash, contentHash: number, ordinal: number): Earlier | undefined {
    if (this.size >= this.#capacity * FULLEST) this.#grow();
    const at = this.#find(id[0], id[1]);
    const stored = this.#words[at + 3] as number;
    if (stored !== 0) return { same: this.#words[at + 2] === contentHash, ordinal: stored - 1 };
    this.#put(at, id[0], id[1], contentHash);
    this.#words[at + 3] = ordinal + 1; // zero marks a free entry
    this.size += 1;
    return undefined;
  }

  #put(at: number, high: number, low: number, content: number): void {
    const words = this.#words;
    words[at] = high;
    words[at + 1] = low;
    words[at + 2] = content;
  }

  /** Index of the entry of this id, or of the free entry where it belongs. */
  #find(high: number, low: number): number {
    const words = this.#words;
    let slot = low % this.#capacity;
    for (;;) {
      const at = slot * ENTRY_WORDS;
      if (words[at + 3] === 0 || (words[at] === high && words[at + 1] === low)) return at;
      slot = slot + 1 === this.#capacity ? 0 : slot + 1;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#capacity = Math.ceil(this.#capacity * GROWTH);
    this.#words = new Uint32Array(this.#capacity * ENTRY_WORDS);
    for (let from = 0; from < old.length; from += ENTRY_WORDS) {
      if (old[from + 3] === 0) continue;
      const high = old[from] as number;
      const low = old[from + 1] as number;
      const at = this.#find(high, low);
      this.#put(at, high, low, old[from + 2] as number);
      this.#words[at + 3] = old[from + 3] as number;
    }
  }
}
