import { existsSync, rmSync } from 'node:fs';
import type { RecordAsRead, RecordShape } from '../../model/record.js';
import type { WrittenFile } from '../../model/source.js';
import { appendedColumns } from './appended-columns.js';
import { RejectsFile, type RejectsReport } from './rejects-file.js';
import { layoutKey, type Reject, type RejectsSource } from './rejects-layout.js';
import { existingRejects, numberedPath, reasonsPath } from './rejects-paths.js';

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
   * Completes all files before they get their names, and returns what they will be.
   * @throws OutputError, also if `add` has thrown one
   */
  finish(): readonly WrittenFile[];
  /** Closes all files without names, so that a process that resumes the run can write them all. */
  abandon(): void;
  /**
   * Completes all files, gives them their names and returns them. All are closed even if one fails; a
   * failure that `add` has thrown isn't thrown again.
   * @param isWhole whether the run has processed every record; rejects of its earlier processes
   *   that this one doesn't have are obsolete then
   * @throws OutputError
   */
  close(isWhole: boolean): readonly RejectsReport[];
}

/**
 * Opens rejects that `checkRejects` has checked.
 * @param run its id, and whether existing rejects may be replaced
 */
export function openRejects(
  file: string,
  { id, mayReplace }: { readonly id: string; readonly mayReplace: boolean },
): RejectsWriter {
  const files = new Map<string, RejectsFile>();
  const keys = new Map<RejectsSource, string>();
  let number = 0;
  /** The first that `add` has thrown. */
  let failure: unknown;

  function sourceKey(source: RejectsSource): string {
    const key = keys.get(source) ?? layoutKey(source);
    keys.set(source, key);
    return key;
  }

  function fileFor(source: RejectsSource, shape: RecordShape): RejectsFile {
    const key = `${shape} ${sourceKey(source)}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    number = nextFree(file, number + 1, mayReplace);
    const columns = shape === 'whole' ? appendedColumns(source) : undefined;
    const output = { draft: id, keepsExisting: !mayReplace };
    const created = new RejectsFile(numberedPath(file, number), source, output, columns);
    files.set(key, created);
    return created;
  }

  return {
    add({ source, shape, ...reject }) {
      const { input } = source;
      try {
        fileFor(source, shape).add(reject, { run: id, input, record: reject.place.record });
      } catch (error) {
        failure ??= error;
        throw error;
      }
    },
    finish() {
      if (failure !== undefined) throw failure;
      return [...files.values()].flatMap((one) => one.finish());
    },
    abandon() {
      for (const one of files.values()) one.abandon();
    },
    close(isWhole) {
      const failures = [...files.values()].flatMap(closeFailure);
      if (failures.length > 0) throw failures[0];
      const reports = [...files.values()].map(({ report }) => report);
      if (isWhole && mayReplace && failure === undefined) removeObsolete(file, reports);
      return reports.filter(({ records }) => records > 0);
    },
  };
}

/** Removes rejects of earlier processes. */
function removeObsolete(file: string, reports: readonly RejectsReport[]): void {
  const written = reports.flatMap((report) => [report.file, report.reasons]);
  for (const old of existingRejects(file)) if (!written.includes(old)) rmSync(old);
}

function closeFailure(file: RejectsFile): unknown[] {
  try {
    file.close();
    return [];
  } catch (error) {
    return [error];
  }
}

/** Skips numbers of files that aren't rejects, or may not be replaced. */
function nextFree(file: string, from: number, mayReplace: boolean): number {
  let number = from;
  while (number > 1 && !mayWrite(numberedPath(file, number), mayReplace)) number += 1;
  return number;
}

function mayWrite(file: string, mayReplace: boolean): boolean {
  return existsSync(reasonsPath(file)) ? mayReplace : !existsSync(file);
}
