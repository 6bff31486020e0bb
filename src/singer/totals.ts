import { type Counts, NO_COUNTS } from '../model/record.js';
import type { StreamEnd } from './epoch.js';
import { countOf } from './judge-epoch.js';

/** What became of a stream's records, over all epochs. */
export interface StreamTotals {
  readonly counts: Counts;
  /**
   * Of the duplicates, those that an earlier epoch or run imported with other content: the service
   * keeps what it has.
   */
  readonly changed: number;
  /** How many runs imported it, one an epoch. */
  readonly runs: number;
}

/** Ids of runs with records that were not accepted: more are no help to anybody. */
const MAX_RUNS = 100;
/** Streams that are not imported, by name: a tap with more makes them up. */
const MAX_SKIPPED = 1_000;

/** Adds up what became of records. Memory is bounded however long the tap runs. */
export class Totals {
  readonly #streams = new Map<string, StreamTotals>();
  readonly #skipped = new Map<string, number>();
  readonly #leftOver: string[] = [];
  epochs = 0;

  /** @param streams all that are imported */
  constructor(streams: readonly string[]) {
    for (const name of streams) this.#streams.set(name, { counts: NO_COUNTS, changed: 0, runs: 0 });
  }

  add(ends: readonly StreamEnd[]): void {
    this.epochs += 1;
    for (const { stream, report } of ends) {
      const before = this.#streams.get(stream) as StreamTotals;
      this.#streams.set(stream, {
        counts: sumOf(before.counts, report.counts),
        changed: before.changed + countOf(report, 'changed'),
        runs: before.runs + 1,
      });
      const { invalid, rejected, unknown, unsent } = report.counts;
      if (invalid + rejected + unknown + unsent > 0) this.#leftOver.push(report.run);
      if (this.#leftOver.length > MAX_RUNS) this.#leftOver.shift();
    }
  }

  /** A record of a stream that is not imported. */
  skip(stream: string): void {
    const isKnown = this.#skipped.has(stream) || this.#skipped.size < MAX_SKIPPED;
    const name = isKnown ? stream : 'other streams';
    this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + 1);
  }

  streams(): Readonly<Record<string, StreamTotals>> {
    return Object.fromEntries(this.#streams);
  }

  /** Records of streams that are not imported, by the stream. */
  skipped(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#skipped);
  }

  /** Ids of the last runs of which not every record was accepted. */
  leftOver(): readonly string[] {
    return this.#leftOver;
  }

  counts(): Counts {
    return [...this.#streams.values()].reduce((sum, { counts }) => sumOf(sum, counts), NO_COUNTS);
  }
}

function sumOf(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([name, figure]) => [
    name,
    figure + other[name as keyof Counts],
  ]);
  return Object.fromEntries(sums) as Counts;
}
