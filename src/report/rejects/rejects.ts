import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RecordAsRead, RecordShape } from '../../model/record.js';
import type { RunOutputs } from '../../outputs/run-outputs.js';
import { appendedColumns } from './appended-columns.js';
import { type Reject, RejectsFile, type RejectsReport } from './rejects-file.js';
import { layoutKey, type RejectsSource } from './rejects-layout.js';
import { existingRejects, isOfRejects, numberedPath, reasonsPath } from './rejects-paths.js';

export type { RejectsReport } from './rejects-file.js';
export type { RejectsSource } from './rejects-layout.js';
export { checkRejects, isOfRejects } from './rejects-paths.js';

export interface RejectEntry extends Reject, RecordAsRead {
  /** Must be the same object for all records of a source. */
  readonly source: RejectsSource;
}

/**
 * Writes invalid and rejected records as they were read, to be fixed and imported again with the
 * same mapping; CSV records have the problems in appended columns. Sources with different headers,
 * formats or encodings get separate files, which are created with their first record.
 */
export interface RejectsWriter {
  /** @throws OutputError */
  add(entry: RejectEntry): void;
  /**
   * Completes all files and returns them. All are closed even if one fails; a failure that `add`
   * has thrown isn't thrown again.
   * @param isWhole whether the run has processed every record; rejects of its earlier processes
   *   that this one doesn't have are obsolete then
   * @throws OutputError
   */
  close(isWhole: boolean): readonly RejectsReport[];
}

/**
 * Opens rejects that `checkRejects` has checked.
 * @param run its id and output files
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
    const created = new RejectsFile(numberedPath(file, number), source, outputs, columns);
    files.set(key, created);
    return created;
  }

  return {
    add({ source, shape, ...reject }) {
      const { input } = source;
      fileFor(source, shape).add(reject, { run: id, input, record: reject.place.record });
    },
    close(isWhole) {
      const failures = [...files.values()].flatMap(closeFailure);
      if (failures.length > 0) throw failures[0];
      if (isWhole) outputs.removeOld(existingRejects(file));
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

/** Skips numbers whose file isn't one of rejects. */
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
