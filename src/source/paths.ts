import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { SourceError } from '../errors.js';
import { onDemand } from '../on-demand.js';
import type { RegularFile } from './source.js';

const globs = onDemand<typeof import('tinyglobby')>('tinyglobby');
const levenshtein = onDemand<typeof import('fastest-levenshtein')>('fastest-levenshtein');

/** A path of an input that exists and is no folder. */
export interface FoundPath {
  /** As given, or as the glob found it. */
  readonly name: string;
  /** `null` for what is no regular file, such as a named pipe. */
  readonly file: RegularFile | null;
  readonly notices: readonly string[];
}

/**
 * Resolves paths and globs. A path that exists is taken as it is, even if it looks like a glob; a
 * file that is named twice is read once, and that is said.
 * @throws SourceError if there is nothing at a path, or it is a folder
 */
export async function resolvePaths(given: readonly string[]): Promise<readonly FoundPath[]> {
  const names = (await Promise.all(given.map(expand))).flat();
  const found = new Map<string, { name: string; file: RegularFile | null; times: number }>();
  for (const name of names) {
    if (name === '-') {
      if (found.has('-'))
        throw new SourceError('The input - (stdin) is given twice: give it once.');
      found.set('-', { name, file: null, times: 1 });
      continue;
    }
    const { real, file } = await inspect(name);
    const earlier = found.get(real);
    if (earlier === undefined) found.set(real, { name, file, times: 1 });
    else earlier.times += 1;
  }
  return [...found.values()].map(({ name, file, times }) => ({
    name,
    file,
    notices: times > 1 ? [`${name} is given more than once: it is read once.`] : [],
  }));
}

async function expand(given: string): Promise<readonly string[]> {
  if (given === '') throw new SourceError('An input path is empty: give a path, a glob, or -.');
  if (given === '-' || (await exists(given))) return [given];
  const { glob, isDynamicPattern } = globs();
  if (!isDynamicPattern(given)) return [given];
  const matches = await glob(given, {
    absolute: path.isAbsolute(given),
    expandDirectories: false,
    onlyFiles: true,
  });
  if (matches.length === 0) {
    throw new SourceError(`${given} matches no file: check the pattern and the folder.`);
  }
  return matches.toSorted();
}

async function exists(name: string): Promise<boolean> {
  return await lstat(name).then(
    () => true,
    () => false,
  );
}

/** @throws SourceError if it is no file */
async function inspect(name: string): Promise<{ real: string; file: RegularFile | null }> {
  try {
    const stats = await stat(name);
    if (stats.isDirectory()) throw new SourceError(folderMessage(name));
    const real = await realpath(name);
    const file = { path: real, size: stats.size, modifiedMs: stats.mtimeMs };
    return { real, file: stats.isFile() ? file : null };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw await missing(name, error as NodeJS.ErrnoException);
  }
}

function folderMessage(name: string): string {
  const inside = path.join(globs().escapePath(name), '*.csv');
  return `${name} is a folder: name the files in it, for example "${inside}".`;
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
  const base = path.basename(name).toLowerCase();
  const { distance } = levenshtein();
  const names = await readdir(folder).catch(() => []);
  const [nearest] = names
    .map((other) => ({ other, edits: distance(base, other.toLowerCase()) }))
    .filter(({ edits }) => edits <= Math.max(2, base.length / 4))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest === undefined ? undefined : path.join(folder, nearest.other);
}
