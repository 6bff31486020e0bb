import path from 'node:path';
import { escapePath, glob, isDynamicPattern } from 'tinyglobby';

/** Lists the files that a glob, with slashes, matches, sorted; `undefined` for a plain path. */
export async function matchFiles(given: string): Promise<readonly string[] | undefined> {
  if (!isDynamicPattern(given)) return undefined;
  const absolute = path.isAbsolute(given);
  const matches = await glob(given, { absolute, expandDirectories: false, onlyFiles: true });
  return matches.toSorted();
}

/** Makes a path a glob that matches only it. */
export const escapeGlob: (name: string) => string = escapePath;

/**
 * Replaces the backslashes of a path on Windows, where they separate folders. In a glob they would
 * keep the next character from being a wildcard, and a member of an archive is found by slashes.
 */
export function withSlashes(given: string, { sep }: Pick<typeof path, 'sep'> = path): string {
  return sep === '\\' ? given.replaceAll(sep, '/') : given;
}
