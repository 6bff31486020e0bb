import { OptionError } from '../model/errors.js';
import { checkNames, type Names } from '../model/known-names.js';
import type { Report } from '../report/report.js';
import type { Journal } from '../runs/sqlite/journal.js';
import { Ledger } from '../runs/sqlite/ledger.js';
import { listRuns, removeRun } from '../runs/sqlite/run-folders.js';

/** Which runs are to be removed. */
export interface PruneOptions {
  readonly stateDir: string;
  /** Only those that began more than so many days ago, at least 0. */
  readonly olderThanDays: number;
}

/** What became of the runs of a state folder. */
export interface Pruned {
  /** Ids of the runs that are gone. */
  readonly removed: readonly string[];
  /** How many are left: recent ones, and those that left something undone or are under way. */
  readonly kept: number;
}

const NAMES: Names<PruneOptions> = { stateDir: true, olderThanDays: true };

const DAY_MS = 86_400_000;

/**
 * Removes runs that are finished and old. What they imported stays known: the ledger takes it in
 * before. What they rejected can't be sent again by `retry` any more.
 * @throws OptionError, JournalError
 */
export function pruneRuns(options: PruneOptions): Pruned {
  checkNames(options, NAMES, 'pruneRuns');
  const { stateDir, olderThanDays } = options;
  if (!(olderThanDays >= 0)) {
    throw new OptionError(`olderThanDays is ${olderThanDays}; expected a number, at least 0.`);
  }
  const runs = listRuns(stateDir);
  if (runs.length === 0) return { removed: [], kept: 0 };
  remember(stateDir);
  const before = Date.now() - olderThanDays * DAY_MS;
  const removed = runs.filter((run) =>
    removeRun(stateDir, run, (journal) => isDoneBefore(run, journal, before)),
  );
  return { removed, kept: runs.length - removed.length };
}

function remember(stateDir: string): void {
  const ledger = new Ledger(stateDir);
  try {
    ledger.takeInAll();
  } finally {
    ledger.close();
  }
}

/** One that left something undone is kept, unless it never sent anything: then nothing is lost. */
function isDoneBefore(run: string, journal: Journal, moment: number): boolean {
  const report = journal.report as Report | undefined;
  const isDone = report?.resumable === false || journal.states().isEmpty;
  return isDone && startOf(run, journal) <= moment;
}

/** When a run began; one that was cut off before that was written has it in its name, in UTC. */
function startOf(run: string, { description }: Journal): number {
  const named = run.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-.*$/, '$1-$2-$3T$4:$5:$6Z');
  return Date.parse(description?.started ?? named);
}
