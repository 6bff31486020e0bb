import { setTimeout } from 'node:timers/promises';
import Database from 'libsql';
import { journalError } from './damage.js';
import { makePrivateFile } from './database.js';

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
    const database = new Database(file, { timeout: 0 });
    if (!locked(database)) return undefined;
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

/** How long somebody who only looks may have a lock, in milliseconds. */
const LOOK_MS = 300;
const PAUSE_MS = 20;

/**
 * The same for a lock that somebody has for a while only, and will give back.
 * @param how how long to wait for it, in milliseconds, and what ends that sooner
 */
export async function takeLockSoon(
  file: string,
  { patienceMs = LOOK_MS, signal }: Waiting = {},
): Promise<RunLock | undefined> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const lock = takeLock(file);
    if (lock !== undefined || waitedMs >= patienceMs || signal?.aborted) return lock;
    await setTimeout(PAUSE_MS);
  }
}

interface Waiting {
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
}

function locked(database: Database.Database): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const busy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
    database.close();
    if (busy) return false;
    throw error;
  }
}
