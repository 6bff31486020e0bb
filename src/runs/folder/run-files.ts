/**
 * Paths and errors of a state folder's files. Loads no database, so that shell completion of run
 * ids is fast.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DocferryError, JournalError, messageOf } from '../../model/errors.js';

/** Files that mark a folder as a run's, even if its journal is missing or of an earlier version. */
const FILES = ['journal.jsonl', 'progress.json', 'journal.db'];

/**
 * Lists the ids of the runs in a state folder, the latest last; empty if the folder doesn't exist.
 * @throws JournalError if it can't be read
 */
export function runIdsIn(stateDir: string): readonly string[] {
  const folder = path.join(stateDir, 'runs');
  if (!existsSync(folder)) return [];
  const isRun = (id: string): boolean =>
    FILES.some((file) => existsSync(path.join(folder, id, file)));
  try {
    return readdirSync(folder).filter(isRun).toSorted();
  } catch (error) {
    throw journalError(folder, error);
  }
}

export function runPath(stateDir: string, id: string, file = ''): string {
  return path.join(stateDir, 'runs', id, file);
}

/**
 * Creates a file and its folders unless it exists; never through a link. An existing file isn't
 * even opened: closing any descriptor of a file drops all POSIX locks that the process holds on it,
 * SQLite's included. Another process with the database open could then take itself for the last one
 * and remove the log in which this process writes.
 */
export function makePrivateFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(file).isFile()) throw new Error('it is not a regular file');
  }
}

export function replaceFileAtomically(file: string, content: unknown, flush: boolean): void {
  writeFileSync(`${file}.part`, JSON.stringify(content), { mode: 0o600, flush });
  renameSync(`${file}.part`, file);
}

/** Reads a JSON file; `undefined` if it can't be read. */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export class DamageError extends JournalError {}

/**
 * Makes the error for a damaged file.
 * @param reason a clause without a full stop
 */
export function damaged(file: string, reason: string, cause?: unknown): DamageError {
  return new DamageError(
    `${file} is damaged: ${reason}. Nothing is sent without it. Don't delete anything. Restore it from a backup, or see "A damaged journal or ledger" in docs/runs.md.`,
    { cause },
  );
}

/** Makes the error for a file of another version. */
export function fromEarlierVersion(file: string): JournalError {
  return new JournalError(
    `${file} was written by another version of docferry, a release candidate, and this one can't read it. Finish its unfinished runs with that version, then name another state folder (--state-dir, stateDir) or move this one away. The new folder doesn't know what was imported before: importing the same records sends them again.`,
  );
}

/** Makes the error for a file that can't be read or written, with the reason and the remedy. */
export function journalError(file: string, error: unknown): DocferryError {
  if (error instanceof DocferryError) return error;
  const reason = messageOf(error);
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (DAMAGE_CODES.test(code)) return damaged(file, reason, error);
  return new JournalError(
    `${file} can't be read or written: ${reason}. Without it, docferry can't know later what was sent. ${remedyFor(code)}, or name another folder (--state-dir, stateDir).`,
    { cause: error },
  );
}

const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|FORMAT|ERROR$|MISMATCH|CONSTRAINT|TOOBIG|RANGE)/;

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  // Node reports ENOENT if a folder can't be created on a read-only file system.
  [/EROFS|READONLY|ENOENT/, 'Make the folder writable (it may be on a read-only file system)'],
  [/EACCES|EPERM|SQLITE_AUTH|SQLITE_PERM/, 'Let this user write there'],
  [/CANTOPEN/, 'Let this user write there, or allow more open files (ulimit -n)'],
  [/ENOTDIR|EEXIST|EISDIR/, 'Remove the file that is in place of the folder'],
  [/EMFILE|ENFILE/, 'Allow more open files (ulimit -n)'],
  [/NOMEM|ENOMEM/, 'Allow more memory'],
];

function remedyFor(code: string): string {
  return REMEDIES.find(([pattern]) => pattern.test(code))?.[1] ?? 'Make room on the disk';
}
