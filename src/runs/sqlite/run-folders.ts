import { existsSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { ResumeError } from '../../model/errors.js';
import { sealOf } from './database.js';
import type { RunDescription } from './description.js';
import { damaged, journalError } from './failures.js';
import { Journal } from './journal.js';
import { type RunLock, takeLock, takeLockSoon } from './run-lock.js';

/** A run that belongs to this process until it is let go. */
export interface HeldRun {
  readonly id: string;
  readonly journal: Journal;
  /** When its journal was last written, before it was taken; 0: it is new. Milliseconds since 1970. */
  readonly touchedMs: number;
  /** Writes what waits and lets go of the run. */
  release(): void;
}

/**
 * Does something while no other process does the same in this folder.
 * @throws ResumeError if another one takes too long over it
 */
export function alone<T>(stateDir: string, work: () => T): T {
  makeFolder(stateDir);
  const lock = takeLockSoon(path.join(stateDir, 'start.lock'));
  if (lock === undefined) {
    throw new ResumeError(
      `Another process has been beginning a run in ${stateDir} for long: try again.`,
    );
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** Makes a run's folder and journal, and holds them. */
export function createRun(stateDir: string, id: string, description: RunDescription): HeldRun {
  makeFolder(runFolder(stateDir, id));
  return hold(stateDir, id, (journal) => journal.begin(id, description));
}

/**
 * Takes a run that is there, and makes sure that its journal is what was written.
 * @throws ResumeError if there is none of this name, or another process has it; JournalError
 */
export function holdRun(stateDir: string, id: string): HeldRun {
  checkRun(stateDir, id);
  return hold(stateDir, id, (journal) => journal.check());
}

/**
 * Looks into a run, also while somebody else goes on with it.
 * @throws ResumeError if there is none of this name
 */
export function lookAtRun<T>(stateDir: string, id: string, look: (journal: Journal) => T): T {
  checkRun(stateDir, id);
  const journal = openJournal(stateDir, id);
  try {
    return look(journal);
  } finally {
    journal.close();
  }
}

/**
 * Removes a run, unless a process has it.
 * @param mayGo whether it is one that nobody needs any more
 * @returns whether it is gone
 */
export function removeRun(
  stateDir: string,
  id: string,
  mayGo: (journal: Journal) => boolean,
): boolean {
  const lock = takeLock(lockFile(stateDir, id));
  if (lock === undefined) return false;
  try {
    if (!lookAtRun(stateDir, id, mayGo)) return false;
    // Without it, there is no run; whoever waited for the lock finds that.
    const journal = journalFile(stateDir, id);
    for (const file of [sealOf(journal), journal, `${journal}-wal`, `${journal}-shm`]) {
      rmSync(file, { force: true });
    }
  } finally {
    lock.release();
  }
  rmSync(runFolder(stateDir, id), { recursive: true, force: true });
  return true;
}

/** Ids of all runs, the latest last. */
export function listRuns(stateDir: string): readonly string[] {
  const folder = path.join(stateDir, 'runs');
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder)
      .filter((id) => isRun(journalFile(stateDir, id)))
      .toSorted();
  } catch (error) {
    throw journalError(folder, error);
  }
}

/** A text that is another one once something was added to a run's journal. */
export function runStamp(stateDir: string, id: string): string {
  return fileStats(stateDir, id)
    .map((found) => (found === undefined ? '-' : `${found.size} ${found.mtimeMs}`))
    .join(', ');
}

/** When a run's journal was last written, in milliseconds since 1970; 0: there is none. */
export function lastTouched(stateDir: string, id: string): number {
  return Math.max(...fileStats(stateDir, id).map((found) => found?.mtimeMs ?? 0));
}

/** Of a journal and its log. */
function fileStats(stateDir: string, id: string): readonly (Stats | undefined)[] {
  const file = journalFile(stateDir, id);
  return [file, `${file}-wal`].map((name) => statSync(name, { throwIfNoEntry: false }));
}

/** Whether some process goes on with a run just now. */
export function isHeld(stateDir: string, id: string): boolean {
  const lock = takeLock(lockFile(stateDir, id));
  lock?.release();
  return lock === undefined;
}

/** One whose journal is gone is damaged: it was one. */
function isRun(journal: string): boolean {
  return existsSync(journal) || existsSync(sealOf(journal));
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw journalError(folder, error);
  }
}

function checkRun(stateDir: string, id: string): void {
  const known = listRuns(stateDir);
  if (known.includes(id)) return;
  const latest = known.at(-1);
  const hint =
    latest === undefined
      ? 'there are none'
      : `the latest is ${latest}, and \`docferry runs list\` shows all`;
  throw new ResumeError(
    `There is no run ${JSON.stringify(id)} in ${stateDir}: ${hint}. Another folder is named with --state-dir.`,
  );
}

function hold(stateDir: string, id: string, begin: (journal: Journal) => void): HeldRun {
  // Who lists runs has it for a moment.
  const lock = takeLockSoon(lockFile(stateDir, id));
  if (lock === undefined) {
    throw new ResumeError(
      `The run ${id} is under way in another process: wait until that ends, or end it.`,
    );
  }
  try {
    const touchedMs = lastTouched(stateDir, id);
    const journal = openJournal(stateDir, id, begin);
    return { id, journal, touchedMs, release: () => release(journal, lock) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function release(journal: Journal, lock: RunLock): void {
  try {
    journal.close();
  } finally {
    lock.release();
  }
}

/**
 * Opens a run's journal and does something about it.
 * @throws JournalError also if it is another run's
 */
function openJournal(stateDir: string, id: string, begin?: (journal: Journal) => void): Journal {
  const file = journalFile(stateDir, id);
  const journal = new Journal(file);
  try {
    checkName(journal, { file, id });
    begin?.(journal);
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

function checkName(
  { run }: Journal,
  { file, id }: { readonly file: string; readonly id: string },
): void {
  if (run === id) return;
  if (run !== undefined) throw damaged(file, `it is the journal of the run ${run}`);
  if (existsSync(sealOf(file))) throw damaged(file, 'it no longer says what run it is');
}

function runFolder(stateDir: string, id: string): string {
  return path.join(stateDir, 'runs', id);
}

function journalFile(stateDir: string, id: string): string {
  return path.join(runFolder(stateDir, id), 'journal.db');
}

function lockFile(stateDir: string, id: string): string {
  return path.join(runFolder(stateDir, id), 'lock');
}
