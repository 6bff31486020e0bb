import { existsSync } from 'node:fs';
import { appendedColumns } from './appended-columns.js';
import { type Reject, RejectsFile, type RejectsReport } from './rejects-file.js';
import { layoutKey, type RejectsSource } from './rejects-layout.js';
import { numberedPath, prepareRejectsPath } from './rejects-paths.js';

export type { RejectsReport } from './rejects-file.js';
export type { RejectsSource } from './rejects-layout.js';

/** A record to put among the rejects. */
export interface RejectEntry extends Reject {
  /** The source that the record was read from; always the same object for the same source. */
  readonly source: RejectsSource;
  readonly shape: RecordShape;
}

/**
 * How a record stands beside others: `broken` if its end could not be made out, so that an open
 * quote would swallow the records behind it; `ragged` if it has not a field for each column, so
 * that columns behind it would be taken for its own; `whole` otherwise. Each has files of its own.
 */
export type RecordShape = 'whole' | 'ragged' | 'broken';

/**
 * Writes invalid and rejected records as they were read, so that they can be mended and imported
 * again with the same mapping; CSV records with the reasons in columns behind their own. Sources
 * that differ in header, format or encoding get files of their own. Files are made when the first
 * record comes.
 */
export interface RejectsWriter {
  /** @throws OutputError */
  add(entry: RejectEntry): void;
  /**
   * Ends all files and names them. All are closed even if one can't be finished; a failure that
   * `add` has told before is not told again.
   * @throws OutputError
   */
  close(): Promise<readonly RejectsReport[]>;
}

/**
 * Prepares for rejects: checks the path, and removes an earlier run's files.
 * @param run the run's id, and its sources, whose files must not be overwritten
 * @throws OptionError
 */
export async function openRejects(
  path: string,
  { id, sources }: { readonly id: string; readonly sources: readonly { readonly name: string }[] },
): Promise<RejectsWriter> {
  prepareRejectsPath(
    path,
    sources.map(({ name }) => name),
  );
  const files = new Map<string, RejectsFile>();
  const keys = new Map<RejectsSource, string>();
  let number = 0;

  function keyOf(source: RejectsSource): string {
    const key = keys.get(source) ?? layoutKey(source);
    keys.set(source, key);
    return key;
  }

  function fileFor(source: RejectsSource, shape: RecordShape): RejectsFile {
    const key = `${shape} ${keyOf(source)}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    number = nextFree(path, number + 1);
    const columns = shape === 'whole' ? appendedColumns(source) : undefined;
    const file = new RejectsFile(numberedPath(path, number), source, columns);
    files.set(key, file);
    return file;
  }

  return {
    add({ source, shape, ...reject }) {
      const { input } = source;
      fileFor(source, shape).add(reject, { run: id, input, record: reject.place.record });
    },
    async close() {
      const failures = [...files.values()].flatMap(closeFailure);
      if (failures.length > 0) throw failures[0];
      return [...files.values()].map(({ report }) => report).filter(({ records }) => records > 0);
    },
  };
}

function closeFailure(file: RejectsFile): unknown[] {
  try {
    file.close();
    return [];
  } catch (error) {
    return [error];
  }
}

/** Somebody else's file may have such a name. */
function nextFree(path: string, from: number): number {
  let number = from;
  while (number > 1 && existsSync(numberedPath(path, number))) number += 1;
  return number;
}
