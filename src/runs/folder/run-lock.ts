import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type Database from 'libsql';
import { openSqlite } from '../../model/open-sqlite.js';
import { journalError } from './damage.js';
import { makePrivateFile } from './run-files.js';

/** Holds a run for this process. */
export interface RunLock {
  release(): void;
}

/**
 * Takes a lock file, or tells at once that somebody has it (`undefined`). The lock is SQLite's own
 * on a file of its own, which the system gives back however its holder ends; a file that merely
 * stands there could not be told from one that a killed process left.
 * @throws JournalError if the file can't be made
 */
export function takeLock(file: string): RunLock | undefined {
  try {
    makePrivateFile(file);
    const database = openSqlite(file, { timeout: 0 });
    if (isBusy(database, 'BEGIN EXCLUSIVE')) return undefined;
    return {
      release: () => {
        if (!database.open) return;
        // Closing alone frees nothing before the next garbage collection.
        database.exec('ROLLBACK');
        database.close();
      },
    };
  } catch (error) {
    throw journalError(file, error);
  }
}

/**
 * Whether somebody has a lock. Any number of processes may ask at once: none of them is taken for one
 * that has it. Nothing is made for a lock that isn't there.
 * @throws JournalError if the file can't be read
 */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const database = openSqlite(file, { timeout: 0 });
    // A shared lock, for as long as the statement takes.
    if (isBusy(database, 'SELECT 1 FROM sqlite_schema')) return true;
    database.close();
    return false;
  } catch (error) {
    // Removed meanwhile, with its run.
    if (!existsSync(file)) return false;
    throw journalError(file, error);
  }
}

/** How long those who only look may be in the way, one after the other, in milliseconds. */
const LOOK_MS = 300;
const PAUSE_MS = 20;

/** The same for a lock that somebody has for a moment only, to look at it. */
export async function takeLockSoon(file: string): Promise<RunLock | undefined> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const lock = takeLock(file);
    if (lock !== undefined || waitedMs >= LOOK_MS) return lock;
    await setTimeout(PAUSE_MS);
  }
}

/** Whether somebody's lock forbids a statement; the database is closed then. */
function isBusy(database: Database.Database, statement: string): boolean {
  try {
    database.exec(statement);
    return false;
  } catch (error) {
    const busy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
    database.close();
    if (busy) return true;
    throw error;
  }
}
