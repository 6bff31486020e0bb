import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch/posix.js';

/** A leading `!` is part of a name; `[!ab]` is any other character than these. */
const OPTIONS = { nonegate: true, posix: true };

/**
 * Lists the files that a glob, with slashes, matches, sorted; `undefined` for a plain path. Links are followed,
 * folders that can't be read are passed over, and a name's leading dot has to be in the glob.
 */
export async function matchFiles(given: string): Promise<readonly string[] | undefined> {
  const pattern = path.posix.normalize(given);
  const { base, glob, isGlob } = picomatch.scan(pattern, { ...OPTIONS, unescape: true });
  if (!isGlob) return undefined;
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const isMatch = picomatch(pattern, OPTIONS);
  const matches: string[] = [];
  for await (const file of filesIn(base, depth, [])) if (isMatch(file)) matches.push(file);
  return matches.toSorted();
}

/**
 * Replaces the backslashes of a path on Windows, where they separate folders. In a glob they would
 * keep the next character from being a wildcard, and a member of an archive is found by slashes.
 */
export function withSlashes(given: string, { sep }: Pick<typeof path, 'sep'> = path): string {
  return sep === '\\' ? given.replaceAll(sep, '/') : given;
}

/** Makes a path a glob that matches only it. */
export function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}()!+@|\\]/g, '\\$&');
}

/**
 * @param folder as it starts the names; empty for the current one
 * @param depth of folders, from 1
 * @param above the real folders that this one is in: a link to one of them would never end
 */
async function* filesIn(
  folder: string,
  depth: number,
  above: readonly string[],
): AsyncGenerator<string> {
  const real = await realpath(folder || '.').catch(() => undefined);
  if (real === undefined || above.includes(real)) return;
  const start = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  for (const entry of await readdir(real, { withFileTypes: true }).catch(() => [])) {
    const name = `${start}${entry.name}`;
    const found = entry.isSymbolicLink() ? await stat(name).catch(() => undefined) : entry;
    if (found?.isFile()) yield name;
    else if (found?.isDirectory() && depth > 1) yield* filesIn(name, depth - 1, [...above, real]);
  }
}
