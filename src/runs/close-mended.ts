import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../model/errors.js';
import type { RecordRange } from '../model/record-ranges.js';
import type { PreparedRun } from '../operations/pipeline/prepare-run.js';
import type { KeptRun } from './kept-run.js';
import type { Journal } from './sqlite/journal.js';
import { listRuns, lookAtRun } from './sqlite/run-folders.js';

/**
 * Tells the earlier runs whose rejects this run brought in, mended, that they are in: so that no
 * retry sends the unmended ones. Only runs of the same state folder and to the same monitoring are
 * told. A journal that can't be written costs no more than that, and a person is told.
 */
export function closeMended(run: PreparedRun, kept: KeptRun): void {
  const there = new Set(listRuns(kept.stateDir));
  for (const [earlier, records] of run.recorder.mended.byRun()) {
    if (earlier === run.id || !there.has(earlier)) continue;
    try {
      lookAtRun(kept.stateDir, earlier, (journal) => close(journal, records, { run, kept }));
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      run.notice(
        `The run ${earlier} is not told which of its records are mended: ${error.message}`,
      );
    }
  }
}

function close(
  journal: Journal,
  records: readonly RecordRange[],
  { run, kept }: { readonly run: PreparedRun; readonly kept: KeptRun },
): void {
  const { description } = journal;
  if (description === undefined || !isDeepStrictEqual(description.target, kept.target)) return;
  const known = records.filter(({ input }) => input < description.inputs.length);
  journal.addMended(known, run.id);
}
