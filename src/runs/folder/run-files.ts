/** Files of a state folder: where they lie, and what can be wrong with them. Loads no database: at a Tab, only runs' names are asked for. */
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
import { DocferryError, JournalError } from '../../model/errors.js';
import type { Progress } from '../../model/record.js';

/** What shows that a folder is a run's, though its journal may be gone or of an earlier version. */
const FILES = ['journal.jsonl', 'progress.json', 'journal.db'];

/**
 * The ids of the runs in a state folder, the latest last; none if there is no such folder.
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

/** A run's own folder, or a file in it. */
export function runPath(stateDir: string, id: string, file = ''): string {
  return path.join(stateDir, 'runs', id, file);
}

/**
 * Makes a file, with its folders, unless it is there; never through a link, which could lead
 * anywhere. One that is there is not even opened: with whichever descriptor of a file a process
 * closes it loses all its POSIX locks on that file, and SQLite's are such. Another process that
 * looks into the database would then take itself for the last one, and remove the log in which this
 * one writes.
 */
export function makePrivateFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(file).isFile()) throw new Error('it is no file of its own');
  }
}

/** Writes a file as a whole: who reads it meanwhile has the old one. */
export function replaceFile(file: string, content: unknown, flush: boolean): void {
  writeFileSync(`${file}.part`, JSON.stringify(content), { mode: 0o600, flush });
  renameSync(`${file}.part`, file);
}

/** `undefined` where there is none that can be read. */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Says how far a run is, for other processes to see. Not durable, as nothing depends on it: a disk that
 * is full costs no more than that nobody is told.
 */
export function writeProgress(stateDir: string, run: string, progress: Progress): void {
  try {
    replaceFile(runPath(stateDir, run, 'progress.json'), progress, false);
  } catch {}
}

/** As of the process that has the run, or had it last; `undefined`: nobody has said so yet. */
export function readProgress(stateDir: string, run: string): Progress | undefined {
  return readJsonFile(runPath(stateDir, run, 'progress.json')) as Progress | undefined;
}

/** A file doesn't hold what was written to it. */
export class DamageError extends JournalError {}

/**
 * Says that a file doesn't hold what was written to it, and what can still be done.
 * @param reason half a sentence
 */
export function damaged(file: string, reason: string, cause?: unknown): DamageError {
  return new DamageError(
    `${file} is damaged: ${reason}. Nothing is sent without it. Delete nothing: restore it from a backup. What can be done without one is in docs/runs.md, "A damaged journal or ledger".`,
    { cause },
  );
}

/** Says that a file is of a version that this one doesn't read. */
export function fromEarlierVersion(file: string): JournalError {
  return new JournalError(
    `${file} was written by another version of docferry, a release candidate, and this one can't read it. Finish its unfinished runs with that version; then name another state folder (--state-dir, stateDir), or move this one away. What was imported with it isn't known there, and an import of the same records sends them again.`,
  );
}

/** Says which file can't be read or written, why, and what helps. */
export function journalError(file: string, error: unknown): DocferryError {
  if (error instanceof DocferryError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (DAMAGE.test(code)) return damaged(file, reason, error);
  return new JournalError(
    `${file} can't be read or written: ${reason}. Without it, nobody could tell later what was sent: ${remedyFor(code)}, or name another folder (--state-dir, stateDir).`,
    { cause: error },
  );
}

/** What SQLite says of a file that isn't what it wrote. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|FORMAT|ERROR$|MISMATCH|CONSTRAINT|TOOBIG|RANGE)/;

/** By what the system or SQLite says. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  // Node says ENOENT of a folder that can't be made on a read-only file system.
  [/EROFS|READONLY|ENOENT/, 'make the folder writable (it may be on a read-only file system)'],
  [/EACCES|EPERM|SQLITE_AUTH|SQLITE_PERM/, 'let this user write there'],
  [/CANTOPEN/, 'let this user write there, and enough files be open at a time (ulimit -n)'],
  [/ENOTDIR|EEXIST|EISDIR/, 'take away the file that stands where a folder should be'],
  [/EMFILE|ENFILE/, 'allow more open files (ulimit -n)'],
  [/NOMEM|ENOMEM/, 'allow more memory'],
];

function remedyFor(code: string): string {
  return REMEDIES.find(([pattern]) => pattern.test(code))?.[1] ?? 'make room on the disk';
}
