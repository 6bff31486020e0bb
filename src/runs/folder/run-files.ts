/**
 * Paths and errors of a state folder's files. Loads no database, so that shell completion of run
 * ids is fast.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DocferryError, JournalError, messageOf, OptionError } from '../../model/errors.js';
import { makeFolder } from '../../model/small-file.js';

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
  makeFolder(path.dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(file).isFile()) throw new Error('it is not a regular file');
  }
}

/**
 * Makes sure that other users can't change a state folder: its files decide what is sent. The user's
 * own folder is narrowed, unless it is shared on purpose, like /tmp. The folder need not exist.
 * @throws OptionError
 */
export function checkStateFolder(stateDir: string): void {
  const found = statSync(stateDir, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (found === undefined || user === undefined) return;
  const isOwn = found.uid === user;
  const isOpen = (found.mode & WRITABLE_BY_ALL) !== 0;
  // A volume of a container may belong to the system, or to a user whom only the host knows.
  const isTrusted = isOwn || found.uid === 0 || user === 0;
  if (isTrusted && !isOpen) return;
  if (isOwn && (found.mode & STICKY) === 0) {
    narrow(stateDir, found.mode);
    return;
  }
  const [reason, remedy] = isTrusted
    ? [
        'can be written by every user',
        `name a folder of your own in it, for example ${path.join(stateDir, 'docferry')} (--state-dir, stateDir)`,
      ]
    : [
        `belongs to another user (${found.uid})`,
        'run docferry as that user, or copy the folder to one of your own and name that (--state-dir, stateDir)',
      ];
  throw new OptionError(
    `The state folder ${stateDir} ${reason}, who could change what docferry knows of sent records: ${remedy}.`,
  );
}

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;
const PERMISSIONS = 0o7777;

/** Withdraws other users' right to write. File systems without such rights show all of them as granted. */
function narrow(folder: string, mode: number): void {
  try {
    chmodSync(folder, mode & PERMISSIONS & ~WRITABLE_BY_ALL);
  } catch {
    // As if it had no effect.
  }
}

export function replaceFileAtomically(file: string, content: unknown): void {
  writeFileSync(`${file}.part`, JSON.stringify(content), { mode: 0o600 });
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
