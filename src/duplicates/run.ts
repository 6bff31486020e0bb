import { type Earlier, type Entries, type EntryHash, earlierAt, keyOf } from './entry.js';

/** How many entries a page holds, in memory and on disk. */
export const PAGE_ENTRIES = 128;

/** Where pages are kept: in memory or in a file. */
export interface Pages {
  /** The entries among which this page's are. */
  readonly entriesOf: (page: number) => Entries;
  /** Index of the page's first entry among those. */
  readonly startOf: (page: number) => number;
}

/** Entries of one partition in ascending order of their keys; all pages are full but the last. */
export interface SortedRun {
  readonly size: number;
  readonly pages: readonly number[];
  /** The key of each page's first entry. */
  readonly firstKeys: Uint32Array;
}

/** Looks for an id; each page that is looked into is asked for once. */
export function findInRun(run: SortedRun, pages: Pages, wanted: EntryHash): Earlier | undefined {
  const key = keyOf(wanted.high, wanted.low);
  for (let index = firstPageFor(run, key); index < run.pages.length; index += 1) {
    const page = run.pages[index] as number;
    const entries = pages.entriesOf(page);
    const from = pages.startOf(page);
    const to = from + entriesIn(run, index);
    const guess = from + guessInPage(run, index, key);
    let at = firstAtLeast(entries.keys, { from, to, guess }, key);
    for (; at < to && entries.keys[at] === key; at += 1) {
      if ((entries.rests[at] as number) >>> 8 === (wanted.low & 0xffffff)) {
        return earlierAt(entries, at, wanted);
      }
    }
    // Entries with the same key may go on in the next page.
    if (at < to) return undefined;
  }
  return undefined;
}

/** How many entries the page with this index holds. */
export function entriesIn({ size }: SortedRun, index: number): number {
  return Math.min(PAGE_ENTRIES, size - index * PAGE_ENTRIES);
}

/** Index of the last page that starts below this key, else of the first one. */
function firstPageFor({ size, firstKeys }: SortedRun, key: number): number {
  // Hashes are spread evenly: the guess is off by a page at most.
  let index = Math.floor((key / 2 ** 32) * (size / PAGE_ENTRIES));
  while (index + 1 < firstKeys.length && (firstKeys[index + 1] as number) < key) index += 1;
  while (index > 0 && (firstKeys[index] as number) >= key) index -= 1;
  return index;
}

/** How many of a page's entries come before this key, if they are spread evenly. */
function guessInPage(run: SortedRun, index: number, key: number): number {
  const first = run.firstKeys[index] as number;
  const isLast = index + 1 === run.firstKeys.length;
  const next = isLast ? 2 ** 32 : (run.firstKeys[index + 1] as number);
  const share = (key - first) / (next - first);
  return Math.floor(Math.min(Math.max(share, 0), 0.999) * entriesIn(run, index));
}

/** Index of the first key that isn't smaller, looked for around a guess. */
function firstAtLeast(
  keys: Uint32Array,
  { from, to, guess }: { readonly from: number; readonly to: number; readonly guess: number },
  key: number,
): number {
  let at = guess;
  while (at < to && (keys[at] as number) < key) at += 1;
  while (at > from && (keys[at - 1] as number) >= key) at -= 1;
  return at;
}
