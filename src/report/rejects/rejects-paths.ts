import { existsSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { checkOutput, refuseExisting, type Surroundings } from '../../outputs/check-output.js';
import { isDevice, isSameFile, realPathOf } from '../../outputs/output-file.js';

const REASONS_SUFFIX = '.why.jsonl';

/** Path of the file with the reasons. */
export function reasonsPath(file: string): string {
  return `${file}${REASONS_SUFFIX}`;
}

/** Path of the n-th file, from 1: `rejects.csv`, `rejects.2.csv`, … */
export function numberedPath(file: string, number: number): string {
  if (number === 1) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${number}${ext}`);
}

/**
 * Checks that rejects can be written and that neither they nor their reasons overwrite other files.
 * @param mayReplace whether rejects that exist may be replaced
 * @throws OptionError
 */
export function checkRejects(file: string, mayReplace: boolean, around: Surroundings): void {
  const clash = around.inputs.find((input) => isOfRejects(input, file));
  if (clash !== undefined) {
    throw new OptionError(
      `The rejects file ${file} would replace the input ${clash}: give the rejects another name.`,
    );
  }
  for (const path of [file, reasonsPath(file)]) {
    if (isDevice(path)) {
      throw new OptionError(
        `The rejects file ${path} is not a regular file: name a different one.`,
      );
    }
    const output = { path, what: 'rejects file' };
    checkOutput(output, around);
    if (!mayReplace) refuseExisting(output, freePathRemedy(file));
  }
}

/** For the end of a sentence. */
function freePathRemedy(file: string): string {
  const { dir, name, ext } = path.parse(file);
  const free = path.join(dir, `${name}-{run}${ext}`);
  return `name a different one, for example ${free} ({run} becomes the run's id), or give --overwrite to replace it`;
}

/** Existing files of rejects and reasons; numbered ones are recognised by their reasons. */
export function existingRejects(file: string): readonly string[] {
  const files = [file, reasonsPath(file)];
  for (let number = 2; ; number += 1) {
    const numbered = numberedPath(file, number);
    if (!existsSync(reasonsPath(numbered))) break;
    files.push(numbered, reasonsPath(numbered));
  }
  return files.filter((name) => existsSync(name));
}

/** Returns whether a path, which need not exist, is a numbered rejects file or its reasons. */
export function isOfRejects(other: string, file: string): boolean {
  if (isSameFile(other, file)) return true;
  const place = realPathOf(other);
  if (!isSameFile(path.dirname(place), path.dirname(realPathOf(file)))) return false;
  return isNumberedName(path.basename(place), file);
}

/** Like {@link isOfRejects}, for a file's name. */
function isNumberedName(name: string, file: string): boolean {
  const { name: stem, ext } = path.parse(file);
  const base = name.endsWith(REASONS_SUFFIX) ? name.slice(0, -REASONS_SUFFIX.length) : name;
  if (!base.startsWith(stem) || !base.endsWith(ext)) return false;
  const number = base.slice(stem.length, Math.max(stem.length, base.length - ext.length));
  return number === '' || /^\.\d+$/.test(number);
}
