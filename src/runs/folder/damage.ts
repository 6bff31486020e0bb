/** What isn't as it was written, and what can still be done. */
import { DocferryError, JournalError } from '../../model/errors.js';

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
