import { count, duration, thousands } from '../model/figures.js';
import { type Counts, NO_COUNTS } from '../model/record.js';
import { countChanged, countsText } from './check-epoch.js';
import type { StreamResult } from './epoch.js';

/** Outcome of a tap's output, in the JSON that `--report` writes. */
export interface TargetReport {
  readonly command: 'target-singer';
  /** `finished`: the tap's output was read to its end. */
  readonly status: 'finished' | 'stopped' | 'interrupted';
  /** Reason for ending before the end of the tap's output; `null` if it didn't. */
  readonly stop: string | null;
  readonly exitCode: number;
  readonly monitoring: number;
  readonly lines: number;
  readonly epochs: number;
  readonly counts: Counts;
  readonly streams: Readonly<Record<string, StreamTotals>>;
  /** Number of skipped records by stream. */
  readonly skippedStreams: Readonly<Record<string, number>>;
  readonly states: { readonly read: number; readonly written: number };
  /** Ids of the last runs with records that weren't accepted, at most 100. */
  readonly runsLeftOver: readonly string[];
  readonly elapsedMs: number;
}

/** Formats the report for people. The first line is the result. */
export function summaryText(report: TargetReport): string {
  const { status, stop, lines, epochs, states, elapsedMs } = report;
  const how = { finished: 'Finished', stopped: 'Stopped early', interrupted: 'Interrupted' };
  const read = [count(lines, 'line'), count(epochs, 'epoch'), duration(elapsedMs)].join(', ');
  const streams = Object.entries(report.streams).map(([name, totals]) => {
    const changed =
      totals.changed === 0
        ? ''
        : ` (${thousands(totals.changed)} with other content: the service keeps what it has)`;
    return `  ${name}: ${countsText(totals.counts)}${changed}`;
  });
  const skipped = Object.entries(report.skippedStreams).map(
    ([name, records]) => `  ${name}: ${count(records, 'record')}, not in the config`,
  );
  return [
    `${how[status]}: ${read}.`,
    ...(stop === null ? [] : [stop]),
    ...streams,
    ...skipped,
    `  states: ${thousands(states.read)} read, ${thousands(states.written)} written`,
  ].join('\n');
}

interface StreamTotals {
  readonly counts: Counts;
  /**
   * Number of records with the sourceId of an earlier one but other content; the service keeps the
   * first version.
   */
  readonly changed: number;
  /** Number of runs, one an epoch. */
  readonly runs: number;
}

type TargetFigures = Pick<
  TargetReport,
  'epochs' | 'counts' | 'streams' | 'skippedStreams' | 'runsLeftOver'
>;

const MAX_RUNS_LEFT_OVER = 100;
/** Maximum number of names of skipped streams, for taps with endless names. */
const MAX_SKIPPED = 1_000;

/** Adds up outcomes in bounded memory. */
export class Totals {
  readonly #streams = new Map<string, StreamTotals>();
  readonly #skipped = new Map<string, number>();
  readonly #leftOver: string[] = [];
  epochs = 0;

  constructor(streams: readonly string[]) {
    for (const name of streams) this.#streams.set(name, { counts: NO_COUNTS, changed: 0, runs: 0 });
  }

  add(ends: readonly StreamResult[]): void {
    this.epochs += 1;
    for (const { stream, report } of ends) {
      const before = this.#streams.get(stream) as StreamTotals;
      this.#streams.set(stream, {
        counts: addCounts(before.counts, report.counts),
        changed: before.changed + countChanged(report),
        runs: before.runs + 1,
      });
      const { invalid, rejected, unknown, unsent } = report.counts;
      if (invalid + rejected + unknown + unsent > 0) this.#leftOver.push(report.run);
      if (this.#leftOver.length > MAX_RUNS_LEFT_OVER) this.#leftOver.shift();
    }
  }

  skip(stream: string): void {
    const isKnown = this.#skipped.has(stream) || this.#skipped.size < MAX_SKIPPED;
    const name = isKnown ? stream : 'other streams';
    this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + 1);
  }

  figures(): TargetFigures {
    const streams = [...this.#streams.values()];
    return {
      epochs: this.epochs,
      counts: streams.reduce((sum, { counts }) => addCounts(sum, counts), NO_COUNTS),
      streams: Object.fromEntries(this.#streams),
      skippedStreams: Object.fromEntries(this.#skipped),
      runsLeftOver: this.#leftOver,
    };
  }
}

function addCounts(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([name, figure]) => [
    name,
    figure + other[name as keyof Counts],
  ]);
  return Object.fromEntries(sums) as Counts;
}
