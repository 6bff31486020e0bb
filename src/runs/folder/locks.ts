/**
 * Locks of a state folder: one process per run, and one import at a time per monitoring. Each is an
 * SQLite lock on a separate file, which the system releases however the process ends. The mere
 * existence of a file wouldn't do: a killed process leaves it behind.
 */
import { createHash } from 'node:crypto';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type Database from 'libsql';
import { JournalError } from '../../model/errors.js';
import { openSqlite } from '../../model/open-sqlite.js';
import type { RunTarget } from '../description.js';
import type { LockRequest, RunLock } from '../store.js';
import { journalError, makePrivateFile, readJsonFile } from './run-files.js';

/**
 * Takes a lock; `undefined` if another process holds it.
 * @param waitMs longest wait, because a check of the lock holds it for a moment
 * @throws JournalError if the file can't be created
 */
export function takeLock(file: string, waitMs = 0): RunLock | undefined {
  try {
    makePrivateFile(file);
    const database = openSqlite(file, { timeout: waitMs });
    if (isBusy(database, 'BEGIN EXCLUSIVE')) return undefined;
    const taken = inodeOf(file);
    return {
      loss: () => (inodeOf(file) === taken ? undefined : removed(file)),
      release: () => {
        if (!database.open) return;
        // Closing alone doesn't release the lock before the next garbage collection.
        database.exec('ROLLBACK');
        database.close();
      },
    };
  } catch (error) {
    throw journalError(file, error);
  }
}

/** Inode of the file with this name. While the lock's own file is open, a new one can't get its inode. */
function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

function removed(file: string): JournalError {
  return new JournalError(
    `${file} was removed while the run held this lock, so another import may have started meanwhile. Nothing more is sent. Resume the run: it waits for the other import. Don't delete files of the state folder while an import is running, however old they are.`,
  );
}

/**
 * Returns whether a process holds a lock. Processes that check at the same time don't disturb each
 * other. Creates no file.
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
    // Removed meanwhile together with its run.
    if (!existsSync(file)) return false;
    throw journalError(file, error);
  }
}

/** Returns whether another lock blocks a statement; closes the database if so. */
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

/** The run that holds a lock, to be shown to those that wait. */
interface Holder {
  readonly run: string;
  readonly pid: number;
  readonly since: string;
}

/**
 * Takes the lock of a monitoring, or returns a clause about the import that has it. Imports with the
 * same state folder send to it one at a time, so that each knows what the ones before have sent.
 * @throws JournalError
 */
export function tryLockTarget(
  stateDir: string,
  { target, run, holder }: LockRequest,
): RunLock | string {
  const key = createHash('sha256').update(JSON.stringify([target.service, target.monitoring]));
  const file = path.join(stateDir, 'locks', key.digest('hex').slice(0, 16));
  const lock = holder === undefined ? takeLock(file) : takeShared(file, holder);
  // `undefined` just before the holder has written it.
  if (lock === undefined) return busy(target, readJsonFile(`${file}.json`) as Holder | undefined);
  writeHolder(file, { run, pid: process.pid, since: new Date().toISOString() });
  return lock;
}

/** Locks shared by runs of this process, by file and holder, with the number of runs. */
const shared = new Map<string, { readonly lock: RunLock; runs: number }>();

function takeShared(file: string, holder: string): RunLock | undefined {
  const key = `${holder} ${file}`;
  const known = shared.get(key);
  const lock = known?.lock ?? takeLock(file);
  if (lock === undefined) return undefined;
  const entry = known ?? { lock, runs: 0 };
  entry.runs += 1;
  shared.set(key, entry);
  let isHeld = true;
  return {
    loss: lock.loss,
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      entry.runs -= 1;
      if (entry.runs > 0) return;
      shared.delete(key);
      lock.release();
    },
  };
}

/** Records the holder. If that fails, waiting runs can't name it. */
function writeHolder(file: string, holder: Holder): void {
  try {
    writeFileSync(`${file}.json`, JSON.stringify(holder), { mode: 0o600 });
  } catch {}
}

function busy({ monitoring }: RunTarget, holder: Holder | undefined): string {
  if (holder === undefined) return `Another run is importing into monitoring ${monitoring}`;
  const { run, pid, since } = holder;
  return `The run ${run} (process ${pid}) has been importing into monitoring ${monitoring} since ${since}`;
}
