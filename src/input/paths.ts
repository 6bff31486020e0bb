import type { Dirent, readdir as ListFolder } from 'node:fs';
import { lstat, opendir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { escapePath, glob, isDynamicPattern } from 'tinyglobby';
import { nearestName, SourceError } from '../model/errors.js';
import { thousands } from '../model/figures.js';
import { isDevice } from '../model/small-file.js';
import type { RegularFile } from '../model/source.js';
import { checkAddress, isAddress, shownAddress } from './remote/address.js';

/** A path of an input that exists and is no folder; or an address, at which nobody has asked yet. */
export interface FoundPath {
  /** As given, or as the glob found it; an address without its query. */
  readonly name: string;
  readonly address: URL | null;
  /** `null` for what is no regular file, such as a named pipe; of a member, its archive. */
  readonly file: RegularFile | null;
  /** The file in an archive that the name ends in, as messages name it: `x.zip/reviews.csv`. */
  readonly member: string | null;
  readonly notices: readonly string[];
}

/**
 * Resolves paths and globs. A path that exists is taken as it is, even if it looks like a glob; a
 * file that is named twice is read once, and that is said.
 * @throws SourceError if there is nothing at a path, or it is a folder
 */
export async function resolvePaths(given: readonly string[]): Promise<readonly FoundPath[]> {
  const names = (await Promise.all(given.map(expand))).flat();
  const found = new Map<string, Omit<FoundPath, 'notices'> & { times: number }>();
  for (const name of names) {
    const { key, ...one } = await find(name);
    const earlier = found.get(key);
    if (earlier === undefined) found.set(key, { ...one, times: 1 });
    else if (name === '-') {
      throw new SourceError('The input - (stdin) is given twice: give it once.');
    } else earlier.times += 1;
  }
  const named = new Set<string>();
  return [...found.values()].map(({ name, times, ...one }) => ({
    ...one,
    name: unlikeOthers(name, named),
    notices: times > 1 ? [`${name} is given more than once: it is read once.`] : [],
  }));
}

/** What an input is, under a key that it shares with all that are the same. */
async function find(given: string): Promise<Omit<FoundPath, 'notices'> & { readonly key: string }> {
  const plain = { name: given, file: null, address: null, member: null };
  if (given === '-') return { ...plain, key: '-' };
  if (isAddress(given)) {
    const address = checkAddress(given);
    return { ...plain, key: address.href, name: shownAddress(address), address };
  }
  const archive = await archiveIn(given);
  const { real, file } = await inspect(archive ?? given);
  if (archive === undefined) return { ...plain, key: real, file };
  const member = given.slice(archive.length + 1);
  return { ...plain, key: `${real}/${member}`, file, member };
}

/** The file that a path goes through, as if it were a folder. */
async function archiveIn(given: string): Promise<string | undefined> {
  for (let end = given.lastIndexOf('/'); end > 0; end = given.lastIndexOf('/', end - 1)) {
    const before = given.slice(0, end);
    const found = await stat(before).catch(() => undefined);
    if (found !== undefined) return found.isFile() ? before : undefined;
  }
  return undefined;
}

/** Addresses that differ only in what isn't shown of them are numbered. */
function unlikeOthers(name: string, named: Set<string>): string {
  let other = name;
  for (let number = 2; named.has(other); number += 1) other = `${name} (${number})`;
  named.add(other);
  return other;
}

async function expand(given: string): Promise<readonly string[]> {
  if (given === '') throw new SourceError('An input path is empty: give a path, a glob, or -.');
  if (given === '-' || isAddress(given) || (await exists(given))) return [given];
  if ((await archiveIn(given)) !== undefined) return [given];
  return (await matchFiles(given)) ?? [given];
}

async function exists(name: string): Promise<boolean> {
  return await lstat(name).then(
    () => true,
    () => false,
  );
}

/** @throws SourceError if it is neither a file nor a pipe */
async function inspect(name: string): Promise<{ real: string; file: RegularFile | null }> {
  try {
    const stats = await stat(name);
    if (stats.isDirectory()) throw new SourceError(folderMessage(name));
    if (isDevice(stats)) throw new SourceError(deviceMessage(name));
    // Of a pipe such as `<(…)` makes, the system knows no other path.
    if (!stats.isFile()) return { real: path.resolve(name), file: null };
    const real = await realpath(name);
    const { size, mtimeMs: modifiedMs, ino: inode } = stats;
    return { real, file: { path: real, size, modifiedMs, inode } };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw await missing(name, error as NodeJS.ErrnoException);
  }
}

function folderMessage(name: string): string {
  const inside = path.join(escapePath(name), '*.csv');
  return `${name} is a folder: name the files in it, for example "${inside}".`;
}

/** Whatever a device gives may never end, or be none of what was meant. */
function deviceMessage(name: string): string {
  return `${name} is a device, such as a terminal or a disk: name a file or a pipe.`;
}

async function missing(name: string, error: NodeJS.ErrnoException): Promise<SourceError> {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    const near = await nearestFile(name);
    const remedy = near === undefined ? 'check the path' : `did you mean ${near}?`;
    return new SourceError(`${name} does not exist: ${remedy}${near === undefined ? '.' : ''}`);
  }
  if (error.code === 'EACCES' || error.code === 'EPERM') return new SourceError(notAllowed(name));
  return new SourceError(
    `${name} can't be opened (${error.code ?? error.message}): check the path.`,
  );
}

/** What to say of a file that may not be read. */
export function notAllowed(name: string): string {
  return `${name} may not be read by this user: change its permissions, or run as a user who may.`;
}

/** A file in the same folder whose name differs by a slip. */
async function nearestFile(name: string): Promise<string | undefined> {
  const folder = path.dirname(name);
  const names = await readdir(folder).catch(() => []);
  const nearest = nearestName(path.basename(name), names);
  return nearest === undefined ? undefined : path.join(folder, nearest);
}

/** Nobody's exports lie among more: `/**` means the whole machine. */
export const MAX_ENTRIES: number = 100_000;

/** A pattern's matches, sorted; `undefined` if it is none, but a plain path. */
export async function matchFiles(given: string): Promise<readonly string[] | undefined> {
  if (!isDynamicPattern(given)) return undefined;
  const lister = new Lister();
  const matches = await glob(given, {
    absolute: path.isAbsolute(given),
    expandDirectories: false,
    onlyFiles: true,
    fs: { readdir: lister.readdir as unknown as typeof ListFolder },
  });
  if (lister.entries > MAX_ENTRIES) throw new SourceError(tooWide(given, matches.length));
  if (matches.length === 0) {
    throw new SourceError(`${given} matches no file: check the pattern and the folder.`);
  }
  return matches.toSorted();
}

function tooWide(given: string, found: number): string {
  const most = thousands(MAX_ENTRIES);
  return `${given} was given up after ${most} files and folders, ${thousands(found)} of which match: name the folder more closely.`;
}

type Listed = (error: Error | null, entries: readonly Dirent[]) => void;

/** Lists folders entry by entry, up to so many entries in all; then nothing more is in any. */
class Lister {
  entries = 0;

  readonly readdir = (folder: string, _: unknown, done: Listed): void => {
    const listed = this.#list(folder);
    listed.then(
      (entries) => done(null, entries),
      (error: Error) => done(error, []),
    );
  };

  async #list(folder: string): Promise<readonly Dirent[]> {
    const entries: Dirent[] = [];
    if (this.entries > MAX_ENTRIES) return entries;
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      this.entries += 1;
      if (this.entries > MAX_ENTRIES) break;
      entries.push(entry);
    }
    return entries;
  }
}
