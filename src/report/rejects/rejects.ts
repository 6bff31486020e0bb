import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RecordAsRead, RecordShape } from '../../model/record.js';
import type { RunOutputs } from '../../outputs/run-outputs.js';
import { appendedColumns } from './appended-columns.js';
import { type Reject, RejectsFile, type RejectsReport } from './rejects-file.js';
import { layoutKey, type RejectsSource } from './rejects-layout.js';
import { isOfRejects, numberedPath, reasonsPath, rejectsThere } from './rejects-paths.js';

export type { RejectsReport } from './rejects-file.js';
export type { RejectsSource } from './rejects-layout.js';
export { checkRejects, isOfRejects } from './rejects-paths.js';

/** A record to put among the rejects. */
export interface RejectEntry extends Reject, RecordAsRead {
  /** The source that the record was read from; always the same object for the same source. */
  readonly source: RejectsSource;
}

/**
 * Writes invalid and rejected records as they were read, so that they can be fixed and imported
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
   * @param isWhole whether the run has come to every record: then what an earlier process of it
   *   rejected and this one doesn't is no reject any more
   * @throws OutputError
   */
  close(isWhole: boolean): readonly RejectsReport[];
}

/**
 * Prepares for rejects; `checkRejects` has found that they can be written.
 * @param run the run's id, and its files
 */
export function openRejects(
  file: string,
  { id, outputs }: { readonly id: string; readonly outputs: RunOutputs },
): RejectsWriter {
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
    number = nextFree(file, number + 1, outputs);
    const columns = shape === 'whole' ? appendedColumns(source) : undefined;
    const begun = new RejectsFile(numberedPath(file, number), source, { outputs, columns });
    files.set(key, begun);
    return begun;
  }

  return {
    add({ source, shape, ...reject }) {
      const { input } = source;
      fileFor(source, shape).add(reject, { run: id, input, record: reject.place.record });
    },
    close(isWhole) {
      const failures = [...files.values()].flatMap(closeFailure);
      if (failures.length > 0) throw failures[0];
      if (isWhole) outputs.removeOld(rejectsThere(file));
      outputs.removeDrafts(path.dirname(file), (other) => isOfRejects(other, file));
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

/** Somebody else's file may have such a name: further layouts are known by their reasons. */
function nextFree(file: string, from: number, outputs: RunOutputs): number {
  let number = from;
  while (number > 1 && !isFree(numberedPath(file, number), outputs)) number += 1;
  return number;
}

function isFree(file: string, outputs: RunOutputs): boolean {
  const reasons = reasonsPath(file);
  if (!existsSync(reasons)) return !existsSync(file);
  return [file, reasons].every((name) => !existsSync(name) || outputs.mayReplace(name));
}
