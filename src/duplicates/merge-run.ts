import { type Entries, newEntries } from './entry.js';
import type { PagePool } from './page-pool.js';
import type { RecentWalk } from './recent-entries.js';
import { entriesIn, PAGE_ENTRIES, type SortedRun } from './run.js';

/**
 * A run with all recent entries of a partition, at the first of which the walk stands. The old
 * run's pages are used again as they are read, so it takes a page or two more than what comes in.
 */
export function mergeRun(old: SortedRun, walk: RecentWalk, pool: PagePool): SortedRun {
  const { partition } = walk;
  const merged = new RunWriter(pool);
  for (const [index, page] of old.pages.entries()) {
    const entries = pool.entriesOf(page);
    let at = pool.startOf(page);
    const end = at + entriesIn(old, index);
    while (at < end) {
      const before = walk.partition === partition ? walk.key : Infinity;
      const from = at;
      while (at < end && (entries.keys[at] as number) <= before) at += 1;
      merged.copy(entries, from, at);
      if (at < end) merged.addNext(walk);
    }
    pool.giveBack(page);
  }
  while (walk.partition === partition) merged.addNext(walk);
  return merged.finish();
}

/** Fills pages from their first entry to their last. */
class RunWriter {
  #size = 0;
  readonly #pages: number[] = [];
  readonly #firstKeys: number[] = [];
  readonly #pool: PagePool;
  #entries: Entries;
  #at = 0;
  #end = 0;

  constructor(pool: PagePool) {
    this.#pool = pool;
    this.#entries = newEntries(0);
  }

  /** Adds entries `from` (inclusive) to `to` (exclusive), of which there may be none. */
  copy(source: Entries, from: number, to: number): void {
    let next = from;
    while (next < to) {
      if (this.#at === this.#end) this.#beginPage(source.keys[next] as number);
      const count = Math.min(to - next, this.#end - this.#at);
      copyEntries(source, { from: next, to: next + count }, this.#entries, this.#at);
      next += count;
      this.#at += count;
    }
    this.#size += to - from;
  }

  addNext(walk: RecentWalk): void {
    if (this.#at === this.#end) this.#beginPage(walk.key);
    const { keys, rests, contents, ordinals } = this.#entries;
    const at = this.#at;
    keys[at] = walk.key;
    rests[at] = walk.rest;
    contents[at] = walk.content;
    ordinals[at] = walk.ordinal;
    this.#at = at + 1;
    this.#size += 1;
    walk.next();
  }

  finish(): SortedRun {
    const firstKeys = Uint32Array.from(this.#firstKeys);
    return { size: this.#size, pages: this.#pages, firstKeys };
  }

  #beginPage(key: number): void {
    const page = this.#pool.take();
    this.#pages.push(page);
    this.#firstKeys.push(key);
    this.#entries = this.#pool.entriesOf(page);
    this.#at = this.#pool.startOf(page);
    this.#end = this.#at + PAGE_ENTRIES;
  }
}

function copyEntries(
  source: Entries,
  { from, to }: { readonly from: number; readonly to: number },
  target: Entries,
  start: number,
): void {
  const { keys, rests, contents, ordinals } = target;
  const shift = start - from;
  for (let at = from; at < to; at += 1) {
    keys[at + shift] = source.keys[at] as number;
    rests[at + shift] = source.rests[at] as number;
    contents[at + shift] = source.contents[at] as number;
    ordinals[at + shift] = source.ordinals[at] as number;
  }
}
