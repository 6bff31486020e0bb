import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../model/errors.js';
import { foldersAround, isDevice, isSameFile } from './output-file.js';

export interface PlannedOutput {
  readonly path: string;
  /** Name in messages, for example `rejects file`. */
  readonly what: string;
  readonly mayReplace: boolean;
  /** Remedy for a conflict with an existing file, for the end of a sentence. */
  readonly remedy: string;
}

export interface Surroundings {
  readonly inputs: readonly string[];
  /** The state folder; folders with its usual name are protected in any case. */
  readonly stateDir?: string | undefined;
}

const STATE_FOLDER = '.docferry';

/**
 * Checks that a file can be written without losing anything. Changes nothing. Devices and pipes are
 * fine: they hold no data.
 * @throws OptionError that names the file and the remedy
 */
export function checkOutput(output: PlannedOutput, { inputs, stateDir }: Surroundings): void {
  const { path: file, what } = output;
  if (isDevice(file)) return;
  const input = inputs.find((name) => isSameFile(name, file));
  if (input !== undefined) {
    throw new OptionError(`The ${what} ${file} is the input ${input}: name another file.`);
  }
  refuseStateFolder(output, stateDir);
  refuseUnwritable(output);
  refuseTaken(output);
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

function refuseUnwritable({ path: file, what }: PlannedOutput): void {
  const folder = path.dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'does not exist: create it' : 'is read-only: name another one';
    throw new OptionError(`The ${what} ${file} can't be written: the folder ${folder} ${reason}.`);
  }
  if (!statSync(folder).isDirectory()) {
    throw new OptionError(`The ${what} ${file} can't be written: ${folder} isn't a folder.`);
  }
}

function refuseTaken({ path: file, what, mayReplace, remedy }: PlannedOutput): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionError(`The ${what} ${file} is a folder: name a file.`);
  }
  if (!mayReplace) throw new OptionError(`The ${what} ${file} already exists: ${remedy}.`);
}
