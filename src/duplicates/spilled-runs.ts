import { type Earlier, type EntryHash, keyOf, PARTITIONS, partitionOf } from './entry.js';
import { IdFilter } from './id-filter.js';
import { entriesIn, findInRun, type Pages, type SortedRun } from './run.js';
import { SpillFile } from './spill-file.js';

/** Runs in a temporary file. A filter in memory spares most fresh ids the look into it. */
export class SpilledRuns {
  readonly #file = new SpillFile();
  readonly #filter: IdFilter;
  readonly #runs = Array.from({ length: PARTITIONS }, (): SortedRun[] => []);

  /** @throws SpillError */
  constructor(filterBytes: number) {
    this.#filter = new IdFilter(filterBytes);
  }

  /** @throws SpillError */
  find(wanted: EntryHash): Earlier | undefined {
    const { high, low } = wanted;
    if (!this.#filter.mayHave(keyOf(high, low), low & 0xffffff)) return undefined;
    for (const run of this.#runs[partitionOf(high)] as SortedRun[]) {
      const earlier = findInRun(run, this.#file, wanted);
      if (earlier !== undefined) return earlier;
    }
    return undefined;
  }

  /**
   * Copies a run to the file.
   * @throws SpillError
   */
  add(partition: number, run: SortedRun, memory: Pages): void {
    const pages = run.pages.map((page, index) => {
      const entries = memory.entriesOf(page);
      const from = memory.startOf(page);
      const to = from + entriesIn(run, index);
      for (let at = from; at < to; at += 1) {
        this.#filter.add(entries.keys[at] as number, (entries.rests[at] as number) >>> 8);
      }
      return this.#file.append(entries, from, to);
    });
    (this.#runs[partition] as SortedRun[]).push({
      size: run.size,
      pages,
      firstKeys: run.firstKeys,
    });
  }

  close(): void {
    this.#file.close();
  }
}
