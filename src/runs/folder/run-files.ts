/** Where runs lie in a state folder. Loads no database: at a Tab, only their names are asked for. */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Progress } from '../../model/record.js';
import { journalError } from './damage.js';

/** What shows that a folder is a run's, though its journal may be gone or of an earlier version. */
const FILES = ['journal.jsonl', 'progress.json', 'journal.db'];

/**
 * The ids of the runs in a state folder, the latest last; none if there is no such folder.
 * @throws JournalError if it can't be read
 */
export function runIdsIn(stateDir: string): readonly string[] {
  const folder = path.join(stateDir, 'runs');
  if (!existsSync(folder)) return [];
  const isRun = (id: string): boolean =>
    FILES.some((file) => existsSync(path.join(folder, id, file)));
  try {
    return readdirSync(folder).filter(isRun).toSorted();
  } catch (error) {
    throw journalError(folder, error);
  }
}

/** A run's own folder, or a file in it. */
export function runPath(stateDir: string, id: string, file = ''): string {
  return path.join(stateDir, 'runs', id, file);
}

/**
 * Makes a file, with its folders, unless it is there; never through a link, which could lead
 * anywhere. One that is there is not even opened: with whichever descriptor of a file a process
 * closes it loses all its POSIX locks on that file, and SQLite's are such. Another process that
 * looks into the database would then take itself for the last one, and remove the log in which this
 * one writes.
 */
export function makePrivateFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(file).isFile()) throw new Error('it is no file of its own');
  }
}

/** Writes a file as a whole: who reads it meanwhile has the old one. */
export function replaceFile(file: string, content: unknown, flush: boolean): void {
  writeFileSync(`${file}.part`, JSON.stringify(content), { mode: 0o600, flush });
  renameSync(`${file}.part`, file);
}

/** `undefined` where there is none that can be read. */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Says how far a run is, for other processes to see. Not durable, as nothing depends on it: a disk that
 * is full costs no more than that nobody is told.
 */
export function writeProgress(stateDir: string, run: string, progress: Progress): void {
  try {
    replaceFile(runPath(stateDir, run, 'progress.json'), progress, false);
  } catch {}
}

/** As of the process that has the run, or had it last; `undefined`: nobody has said so yet. */
export function readProgress(stateDir: string, run: string): Progress | undefined {
  return readJsonFile(runPath(stateDir, run, 'progress.json')) as Progress | undefined;
}
