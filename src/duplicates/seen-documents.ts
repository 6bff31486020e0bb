import { type Earlier, type EntryHash, PARTITIONS, partitionOf } from './entry.js';
import { mergeRun } from './merge-run.js';
import { PagePool } from './page-pool.js';
import { RecentEntries, SLOT_BYTES } from './recent-entries.js';
import { findInRun, type SortedRun } from './run.js';
import { SpilledRuns } from './spilled-runs.js';

/** Slots for recent entries: at first, and once there are enough to be worth it. */
const FIRST_SLOTS = 2 ** 12;
const USUAL_SLOTS = 2 ** 18;
/** From then on there is a slot for so many of all entries: fewer, and merging costs more. */
const ENTRIES_A_SLOT = 16;
/** Shares of the memory: the most for recent entries, and what the filter gets once there is one. */
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
 * run a partition. When those need more memory than allowed, the longest go to a temporary file.
 */
export class SeenDocuments {
  size = 0;
  readonly #memoryBytes: number;
  readonly #pool = new PagePool();
  readonly #runs: SortedRun[] = Array.from({ length: PARTITIONS }, () => NO_ENTRIES);
  readonly #document: EntryHash = { high: 0, low: 0, content: 0 };
  #recent: RecentEntries;
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
    const run = this.#runs[partitionOf(document.high)] as SortedRun;
    return findInRun(run, this.#pool, document) ?? this.#spilled?.find(document);
  }

  #mergeRecent(): void {
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

  #slotsWanted(): number {
    const { slots } = this.#recent;
    const tooFew = slots < USUAL_SLOTS || slots * ENTRIES_A_SLOT < this.size;
    return tooFew ? Math.min(slots * (slots < USUAL_SLOTS ? 4 : 2), this.#mostSlots) : slots;
  }

  #spillLongest(): void {
    const longest = this.#runs.reduce(
      (best, { size }, partition) =>
        size > (this.#runs[best] as SortedRun).size ? partition : best,
      0,
    );
    const run = this.#runs[longest] as SortedRun;
    this.#spilled ??= new SpilledRuns(this.#memoryBytes * FILTER_SHARE);
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
