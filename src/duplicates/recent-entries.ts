import { type Earlier, type EntryHash, keyOf, partitionOf, restOf } from './entry.js';

/** 32-bit words of a slot: the id's hash (`high`, 0 if the slot is free, and `low`), the content's, the ordinal. */
const WORDS = 4;
export const SLOT_BYTES: number = 4 * WORDS;
/** Above this share of used slots, adding takes too many steps. */
const FULLEST = 0.8;
/** Slots behind the last one that an id can ask for, as there is no way round to the first. */
const SLOTS_BEHIND = 64;

/**
 * The entries that came last, in a hash table that keeps them in order of their ids: so they can
 * be merged with what is in order already.
 */
export class RecentEntries {
  readonly slots: number;
  #size = 0;
  readonly #most: number;
  readonly #words: Uint32Array;

  constructor(slots: number) {
    this.slots = slots;
    this.#most = Math.max(1, Math.floor(slots * FULLEST));
    this.#words = new Uint32Array((slots + SLOTS_BEHIND) * WORDS);
  }

  /** Where this id is, or where it belongs. Stands until the next change. */
  placeOf({ high, low }: EntryHash): number {
    const words = this.#words;
    let at = Math.floor((high / 2 ** 32) * this.slots) * WORDS;
    for (;;) {
      const there = words[at];
      if (there === undefined || there === 0 || there > high) return at;
      if (there === high && (words[at + 1] as number) >= low) return at;
      at += WORDS;
    }
  }

  /** What is known of this id, at its {@link placeOf}. */
  earlierAt(place: number, { high, low, content }: EntryHash): Earlier | undefined {
    const words = this.#words;
    if (words[place] !== high || words[place + 1] !== low) return undefined;
    const differing = (words[place + 2] as number) ^ content;
    return { same: (differing & 0xffffff) === 0, ordinal: words[place + 3] as number };
  }

  /**
   * Adds an entry that isn't there yet, at its {@link placeOf}.
   * @returns false if there is no room
   */
  addAt(place: number, { high, low, content }: EntryHash, ordinal: number): boolean {
    const words = this.#words;
    if (this.#size >= this.#most) return false;
    let free = place;
    while (words[free] !== 0) {
      if (free >= words.length) return false;
      free += WORDS;
    }
    if (free > place) words.copyWithin(place + WORDS, place, free);
    words[place] = high;
    words[place + 1] = low;
    words[place + 2] = content;
    words[place + 3] = ordinal;
    this.#size += 1;
    return true;
  }

  /** A walk over all entries, in order of their ids. */
  walk(): RecentWalk {
    return new RecentWalk(this.#words);
  }

  clear(): void {
    this.#words.fill(0);
    this.#size = 0;
  }
}

/** Stands at one entry after the other, and shows it as runs hold it. */
export class RecentWalk {
  /** {@link Infinity} when there are no more. */
  partition: number = Infinity;
  key = 0;
  rest = 0;
  content = 0;
  ordinal = 0;
  readonly #words: Uint32Array;
  #at = -WORDS;

  constructor(words: Uint32Array) {
    this.#words = words;
    this.next();
  }

  next(): void {
    const words = this.#words;
    let at = this.#at + WORDS;
    while (at < words.length && words[at] === 0) at += WORDS;
    this.#at = at;
    if (at >= words.length) {
      this.partition = Infinity;
      return;
    }
    const high = words[at] as number;
    const low = words[at + 1] as number;
    const content = words[at + 2] as number;
    this.partition = partitionOf(high);
    this.key = keyOf(high, low);
    this.rest = restOf(low, content);
    this.content = (content >>> 8) & 0xffff;
    this.ordinal = words[at + 3] as number;
  }
}
