/** Where runs lie in a state folder. Loads no database: at a Tab, only their names are asked for. */
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import path from 'node:path';
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

/** A run's own folder. */
export function folderOf(stateDir: string, id: string): string {
  return path.join(stateDir, 'runs', id);
}

/** A run's journal. */
export function journalOf(stateDir: string, id: string): string {
  return path.join(folderOf(stateDir, id), 'journal.jsonl');
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
