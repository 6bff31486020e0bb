import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { OptionError, SourceError } from '../model/errors.js';
import type { Input } from '../model/source.js';
import { fileInput } from './file-input.js';
import { type FoundPath, notAllowed, resolvePaths } from './paths.js';
import type { ObjectsInput, RawInput } from './raw-input.js';
import { streamInput } from './stream-input.js';

/** Something to read, and what is to be said about it. */
export interface OpenedInput {
  readonly raw: RawInput | ObjectsInput;
  readonly notices: readonly string[];
}

/**
 * What an input stands for, in the order given.
 * @param name what to call one that has no name of its own
 * @throws SourceError, OptionError
 */
export async function openInputs(input: Input, name?: string): Promise<readonly OpenedInput[]> {
  if (typeof input === 'string') return await openPaths([input]);
  if (isPathList(input)) return await openPaths(input);
  return [
    {
      raw: await streamInput(input, { file: name ?? 'stream', records: name ?? 'records' }),
      notices: [],
    },
  ];
}

/**
 * How many bytes the files of an input have, as far as a look at its paths tells: what patterns,
 * addresses and streams will give is not known yet.
 * @throws OptionError
 */
export async function bytesOnDisk(input: Input): Promise<number> {
  const paths = typeof input === 'string' ? [input] : isPathList(input) ? input : [];
  const sizes = await Promise.all(paths.map(sizeOnDisk));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOnDisk(path: string): Promise<number> {
  if (path === '-') return 0;
  // What is wrong with it is told when it is opened.
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
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

async function openPaths(paths: readonly string[]): Promise<readonly OpenedInput[]> {
  const opened: OpenedInput[] = [];
  try {
    for (const found of await resolvePaths(paths)) {
      opened.push({ raw: await openPath(found), notices: found.notices });
    }
    return opened;
  } catch (error) {
    for (const { raw } of opened) raw.close();
    throw error;
  }
}

async function openPath({ name, file, address }: FoundPath): Promise<RawInput | ObjectsInput> {
  if (name === '-') return await openStdin();
  if (address !== null) {
    const { openRemote } = await import('./remote/open-remote.js');
    return await openRemote(name, address);
  }
  await access(name, constants.R_OK).catch(() => {
    throw new SourceError(notAllowed(name));
  });
  // A named pipe can be opened only once, so it is a stream.
  return file === null
    ? await streamInput(createReadStream(name), { file: name })
    : fileInput(name, file);
}

async function openStdin(): Promise<RawInput | ObjectsInput> {
  if (process.stdin.isTTY) {
    throw new SourceError(
      'stdin is a terminal: pipe a file into the command, or name the file instead of -.',
    );
  }
  return await streamInput(process.stdin, { file: 'stdin' });
}
