import { DocferryError } from '../model/errors.js';
import { thousands } from '../model/figures.js';

/** Most sourceIds in an index, which then takes 1 GiB. */
export const MAX_IDS = 50_000_000;

const PARTITIONS = 64;
const PARTITION_SHIFT = 32 - Math.log2(PARTITIONS);
/** Two words of the sourceId's hash, one of the content's hash, and the ordinal. */
const SLOT_WORDS = 4;
const FIRST_WORDS = 1024 * SLOT_WORDS;
const MAX_LOAD = 0.75;

/** An earlier document of the run with the same sourceId. */
export interface PreviousOccurrence {
  readonly same: boolean;
  /** Number of its record in the run, from 0. */
  readonly ordinal: number;
}

/** The run has more sourceIds than fit into the index. */
export class TooManyIdsError extends DocferryError {
  override readonly name = 'TooManyIdsError';
  readonly exitCode = 4;

  constructor(maxIds: number) {
    super(
      `The input has more than ${thousands(maxIds)} different sourceIds, the most that one process remembers to detect repeats. Import it in shards (--state, --run and --shard), which remember ids in a database, or split it and import the parts one after another with the same --state-dir.`,
    );
  }
}

/**
 * Finds repeated sourceIds by their 64-bit hashes. Two different ids collide with a probability of
 * n² ÷ 2⁶⁵ (three in a million for ten million documents), which shows as a repeat with other
 * content.
 *
 * Open addressing with linear probing; a slot whose id is 0 is free. The hash's first bits select a
 * partition. Each doubles by itself, so that only a small part of the index is ever in memory twice.
 */
export class DedupIndex {
  readonly #maxIds: number;
  readonly #tables = Array.from({ length: PARTITIONS }, () => new Uint32Array(FIRST_WORDS));
  readonly #sizes = new Uint32Array(PARTITIONS);
  #size = 0;

  constructor(maxIds: number) {
    this.#maxIds = maxIds;
  }

  /**
   * Adds a document unless its sourceId is there already.
   * @param high, low the sourceId's hash; both 0 if there is none, which is never a repeat
   * @param ordinal number of the document's record in the run, from 0, below 2³²
   * @returns the document that was there already
   * @throws TooManyIdsError
   */
  insert(
    high: number,
    low: number,
    content: number,
    ordinal: number,
  ): PreviousOccurrence | undefined {
    if (high === 0 && low === 0) return undefined;
    const partition = high >>> PARTITION_SHIFT;
    const table = this.#tables[partition] as Uint32Array;
    const at = slotOf(table, high, low);
    if (!isFree(table, at)) {
      return { same: table[at + 2] === content, ordinal: table[at + 3] as number };
    }
    if (this.#size === this.#maxIds) throw new TooManyIdsError(this.#maxIds);
    table[at] = high;
    table[at + 1] = low;
    table[at + 2] = content;
    table[at + 3] = ordinal;
    this.#size += 1;
    const size = (this.#sizes[partition] as number) + 1;
    this.#sizes[partition] = size;
    if (size * SLOT_WORDS > table.length * MAX_LOAD) this.#tables[partition] = doubled(table);
    return undefined;
  }
}

function doubled(table: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(table.length * 2);
  for (let from = 0; from < table.length; from += SLOT_WORDS) {
    if (isFree(table, from)) continue;
    const to = slotOf(larger, table[from] as number, table[from + 1] as number);
    for (let word = 0; word < SLOT_WORDS; word += 1) {
      larger[to + word] = table[from + word] as number;
    }
  }
  return larger;
}

/** Index of the slot that holds the id, or of the free one where it belongs. */
function slotOf(table: Uint32Array, high: number, low: number): number {
  const mask = table.length - 1;
  let at = (low * SLOT_WORDS) & mask;
  while ((table[at] !== high || table[at + 1] !== low) && !isFree(table, at)) {
    at = (at + SLOT_WORDS) & mask;
  }
  return at;
}

function isFree(table: Uint32Array, at: number): boolean {
  return table[at] === 0 && table[at + 1] === 0;
}
