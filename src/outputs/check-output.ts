import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../model/errors.js';
import { foldersAround, isDevice, isSameFile } from './output-file.js';

/** A file that is going to be written for the user. */
export interface PlannedOutput {
  readonly path: string;
  /** What messages call it: `rejects file`. */
  readonly what: string;
  /** Whether what is there may be replaced. */
  readonly mayReplace: boolean;
  /** How to have another file replaced, or named, for the end of a sentence. */
  readonly remedy: string;
}

/** What an output must not be. */
export interface Surroundings {
  /** Files that are read. */
  readonly inputs: readonly string[];
  /** Where docferry keeps what it must remember; also any folder of its usual name. */
  readonly stateDir?: string | undefined;
}

/** The usual name of a state folder. */
const STATE_FOLDER = '.docferry';

/**
 * Makes sure that a file can be written, and that nothing is lost by it. Nothing is changed yet.
 * Devices and pipes are fine: they hold nothing.
 * @throws OptionError that names the file and says what helps
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
    `The ${what} ${file} lies in the folder ${state}, in which docferry keeps what it must remember: name a file elsewhere.`,
  );
}

function refuseUnwritable({ path: file, what }: PlannedOutput): void {
  const folder = path.dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new OptionError(
      `The ${what} ${file} can't be written: the folder ${folder} does not exist or is read-only.`,
    );
  }
  if (!statSync(folder).isDirectory()) {
    throw new OptionError(`The ${what} ${file} can't be written: ${folder} is no folder.`);
  }
}

function refuseTaken({ path: file, what, mayReplace, remedy }: PlannedOutput): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionError(`The ${what} ${file} is a folder: name a file.`);
  }
  if (!mayReplace) throw new OptionError(`The ${what} ${file} is there already: ${remedy}.`);
}
