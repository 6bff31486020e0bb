import { existsSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { checkOutput, type PlannedOutput, type Surroundings } from '../../outputs/check-output.js';
import { isDevice, isSameFile, placeOf } from '../../outputs/output-file.js';
import type { RunOutputs } from '../../outputs/run-outputs.js';

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
 * Makes sure that rejects can be written, and that neither they nor their reasons cost a file that
 * is there.
 * @throws OptionError
 */
export function checkRejects(
  file: string,
  outputs: Pick<RunOutputs, 'mayReplace' | 'remedyFor'>,
  around: Surroundings,
): void {
  refuseInputs(file, around.inputs);
  for (const path of [file, reasonsPath(file)]) {
    if (isDevice(path)) {
      throw new OptionError(`The rejects file ${path} is not a regular file: name another one.`);
    }
    checkOutput(plannedRejects(path, outputs), around);
  }
}

function plannedRejects(
  file: string,
  outputs: Pick<RunOutputs, 'mayReplace' | 'remedyFor'>,
): PlannedOutput {
  return {
    path: file,
    what: 'rejects file',
    mayReplace: outputs.mayReplace(file),
    remedy: outputs.remedyFor(file),
  };
}

/**
 * A run must not read what it may replace. Names of further layouts and of reasons count as well.
 * @throws OptionError
 */
function refuseInputs(file: string, inputs: readonly string[]): void {
  const clash = inputs.find((input) => isOfRejects(input, file));
  if (clash === undefined) return;
  throw new OptionError(
    `The rejects file ${file} would replace the input ${clash}: give the rejects another name.`,
  );
}

/** All rejects and reasons of a name that are there; further layouts are known by their reasons. */
export function rejectsThere(file: string): readonly string[] {
  const files = [file, reasonsPath(file)];
  for (let number = 2; ; number += 1) {
    const numbered = numberedPath(file, number);
    if (!existsSync(reasonsPath(numbered))) break;
    files.push(numbered, reasonsPath(numbered));
  }
  return files.filter((name) => existsSync(name));
}

/** Whether a file, which need not be there, is a rejects file of any layout, or its reasons. */
export function isOfRejects(other: string, file: string): boolean {
  if (isSameFile(other, file)) return true;
  const place = placeOf(other);
  if (!isSameFile(path.dirname(place), path.dirname(placeOf(file)))) return false;
  return belongsTo(path.basename(place), file);
}

/** Whether a name is that of a rejects file of any layout, or of its reasons. */
function belongsTo(name: string, file: string): boolean {
  const { name: stem, ext } = path.parse(file);
  const base = name.endsWith(REASONS) ? name.slice(0, -REASONS.length) : name;
  if (!base.startsWith(stem) || !base.endsWith(ext)) return false;
  const number = base.slice(stem.length, Math.max(stem.length, base.length - ext.length));
  return number === '' || /^\.\d+$/.test(number);
}
