/**
 * Outcome of the last finished run of each kind, in small files, so that no journal has to be read
 * for it.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { makeFolder } from '../../model/small-file.js';
import { readJsonFile, replaceFileAtomically } from './run-files.js';

/**
 * Reads the outcome of the last finished run of a kind; `undefined` if there was none.
 * @param kind common to comparable runs, as plain data
 */
export function readLastOutcome(stateDir: string, kind: unknown): unknown {
  return readJsonFile(fileOf(stateDir, kind));
}

/** Without errors, since nothing but a comparison depends on it. */
export function writeLastOutcome(stateDir: string, kind: unknown, outcome: unknown): void {
  try {
    makeFolder(path.join(stateDir, FOLDER));
    replaceFileAtomically(fileOf(stateDir, kind), outcome);
  } catch {}
}

const FOLDER = 'outcomes';

function fileOf(stateDir: string, kind: unknown): string {
  const name = createHash('sha256').update(JSON.stringify(kind)).digest('hex');
  return path.join(stateDir, FOLDER, `${name}.json`);
}
