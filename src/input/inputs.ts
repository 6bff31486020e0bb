import { createReadStream, openSync } from 'node:fs';
import { access, constants, lstat, readdir, realpath, stat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { escapePath, glob, isDynamicPattern } from 'tinyglobby';
import { nearestName, OptionError, SourceError } from '../model/errors.js';
import { isDevice } from '../model/small-file.js';
import type { Input, RegularFile } from '../model/source.js';
import { fileInput } from './file-input.js';
import type { ObjectsInput, RawInput } from './raw-input.js';
import {
  checkAddress,
  isAddress,
  type OpenRemoteSettings,
  openRemote,
  type RequestHeaders,
  readHeaderFile,
  shownAddress,
} from './remote.js';
import { streamInput } from './stream-input.js';

/** Something to read, and what is to be said about it. */
export interface OpenedInput {
  readonly raw: RawInput | ObjectsInput;
  readonly notices: readonly string[];
}

/** How inputs are opened. */
interface OpenSettings {
  /** What to call an input that has no name of its own. */
  readonly name?: string | undefined;
  /** File with headers for requests. */
  readonly inputHeaderFile?: string | undefined;
  /** Ends the wait for inputs that give nothing yet. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What an input stands for, in the order given.
 * @throws SourceError, OptionError; the signal's reason when it is aborted
 */
export async function openInputs(
  input: Input,
  { name, signal, inputHeaderFile }: OpenSettings = {},
): Promise<readonly OpenedInput[]> {
  const settings = { signal, inputHeaderFile };
  if (typeof input === 'string') return await openPaths([input], settings);
  if (isPathList(input)) return await openPaths(input, settings);
  const names = { file: name ?? 'stream', records: name ?? 'records' };
  return [{ raw: await streamInput(input, { ...names, signal }), notices: [] }];
}

/**
 * How many bytes the files of an input have, as far as a look at its paths tells: what patterns,
 * addresses and streams will give is not known yet.
 * @throws OptionError
 */
export async function bytesOnDisk(input: Input): Promise<number> {
  const paths = typeof input === 'string' ? [input] : isPathList(input) ? input : [];
  // What is wrong with a path is told when it is opened.
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Any list that starts with a string is one of paths; an empty one is a list of no records. */
function isPathList(input: unknown): input is readonly string[] {
  if (!Array.isArray(input) || typeof input[0] !== 'string') return false;
  const other: unknown = input.find((item) => typeof item !== 'string');
  if (other === undefined) return true;
  throw new OptionError(
    `The input is a list of paths, but holds an item of type ${typeof other}: give either paths or objects.`,
  );
}

async function openPaths(
  paths: readonly string[],
  { signal, inputHeaderFile }: OpenSettings,
): Promise<readonly OpenedInput[]> {
  const opened: OpenedInput[] = [];
  try {
    const found = await resolvePaths(paths);
    const headers = await headersFor(found, inputHeaderFile);
    for (const path of found) {
      opened.push({ raw: await openPath(path, { signal, headers }), notices: path.notices });
    }
    return opened;
  } catch (error) {
    for (const { raw } of opened) raw.close();
    throw error;
  }
}

/** Headers for the addresses among some paths, if a file holds them. */
async function headersFor(
  paths: readonly FoundPath[],
  file: string | undefined,
): Promise<RequestHeaders | undefined> {
  const [origin, other] = new Set(paths.flatMap(({ address }) => address?.origin ?? []));
  if (file === undefined || origin === undefined) return undefined;
  if (other !== undefined) {
    throw new OptionError(
      `The request headers in ${file} would be sent to ${origin} and ${other}: import from one of them at a time.`,
    );
  }
  return await readHeaderFile(file);
}

async function openPath(
  { name, file, address, member }: FoundPath,
  { signal, headers }: OpenRemoteSettings,
): Promise<RawInput | ObjectsInput> {
  if (name === '-') return await openStdin(signal);
  if (address !== null) {
    return await openRemote(name, address, { signal, headers });
  }
  await access(file?.path ?? name, constants.R_OK).catch(() => {
    throw new SourceError(notAllowed(name));
  });
  // A named pipe can be opened only once, so it is a stream.
  return file === null
    ? await streamInput(openPipe(name), { file: name, signal })
    : fileInput(member === null ? name : name.slice(0, -member.length - 1), file, member);
}

/**
 * A named pipe as a stream. On Linux it is opened and read without blocking: a thread that waits for
 * a silent writer can't be interrupted, and the process can't exit before it. Other systems may
 * report the end of a pipe that has no writer yet, so there it is opened as a file is.
 */
function openPipe(name: string): Readable {
  if (process.platform !== 'linux') return createReadStream(name);
  try {
    const fd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    return new net.Socket({ fd, readable: true, writable: false });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SourceError(`${name} can't be opened (${code ?? message}): check the path.`);
  }
}

async function openStdin(signal: AbortSignal | undefined): Promise<RawInput | ObjectsInput> {
  if (process.stdin.isTTY) {
    throw new SourceError(
      'stdin is a terminal: pipe a file into the command, or name the file instead of -.',
    );
  }
  return await streamInput(process.stdin, { file: 'stdin', signal });
}

/** A path of an input that exists and is no folder; or an address, at which nobody has asked yet. */
interface FoundPath {
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
function notAllowed(name: string): string {
  return `${name} may not be read by this user: change its permissions, or run as a user who may.`;
}

/** A file in the same folder whose name differs by a slip. */
async function nearestFile(name: string): Promise<string | undefined> {
  const folder = path.dirname(name);
  const names = await readdir(folder).catch(() => []);
  const nearest = nearestName(path.basename(name), names);
  return nearest === undefined ? undefined : path.join(folder, nearest);
}

/** A pattern's matches, sorted; `undefined` if it is none, but a plain path. */
async function matchFiles(given: string): Promise<readonly string[] | undefined> {
  if (!isDynamicPattern(given)) return undefined;
  const absolute = path.isAbsolute(given);
  const matches = await glob(given, { absolute, expandDirectories: false, onlyFiles: true });
  if (matches.length === 0) {
    throw new SourceError(`${given} matches no file: check the pattern and the folder.`);
  }
  return matches.toSorted();
}
