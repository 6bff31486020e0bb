import { count, duration, thousands } from '../model/figures.js';
import { type Counts, NO_COUNTS } from '../model/record.js';
import type { StreamEnd } from './epoch.js';
import { countOf, countsText } from './judge-epoch.js';
import type { TargetEnd } from './target.js';

/** What became of a tap's output: the JSON that `--report` writes. docs/singer.md describes it. */
export interface TargetReport {
  readonly command: 'target-singer';
  /** `finished`: the tap's output was read to its end. */
  readonly status: 'finished' | 'stopped' | 'interrupted';
  /** Why it ended before that; `null` if it didn't. */
  readonly stop: string | null;
  readonly exitCode: number;
  readonly monitoring: number;
  /** Lines that were read. */
  readonly lines: number;
  readonly epochs: number;
  readonly counts: Counts;
  readonly streams: Readonly<Record<string, StreamTotals>>;
  /** Records of streams that the config does not name, by the stream. */
  readonly skippedStreams: Readonly<Record<string, number>>;
  readonly states: { readonly read: number; readonly written: number };
  /** Ids of the last runs of which not every record was accepted, at most 100. */
  readonly runsLeftOver: readonly string[];
  readonly elapsedMs: number;
}

/** @param around where it went, and how long it took */
export function targetReport(
  { exitCode, stop, lines, states, totals }: TargetEnd,
  around: Pick<TargetReport, 'monitoring' | 'elapsedMs'>,
): TargetReport {
  return {
    command: 'target-singer',
    status: stop === null ? 'finished' : exitCode === 130 ? 'interrupted' : 'stopped',
    stop,
    exitCode,
    ...around,
    lines,
    epochs: totals.epochs,
    counts: totals.counts(),
    streams: totals.streams(),
    skippedStreams: totals.skipped(),
    states,
    runsLeftOver: totals.leftOver(),
  };
}

/** The same for people: what happened stands in the first line. */
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

/** What became of a stream's records, over all epochs. */
interface StreamTotals {
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
