import { createReadStream, openSync } from 'node:fs';
import { access, constants, lstat, readdir, realpath, stat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { about, nearestName, OptionError, SourceError } from '../model/errors.js';
import { isDevice } from '../model/small-file.js';
import type { Input, RegularFile } from '../model/source.js';
import { isAddress, printable, shownAddress, shownInput } from '../model/text.js';
import { fileInput } from './file-input.js';
import { escapeGlob, matchFiles, withSlashes } from './glob.js';
import type { ObjectsInput, RawInput } from './raw-input.js';
import {
  checkAddress,
  type OpenRemoteSettings,
  openRemote,
  type RequestHeaders,
  readHeaderFile,
} from './remote.js';
import { streamInput } from './stream-input.js';

export interface OpenedInput {
  readonly raw: RawInput | ObjectsInput;
  readonly notices: readonly string[];
}

interface OpenSettings {
  /** Name for an input that has none. */
  readonly name?: string | undefined;
  readonly inputHeaderFile?: string | undefined;
  /** Ends the wait for inputs without data. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves and opens inputs, in the order given.
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
 * Adds up the sizes of files given by path. Globs, addresses and streams count as 0.
 * @throws OptionError
 */
export async function bytesOnDisk(input: Input): Promise<number> {
  const paths = typeof input === 'string' ? [input] : isPathList(input) ? input : [];
  // Opening the path reports what is wrong with it.
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A list that starts with a string is a list of paths; an empty one is a list of records. */
function isPathList(input: unknown): input is readonly string[] {
  if (!Array.isArray(input) || typeof input[0] !== 'string') return false;
  const other: unknown = input.find((item) => typeof item !== 'string');
  if (other === undefined) return true;
  throw new OptionError(
    `The input is a list of paths, but contains an item of type ${typeof other}: give either paths or objects.`,
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

/**
 * Reads the header file if any path is an address.
 * @throws OptionError if there are addresses of several origins
 */
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
  { given, name, file, address, member }: FoundPath,
  { signal, headers }: OpenRemoteSettings,
): Promise<RawInput | ObjectsInput> {
  if (given === '-') return await openStdin(signal);
  if (address !== null) {
    return await openRemote(name, address, { signal, headers });
  }
  await access(file?.path ?? given, constants.R_OK).catch(() => {
    throw new SourceError(permissionMessage(name));
  });
  // A named pipe can be opened only once, so it is a stream.
  return file === null
    ? await streamInput(openPipe(given), { file: name, signal })
    : fileInput(
        member === null ? name : name.slice(0, -printable(member).length - 1),
        file,
        member,
      );
}

/**
 * Opens a named pipe as a stream. On Linux it is read without blocking: a thread that waits for a
 * silent writer can't be interrupted and keeps the process alive. Other systems may report the end
 * of a pipe that has no writer yet, so there it is opened like a file.
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

/** A path that exists and isn't a folder, or an address, not yet fetched. */
interface FoundPath {
  /** As given or matched. */
  readonly given: string;
  /** For messages: on one line, and an address without its query. */
  readonly name: string;
  readonly address: URL | null;
  /** `null` if it isn't a regular file (for example a named pipe); for a member, the archive. */
  readonly file: RegularFile | null;
  /** Archive member at the end of the name: `reviews.csv` of `x.zip/reviews.csv`. */
  readonly member: string | null;
  readonly notices: readonly string[];
}

/**
 * Resolves paths and globs. A path that exists is used as it is, even if it looks like a glob. A
 * file named twice is read once, with a notice.
 * @throws SourceError if a path doesn't exist or is a folder
 */
export async function resolvePaths(given: readonly string[]): Promise<readonly FoundPath[]> {
  const names = (await Promise.all(given.map((name) => expand(name).catch(naming(name))))).flat();
  const found = new Map<string, Omit<FoundPath, 'notices'> & { count: number }>();
  for (const name of names) {
    const { key, ...one } = await resolveInput(name).catch(naming(name));
    const earlier = found.get(key);
    if (earlier === undefined) found.set(key, { ...one, count: 1 });
    else if (one.given === '-') {
      throw new SourceError('The input - (stdin) is given twice: give it once.');
    } else earlier.count += 1;
  }
  const named = new Set<string>();
  return [...found.values()].map(({ name, count, ...one }) => ({
    ...one,
    name: uniqueName(name, named),
    notices: count > 1 ? [`${name} is given more than once: it is read once.`] : [],
  }));
}

/** Adds the input's name to an error about it. */
function naming(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SourceError)) throw error;
    error.message = error.message.replaceAll(name, printable(name));
    throw about(error, printable(shownInput(name)));
  };
}

/** Resolves one input; equal inputs have equal keys. */
async function resolveInput(
  given: string,
): Promise<Omit<FoundPath, 'notices'> & { readonly key: string }> {
  const base = { given, name: printable(given), file: null, address: null, member: null };
  if (given === '-') return { ...base, key: '-' };
  if (isAddress(given)) {
    const address = checkAddress(given);
    return { ...base, key: address.href, name: shownAddress(address), address };
  }
  const archive = await archiveIn(given);
  const { real, file } = await inspect(archive ?? given);
  if (archive === undefined) return { ...base, key: real, file };
  const member = given.slice(archive.length + 1);
  return { ...base, key: `${real}/${member}`, file, member };
}

/** Finds the file that a path uses like a folder: `x.zip` in `x.zip/reviews.csv`. */
async function archiveIn(given: string): Promise<string | undefined> {
  for (let end = given.lastIndexOf('/'); end > 0; end = given.lastIndexOf('/', end - 1)) {
    const before = given.slice(0, end);
    const found = await stat(before).catch(() => undefined);
    if (found !== undefined) return found.isFile() ? before : undefined;
  }
  return undefined;
}

/** Numbers addresses that differ only in what isn't displayed. */
function uniqueName(name: string, named: Set<string>): string {
  let other = name;
  for (let number = 2; named.has(other); number += 1) other = `${name} (${number})`;
  named.add(other);
  return other;
}

async function expand(given: string): Promise<readonly string[]> {
  if (given === '') throw new SourceError('An input path is empty: give a path, a glob, or -.');
  if (given === '-' || isAddress(given) || (await exists(given))) return [given];
  const name = withSlashes(given);
  if ((await archiveIn(name)) !== undefined) return [name];
  const matches = await matchFiles(name);
  if (matches?.length === 0) {
    throw new SourceError(`${given} matches no file: check the pattern and the folder.`);
  }
  return matches ?? [given];
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
    // The path of a pipe like `<(…)` can't be resolved.
    if (!stats.isFile()) return { real: path.resolve(name), file: null };
    const real = await realpath(name);
    const { size, mtimeMs: modifiedMs, ino: inode } = stats;
    return { real, file: { path: real, size, modifiedMs, inode } };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw await openError(name, error as NodeJS.ErrnoException);
  }
}

function folderMessage(name: string): string {
  const inside = path.posix.join(escapeGlob(withSlashes(name)), '*.csv');
  return `${name} is a folder: name the files in it, for example "${inside}".`;
}

/** Devices may never end, and are hardly ever intended. */
function deviceMessage(name: string): string {
  return `${name} is a device, like a terminal or a disk: name a file or a pipe.`;
}

async function openError(name: string, error: NodeJS.ErrnoException): Promise<SourceError> {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return new SourceError(`${name} does not exist: ${await missingRemedy(name)}`);
  }
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return new SourceError(permissionMessage(name));
  return new SourceError(
    `${name} can't be opened (${error.code ?? error.message}): check the path.`,
  );
}

function permissionMessage(name: string): string {
  return `${name} can't be read (permission denied): change its permissions, or run as a user who may read it.`;
}

/** Suggests a file in the same folder with a similar name, or names the missing folder. */
async function missingRemedy(name: string): Promise<string> {
  const folder = path.dirname(name);
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return `there is no folder ${folder}. Check the path.`;
  const nearest = nearestName(path.basename(name), names);
  return nearest === undefined
    ? 'check the path.'
    : `did you mean ${printable(path.join(folder, nearest))}?`;
}
