import {
  type Earlier,
  type EntryHash,
  highOf,
  lowBitsOf,
  PARTITIONS,
  partitionOf,
} from './entry.js';
import { IdFilter } from './id-filter.js';
import { mergeRun } from './merge-run.js';
import { PagePool } from './page-pool.js';
import { RecentEntries, SLOT_BYTES } from './recent-entries.js';
import { entriesIn, findInRun, type SortedRun } from './run.js';
import { SpilledRuns } from './spilled-runs.js';

/** Slots for recent entries: at first, for 50,000 rows, and once there are enough to be worth it. */
const FIRST_SLOTS = 2 ** 16;
const USUAL_SLOTS = 2 ** 18;
/** From then on there is a slot for so many of all entries: fewer, and merging costs more. */
const ENTRIES_A_SLOT = 16;
/** Bytes of the filter for each id when it is made, and fewest before a larger one is. */
const FILTER_BYTES_AN_ID = 2.5;
const MIN_FILTER_BYTES_AN_ID = 1.25;
/** As much as a processor keeps close by; where all runs are in memory, a filter saves no more. */
const MAX_FILTER_BYTES = 4 * 2 ** 20;
/** Shares of the memory: the most for recent entries, and what the filter gets once there is a file. */
const RECENT_SHARE = 1 / 16;
const FILTER_SHARE = 1 / 4;
const NO_ENTRIES: SortedRun = { size: 0, pages: [], firstKeys: new Uint32Array() };

/**
 * Remembers which sourceIds a run has seen: hashes, not the ids themselves, in at most 16 bytes an
 * id. Two different ids meet with a probability of about n² ÷ 2⁶⁵ (for ten million documents:
 * three in a million); they then show as a repeat with other content, which is reported as invalid
 * with both places, never dropped in silence.
 *
 * The last ids are in a hash table. When it is full, it is merged into runs of sorted pages, one
 * run a partition. When those need more memory than allowed, the longest go to a temporary file. A
 * filter spares most new ids the look into the runs.
 */
export class SeenDocuments {
  size = 0;
  readonly #memoryBytes: number;
  readonly #pool = new PagePool();
  readonly #runs: SortedRun[] = Array.from({ length: PARTITIONS }, () => NO_ENTRIES);
  readonly #document: EntryHash = { high: 0, low: 0, content: 0 };
  #recent: RecentEntries;
  /** Has all ids but the recent ones. */
  #filter: IdFilter = new IdFilter(0);
  #filterBytes = 0;
  #spilled: SpilledRuns | undefined;

  /** @param memoryBytes most memory to use; a few MiB are needed at least */
  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
    this.#recent = new RecentEntries(Math.min(FIRST_SLOTS, this.#mostSlots));
  }

  /**
   * Remembers a document, or tells which earlier one had the same sourceId.
   * @param high, low two 32-bit words of the sourceId's hash
   * @param content a word of the content's hash; its lower 24 bits count
   * @param ordinal number of the document's record in the run, from 0, below 2³²
   * @throws SpillError if the temporary file can't be written or read
   */
  see(high: number, low: number, content: number, ordinal: number): Earlier | undefined {
    const document = this.#document;
    document.high = high || 1; // zero marks a free slot
    document.low = low;
    document.content = content;
    let place = this.#recent.placeOf(document);
    const earlier = this.#recent.earlierAt(place, document) ?? this.#findOlder(document);
    if (earlier !== undefined) return earlier;
    while (!this.#recent.addAt(place, document, ordinal)) {
      this.#mergeRecent();
      place = this.#recent.placeOf(document);
    }
    this.size += 1;
    return undefined;
  }

  /** Removes the temporary file, if there is one. */
  close(): void {
    this.#spilled?.close();
  }

  #findOlder(document: EntryHash): Earlier | undefined {
    if (!this.#filter.mayHave(document.high, document.low & 0xffffff)) return undefined;
    const run = this.#runs[partitionOf(document.high)] as SortedRun;
    return findInRun(run, this.#pool, document) ?? this.#spilled?.find(document);
  }

  #mergeRecent(): void {
    this.#filterRecent();
    const walk = this.#recent.walk();
    while (walk.partition < PARTITIONS) {
      const { partition } = walk;
      this.#runs[partition] = mergeRun(this.#runs[partition] as SortedRun, walk, this.#pool);
      while (this.#pool.bytes > this.#mostPageBytes) this.#spillLongest();
    }
    this.#recent.clear();
    const slots = this.#slotsWanted();
    if (slots > this.#recent.slots) this.#recent = new RecentEntries(slots);
  }

  #filterRecent(): void {
    const most = Math.min(MAX_FILTER_BYTES, this.#memoryBytes * FILTER_SHARE);
    const isTooSmall = this.#filterBytes < Math.min(this.size * MIN_FILTER_BYTES_AN_ID, most);
    // What has gone to the file can't be added to another filter.
    const makesNew = isTooSmall && this.#spilled === undefined;
    if (makesNew) this.#newFilter(Math.min(this.size * FILTER_BYTES_AN_ID, most));
    else this.#addRecentToFilter();
  }

  /** Makes a filter of this size, and adds all ids. None is in the file yet. */
  #newFilter(bytes: number): void {
    this.#filter = new IdFilter(bytes);
    this.#filterBytes = bytes;
    for (const [partition, run] of this.#runs.entries()) {
      for (const [index, page] of run.pages.entries()) {
        const { keys, rests } = this.#pool.entriesOf(page);
        const from = this.#pool.startOf(page);
        const to = from + entriesIn(run, index);
        for (let at = from; at < to; at += 1) {
          const high = highOf(partition, keys[at] as number);
          this.#filter.add(high, lowBitsOf(rests[at] as number));
        }
      }
    }
    this.#addRecentToFilter();
  }

  #addRecentToFilter(): void {
    const walk = this.#recent.walk();
    for (; walk.partition < PARTITIONS; walk.next()) {
      this.#filter.add(highOf(walk.partition, walk.key), lowBitsOf(walk.rest));
    }
  }

  #slotsWanted(): number {
    const { slots } = this.#recent;
    const tooFew = slots < USUAL_SLOTS || slots * ENTRIES_A_SLOT < this.size;
    return tooFew ? Math.min(slots * (slots < USUAL_SLOTS ? 4 : 2), this.#mostSlots) : slots;
  }

  #spillLongest(): void {
    if (this.#spilled === undefined) {
      this.#newFilter(this.#memoryBytes * FILTER_SHARE);
      this.#spilled = new SpilledRuns();
    }
    const longest = this.#runs.reduce(
      (best, { size }, partition) =>
        size > (this.#runs[best] as SortedRun).size ? partition : best,
      0,
    );
    const run = this.#runs[longest] as SortedRun;
    this.#spilled.add(longest, run, this.#pool);
    this.#runs[longest] = NO_ENTRIES;
    for (const page of run.pages) this.#pool.giveBack(page);
  }

  get #mostSlots(): number {
    return Math.max(1, Math.floor((this.#memoryBytes * RECENT_SHARE) / SLOT_BYTES));
  }

  get #mostPageBytes(): number {
    return this.#memoryBytes * (1 - RECENT_SHARE - FILTER_SHARE);
  }
}
