/** The last finished run that a run can be compared with, from the state folder. */
import { isObject, NO_COUNTS } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import type { EarlierRun, Report } from '../../report/report.js';
import { readLastOutcome, writeLastOutcome } from '../../runs/folder/last-outcomes.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { PreparedRun } from './prepare-run.js';

/** Reads and replaces the outcome of the last finished run of the same kind. */
export interface RunHistory {
  readonly earlier: EarlierRun | null;
  /** Stores the outcome for later runs, if this run finished. */
  readonly add: (report: Report) => void;
}

/** Runs are compared if mapping, target and columns are the same. */
export function runHistory(
  stateDir: string,
  { description: { mapping, target } }: StoredRun,
  { id, sources }: Pick<PreparedRun, 'id' | 'sources'>,
): RunHistory {
  const shapes = new Set(sources.map(shapeOf));
  const kind = [mapping.name, target.service, target.monitoring, [...shapes].toSorted()];
  const last = readLastOutcome(stateDir, kind);
  return {
    // A retried run is its own last one.
    earlier: isOutcome(last) && last.run !== id ? last : null,
    add: ({ run, status, started = '', counts }) => {
      if (status !== 'finished' || counts.read === 0) return;
      writeLastOutcome(stateDir, kind, { run, started, counts });
    },
  };
}

/** Other versions may have written something else. */
function isOutcome(value: unknown): value is EarlierRun {
  if (!isObject(value) || !isObject(value['counts'])) return false;
  const { run, started, counts } = value;
  const areTexts = typeof run === 'string' && typeof started === 'string';
  return areTexts && Object.keys(NO_COUNTS).every((key) => typeof counts[key] === 'number');
}

function shapeOf({ layout: { columns, format } }: Source): string {
  return columns === undefined ? format : JSON.stringify(columns);
}
