/** Which files a glob means, looked for within bounds. */

import type { Dirent, readdir } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { SourceError } from '../model/errors.js';
import { onDemand } from '../model/on-demand.js';

const globs = onDemand<typeof import('tinyglobby')>('tinyglobby');

/** Nobody's exports lie among more: `/**` means the whole machine. */
export const MAX_ENTRIES: number = 100_000;

/** A pattern's matches, sorted; `undefined` if it is none, but a plain path. */
export async function matchFiles(given: string): Promise<readonly string[] | undefined> {
  const { glob, isDynamicPattern } = globs();
  if (!isDynamicPattern(given)) return undefined;
  const lister = new Lister();
  const matches = await glob(given, {
    absolute: path.isAbsolute(given),
    expandDirectories: false,
    onlyFiles: true,
    fs: { readdir: lister.readdir as unknown as typeof readdir },
  });
  if (lister.entries > MAX_ENTRIES) throw new SourceError(tooWide(given, matches.length));
  if (matches.length === 0) {
    throw new SourceError(`${given} matches no file: check the pattern and the folder.`);
  }
  return matches.toSorted();
}

function tooWide(given: string, found: number): string {
  const most = MAX_ENTRIES.toLocaleString('en-US');
  return `${given} was given up after ${most} files and folders, ${found.toLocaleString('en-US')} of which match: name the folder more closely.`;
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
