/** What isn't as it was written, how that shows, and what is said of it. */
import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { DocferryError, JournalError } from '../../model/errors.js';

/**
 * The check value of a row: a CRC-32, which finds every flipped bit and nearly all else that damage
 * does (all but one in 2³²). SQLite itself sees damage to its pages' structure, and not to what
 * stands in them.
 * @param before the check value of the row before, so that none can be missing in between
 */
export function rowCheck(
  values: readonly (string | number | Uint8Array | null)[],
  before = 0,
): number {
  let check = before;
  for (const value of values) {
    const bytes = bytesOf(value);
    check = crc32(bytes, crc32(`${bytes.byteLength}:`, check));
  }
  return check;
}

function bytesOf(value: string | number | Uint8Array | null): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}

/**
 * Says that a file doesn't hold what was written to it, and what can still be done.
 * @param reason half a sentence
 */
export function damaged(file: string, reason: string, cause?: unknown): JournalError {
  return new JournalError(
    `${file} is damaged: ${reason}. Nothing is sent without it. Delete nothing in its folder: restore it with the files beside it from a backup (docs/runs.md, "A damaged journal or ledger").`,
    { cause },
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
