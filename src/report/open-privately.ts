import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';

/** Windows knows no such links, and no such flag. */
const NO_LINKS = constants.O_NOFOLLOW ?? 0;

/**
 * Opens a file to be written from its beginning: readable for nobody else, as it may hold what
 * people have written, and never through a link, which could lead to any file of this user.
 * @returns its descriptor
 * @throws Error if it is a link, or can't be written
 */
export function openPrivately(file: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_LINKS;
  const descriptor = open(file, flags);
  // A file that was there keeps its permissions, and a terminal or a pipe has none of ours.
  if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600);
  return descriptor;
}

function open(file: string, flags: number): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    return openDevice(file);
  }
}

/** A link such as /dev/stdout leads to no file. Opening it so changes nothing yet. */
function openDevice(link: string): number {
  const descriptor = openSync(link, constants.O_WRONLY);
  if (!fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error('it is a link, and nothing is written through one');
}
