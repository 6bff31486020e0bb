import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../model/small-file.js';

/** Explains in a clause why a folder can neither be written nor made; `undefined` if it can. */
export function folderFault(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} isn't a folder`;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing) return folderFault(path.dirname(folder));
    const shown = folder === '.' ? 'the working folder' : `the folder ${folder}`;
    return code === 'EROFS'
      ? `${shown} is on a read-only file system`
      : `this user may not write to ${shown}`;
  }
}

/** Makes the folder of a file, for its owner only, since the files in it may hold people's texts. */
export function makeFolderOf(file: string): void {
  makeFolder(path.dirname(file));
}
