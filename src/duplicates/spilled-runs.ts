import { type Earlier, type EntryHash, PARTITIONS, partitionOf } from './entry.js';
import { entriesIn, findInRun, type Pages, type SortedRun } from './run.js';
import { SpillFile } from './spill-file.js';

/** Runs in a temporary file. */
export class SpilledRuns {
  readonly #file = new SpillFile();
  readonly #runs = Array.from({ length: PARTITIONS }, (): SortedRun[] => []);

  /** @throws SpillError */
  find(wanted: EntryHash): Earlier | undefined {
    for (const run of this.#runs[partitionOf(wanted.high)] as SortedRun[]) {
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
      return this.#file.append(entries, from, from + entriesIn(run, index));
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
