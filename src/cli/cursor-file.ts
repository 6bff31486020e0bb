import { DocferryError, OptionError } from '../model/errors.js';
import { readSmallTextSync, unreadableReason } from '../model/small-file.js';
import { checkOutput } from '../outputs/check-output.js';
import { OutputError, writeOutput } from '../outputs/output-file.js';
import { isObject } from './output/flatten.js';

type Filters = Readonly<Record<string, unknown>>;

/** A file that remembers how far a feed was read, and with which filters. */
export interface CursorFile {
  /** Nothing if the file was not there yet. */
  readonly cursor: string | undefined;
  /** Puts the file in place whole: whoever reads it finds the last cursor or this one. */
  readonly save: (cursor: string) => void;
}

/** How far the feed was read can't be remembered. */
class CursorFileError extends DocferryError {
  override readonly name = 'CursorFileError';
  readonly exitCode = 4;
}

/**
 * Opens a cursor file, which need not be there yet.
 * @throws OptionError if it can't be used, or was made with other filters: a cursor means
 *   nothing without its filters (reference, "POST /documents/feed", rule 4)
 */
export function openCursorFile(file: string, given: object): CursorFile {
  const filters = ordered(given as Filters);
  const content = read(file);
  const state = content === undefined ? undefined : parse(file, content);
  if (state !== undefined) refuseOtherFilters(file, state.filters, filters);
  checkPlace(file);
  return { cursor: state?.cursor, save: (cursor) => replace(file, { cursor, filters }) };
}

interface State {
  readonly cursor: string;
  readonly filters: Filters;
}

/** Lists are sets to the service, and the order of names means nothing either. */
function ordered(filters: Filters): Filters {
  const entries = Object.entries(filters).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? [...new Set(value.map(String))].toSorted() : value,
  ]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function read(file: string): string | undefined {
  try {
    return readSmallTextSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OptionError(`The cursor file ${file} can't be read (${unreadableReason(error)}).`);
  }
}

function parse(file: string, content: string): State {
  try {
    const { cursor, filters } = JSON.parse(content);
    if (typeof cursor === 'string' && isObject(filters)) return { cursor, filters };
  } catch {
    // Said below.
  }
  throw new OptionError(
    `${file} is no cursor file of docferry: name another one, or remove it to read the feed from its beginning.`,
  );
}

function refuseOtherFilters(file: string, made: Filters, given: Filters): void {
  const names = [...new Set([...Object.keys(made), ...Object.keys(given)])];
  const differences = names
    .filter((name) => JSON.stringify(made[name]) !== JSON.stringify(given[name]))
    .map((name) => `${name} ${wording(made[name])}, now ${wording(given[name])}`);
  if (differences.length === 0) return;
  throw new OptionError(
    `${file} belongs to other filters (${differences.join('; ')}): use those, or another cursor file.`,
  );
}

function wording(value: unknown): string {
  return value === undefined ? 'none' : String(value);
}

/** Better now than after the first page. What is there is a cursor file of these filters. */
function checkPlace(file: string): void {
  const what = 'cursor file';
  checkOutput({ path: file, what, mayReplace: true, remedy: '' }, { inputs: [] });
}

function replace(file: string, state: State): void {
  try {
    writeOutput(file, `${JSON.stringify(state, null, 2)}\n`, { mayReplace: () => true });
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new CursorFileError(
      `${error.message} The next run will repeat what this one wrote last.`,
    );
  }
}
