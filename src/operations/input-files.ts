import { resolvePaths } from '../input/paths.js';

/**
 * The files that paths and globs of an input name; nothing is read, and no address is asked.
 * @throws SourceError if there is nothing at a path
 */
export async function inputFiles(given: readonly string[]): Promise<readonly string[]> {
  const found = await resolvePaths(given);
  return found.flatMap(({ file }) => (file === null ? [] : [file.path]));
}
