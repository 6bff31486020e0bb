/**
 * How far a run in a folder is, for other processes to see: not durable, as nothing depends on it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Counts } from '../../model/record.js';

/** As of the process that has the run, or had it last. */
export interface ToldProgress {
  readonly counts: Counts;
  /** Bytes of the inputs, and how many of them are read; the former may not be known. */
  readonly bytesTotal: number | null;
  readonly bytesRead: number;
  readonly elapsedMs: number;
}

/** Says how far a run is. A disk that is full costs no more than that nobody is told. */
export function tellProgress(stateDir: string, run: string, progress: ToldProgress): void {
  const file = fileOf(stateDir, run);
  try {
    // Whoever reads it meanwhile has the old one, whole.
    writeFileSync(`${file}.part`, JSON.stringify(progress), { mode: 0o600 });
    renameSync(`${file}.part`, file);
  } catch {}
}

/** `undefined`: nobody has said so yet. */
export function readProgress(stateDir: string, run: string): ToldProgress | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(stateDir, run), 'utf8')) as ToldProgress;
  } catch {
    return undefined;
  }
}

function fileOf(stateDir: string, run: string): string {
  return path.join(stateDir, 'runs', run, 'progress.json');
}
