/** Where runs lie in a state folder. Loads no database: at a Tab, only their names are asked for. */
import { existsSync, readdirSync } from 'node:fs';
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
