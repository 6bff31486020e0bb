import {
  accessSync,
  constants,
  existsSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { OptionError } from '../errors.js';

const REASONS = '.why.jsonl';

/** Where the reasons stand for what is in a rejects file. */
export function reasonsPath(file: string): string {
  return `${file}${REASONS}`;
}

/** The file for the n-th layout, from 1: `rejects.csv`, `rejects.2.csv`, … */
export function numberedPath(file: string, number: number): string {
  if (number === 1) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${number}${ext}`);
}

/**
 * Makes sure that rejects can be written to a file, and removes those of an earlier run, so that
 * nobody mends yesterday's records.
 * @param inputs names of the run's inputs
 * @throws OptionError if the file can't be written, is no regular file, or would replace an input
 */
export function prepareRejectsPath(file: string, inputs: readonly string[]): void {
  refuseInputs(file, inputs);
  const folder = path.dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new OptionError(
      `The rejects file ${file} can't be written: the folder ${folder} does not exist or is read-only.`,
    );
  }
  const found = stat(file);
  if (found !== undefined && !found.isFile()) {
    throw new OptionError(`The rejects file ${file} is not a regular file: name another one.`);
  }
  removeEarlier(file);
}

/**
 * Rejects are written from scratch: a run must not read what it is about to replace. Names of
 * further layouts and of reasons count as well.
 * @throws OptionError
 */
export function refuseInputs(file: string, inputs: readonly string[]): void {
  const clash = inputs.find((input) => isOneOf(input, file));
  if (clash === undefined) return;
  throw new OptionError(
    `The rejects file ${file} would replace the input ${clash}: give the rejects another name.`,
  );
}

function isOneOf(input: string, file: string): boolean {
  const found = stat(input);
  if (found === undefined) return false;
  if (sameFile(found, stat(file))) return true;
  const real = realpathSync(input);
  const folder = stat(path.dirname(file));
  if (!sameFile(statSync(path.dirname(real)), folder)) return false;
  return belongsTo(path.basename(real), file);
}

/** Whether a name is that of a rejects file of any layout, or of its reasons. */
function belongsTo(name: string, file: string): boolean {
  const { name: stem, ext } = path.parse(file);
  const base = name.endsWith(REASONS) ? name.slice(0, -REASONS.length) : name;
  if (!base.startsWith(stem) || !base.endsWith(ext)) return false;
  const number = base.slice(stem.length, Math.max(stem.length, base.length - ext.length));
  return number === '' || /^\.\d+$/.test(number);
}

function sameFile(a: Stats, b: Stats | undefined): boolean {
  return b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function stat(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Files of further layouts are known by their reasons: others with such names aren't ours. */
function removeEarlier(file: string): void {
  for (let number = 2; ; number += 1) {
    const numbered = numberedPath(file, number);
    if (!existsSync(reasonsPath(numbered))) break;
    rmSync(numbered, { force: true });
    rmSync(reasonsPath(numbered), { force: true });
  }
  rmSync(file, { force: true });
  rmSync(reasonsPath(file), { force: true });
}
