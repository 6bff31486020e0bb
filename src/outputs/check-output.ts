import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../model/errors.js';
import { foldersAround, isDevice, isSameFile } from './output-file.js';

export interface PlannedOutput {
  readonly path: string;
  /** Name in messages, for example `rejects file`. */
  readonly what: string;
}

export interface Surroundings {
  readonly inputs: readonly string[];
  /** The state folder; folders with its usual name are protected in any case. */
  readonly stateDir?: string | undefined;
}

const STATE_FOLDER = '.docferry';

/**
 * Checks that a file can be written, and is neither an input nor docferry's own. Changes nothing.
 * Devices and pipes are fine: they hold no data.
 * @throws OptionError that names the file and the remedy
 */
export function checkOutput(output: PlannedOutput, { inputs, stateDir }: Surroundings): void {
  const { path: file, what } = output;
  if (file === '') {
    throw new OptionError(`The ${what} has an empty name. Name a file, or leave the option out.`);
  }
  if (isDevice(file)) return;
  const input = inputs.find((name) => isSameFile(name, file));
  if (input !== undefined) {
    throw new OptionError(`The ${what} ${file} is the input ${input}: name another file.`);
  }
  refuseStateFolder(output, stateDir);
  refuseUnwritable(output);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionError(`The ${what} ${file} is a folder: name a file.`);
  }
}

/**
 * Refuses an existing file, because its content can't be made again.
 * @param remedy for the end of a sentence
 * @throws OptionError
 */
export function refuseExisting({ path: file, what }: PlannedOutput, remedy: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  throw new OptionError(`The ${what} ${file} already exists: ${remedy}.`);
}

/**
 * Refuses a link in place of a file whose content is kept: with the link, what is appended or changed
 * would end elsewhere, and without it the file would be two.
 * @throws OptionError
 */
export function refuseLink({ path: file, what }: PlannedOutput): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || isDevice(file)) return;
  throw new OptionError(
    `The ${what} ${file} is a link, and docferry doesn't write through links: name the file itself.`,
  );
}

function refuseStateFolder({ path: file, what }: PlannedOutput, stateDir?: string): void {
  const state = foldersAround(file).find(
    (folder) =>
      path.basename(folder) === STATE_FOLDER ||
      (stateDir !== undefined && isSameFile(folder, stateDir)),
  );
  if (state === undefined) return;
  throw new OptionError(
    `The ${what} ${file} is in the state folder ${state}, which is reserved for docferry. Name a file elsewhere.`,
  );
}

/** @throws OptionError if the folder of a file can neither be written nor made */
export function refuseUnwritable({ path: file, what }: PlannedOutput): void {
  const fault = isDevice(file) ? undefined : folderFault(path.dirname(file));
  if (fault === undefined) return;
  throw new OptionError(
    `The ${what} ${file} can't be written: ${fault}. Name a file in another folder.`,
  );
}

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
