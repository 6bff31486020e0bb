import { count, duration, thousands } from '../model/figures.js';
import type { Counts } from '../model/record.js';
import { countsText } from './notices.js';
import type { TargetEnd } from './target.js';
import type { StreamTotals } from './totals.js';

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
