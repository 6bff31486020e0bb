/**
 * Outcome of the last finished run of each kind, in small files, so that no journal has to be read
 * for it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
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
    mkdirSync(path.join(stateDir, FOLDER), { recursive: true, mode: 0o700 });
    replaceFileAtomically(fileOf(stateDir, kind), outcome, false);
  } catch {}
}

const FOLDER = 'outcomes';

function fileOf(stateDir: string, kind: unknown): string {
  const name = createHash('sha256').update(JSON.stringify(kind)).digest('hex');
  return path.join(stateDir, FOLDER, `${name}.json`);
}
