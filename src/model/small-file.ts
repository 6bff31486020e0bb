/** Reads small files whole: mappings, schemas, plans, keys, certificates. Makes folders. */
import { closeSync, mkdirSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/** Limit far above any such file, because pipes and special files may never end. */
const MAX_SMALL_FILE_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** A refusal by docferry, as opposed to an error of the system. */
class FileRefused extends Error {}

/**
 * Reads a small file or pipe to its end. Synchronous, because nothing else happens before the run
 * has it.
 * @throws the system's error, or a refusal; {@link unreadableReason} words either
 */
export function readSmallFile(file: string): Buffer {
  if (isDevice(statSync(file))) throw new FileRefused('it is a device; name a file');
  const descriptor = openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let bytes = 0; bytes <= MAX_SMALL_FILE_BYTES; ) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const bytesRead = readSync(descriptor, piece);
      if (bytesRead === 0) return Buffer.concat(pieces, bytes);
      pieces.push(piece.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    throw new FileRefused('it is larger than 4 MiB');
  } finally {
    closeSync(descriptor);
  }
}

/**
 * {@link readSmallFile} as text, which must be UTF-8.
 * @param refusal builds the error from the words that follow the file's name
 */
export function readSmallText(
  file: string,
  refusal: (reason: string, missing: boolean) => Error,
): string {
  let bytes: Uint8Array;
  try {
    bytes = readSmallFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(`can't be read (${unreadableReason(error)})`, code === 'ENOENT');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal('is not UTF-8: save it as UTF-8', false);
  }
}

/** Returns whether it is a device, for example a terminal or `/dev/zero`. */
export function isDevice(stats: Stats): boolean {
  return stats.isCharacterDevice() || stats.isBlockDevice();
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'permission is denied',
};

/** Reason for a message, in brackets: the system's code, or a few words. */
export function unreadableReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? (code || message);
}

/**
 * Makes a folder, and those above it that are missing, for its owner only. Node's recursive `mkdir`
 * never returns where a folder is there but none can be made in it, as in `/proc`.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
