import { createReadStream, openSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import net from 'node:net';
import type { Readable } from 'node:stream';
import { OptionError, SourceError } from '../model/errors.js';
import type { Input } from '../model/source.js';
import { fileInput } from './file-input.js';
import { type FoundPath, notAllowed, resolvePaths } from './paths.js';
import type { ObjectsInput, RawInput } from './raw-input.js';
import type { RequestHeaders } from './remote/header-file.js';
import type { OpenRemoteSettings } from './remote/open-remote.js';
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
  const { readHeaderFile } = await import('./remote/header-file.js');
  return await readHeaderFile(file);
}

async function openPath(
  { name, file, address, member }: FoundPath,
  { signal, headers }: OpenRemoteSettings,
): Promise<RawInput | ObjectsInput> {
  if (name === '-') return await openStdin(signal);
  if (address !== null) {
    const { openRemote } = await import('./remote/open-remote.js');
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
