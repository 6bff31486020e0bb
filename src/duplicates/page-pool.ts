import { ENTRY_BYTES, type Entries, newEntries } from './entry.js';
import { PAGE_ENTRIES, type Pages } from './run.js';

/** Pages are allocated so many at a time: fewer objects for the garbage collector to look at. */
const SLAB_PAGES = 256;

/**
 * Memory for entries in pages of one size, each known by its number. What is given back is used
 * again, so that rewriting pages leaves no garbage for the collector to free at leisure.
 */
export class PagePool implements Pages {
  readonly #slabs: Entries[] = [];
  readonly #free: number[] = [];

  /** Bytes of the pages in use. */
  get bytes(): number {
    return (this.#slabs.length * SLAB_PAGES - this.#free.length) * PAGE_ENTRIES * ENTRY_BYTES;
  }

  take(): number {
    if (this.#free.length === 0) this.#addSlab();
    return this.#free.pop() as number;
  }

  giveBack(page: number): void {
    this.#free.push(page);
  }

  entriesOf(page: number): Entries {
    return this.#slabs[Math.floor(page / SLAB_PAGES)] as Entries;
  }

  startOf(page: number): number {
    return (page % SLAB_PAGES) * PAGE_ENTRIES;
  }

  #addSlab(): void {
    const first = this.#slabs.length * SLAB_PAGES;
    const entries = SLAB_PAGES * PAGE_ENTRIES;
    this.#slabs.push(newEntries(entries));
    for (let page = SLAB_PAGES - 1; page >= 0; page -= 1) this.#free.push(first + page);
  }
}
