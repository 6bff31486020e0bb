import Database from 'libsql';
import { journalError, makePrivateFile } from './database.js';

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
