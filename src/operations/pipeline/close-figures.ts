import type { AbsentColumns } from '../../coverage/absent-columns.js';
import type { Survey } from '../../coverage/survey.js';
import { JournalError, messageOf } from '../../model/errors.js';
import { type StopReport, stopReport } from '../../outcomes/stop-conditions.js';
import type { Tally } from '../../outcomes/tally.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsReport } from '../../report/rejects/rejects.js';
import { isRepeatable } from '../../runs/description.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { DeliveryLog } from './delivery-log.js';
import type { PipelineRun } from './pipeline-run.js';

/** Figures of a run: of this process, or merged from all processes that worked on it. */
export interface RunFigures {
  readonly tally: Tally;
  /** Records read, by input. */
  readonly records: readonly number[];
  readonly batches: number;
  readonly retries: number;
  readonly notices: readonly string[];
  readonly delivery: DeliveryLog;
  /** `undefined` if not asked for. */
  readonly survey: Survey | undefined;
  /** For each input, columns of the mapping that none of its objects has. */
  readonly absent: readonly (AbsentColumns | null)[];
  readonly rejects: readonly RejectsReport[];
  /** Whether rejects couldn't be written. */
  readonly lacksRejects: boolean;
  readonly readToEnd: boolean;
  readonly stop: StopReport | null;
}

/**
 * Closes the outcomes and rejects of this process, and returns its figures.
 * @param before number of records of an input before the first that this process reads
 */
export async function closeFigures(
  run: PipelineRun,
  before: (input: number) => number = () => 0,
): Promise<RunFigures> {
  const { stored, recorder, survey, stops, plan, notices, absent, delivery } = run;
  const { tally, numbers, batches, retries, readToEnd } = recorder;
  recorder.close(plan.sends ? 'import' : 'validate');
  if (stored !== undefined && !readToEnd) countUnread(run, stored, before);
  const { rejects, unwritten } = await closeRejects(run);
  const { reason } = stops;
  // As a notice, unless it is the reason for the stop itself.
  const isSaid = unwritten === undefined || unwritten === reason?.message;
  return {
    tally,
    batches,
    retries,
    absent,
    survey,
    delivery,
    rejects,
    readToEnd,
    lacksRejects: unwritten !== undefined,
    notices: isSaid ? notices : [...notices, unwritten],
    records: absent.map((_, input) => numbers.readOf(input)),
    stop: reason === undefined ? null : stopReport(reason),
  };
}

/**
 * Counts the stored outcomes of records that a resumed run didn't reach, because it ended earlier in
 * the input than the run before.
 */
function countUnread(
  { recorder }: PipelineRun,
  stored: StoredRun,
  before: (input: number) => number,
): void {
  const carriedOver = stored.carriedOverRecords(
    (input) => before(input) + recorder.numbers.readOf(input),
  );
  for (const [range, { kind, sentOther }] of carriedOver) {
    const outcome = kind === 'accepted' && sentOther ? 'duplicate' : kind;
    recorder.noteCarriedOver(range, outcome === 'sending' ? 'unknown' : outcome);
  }
}

interface ClosedRejects {
  readonly rejects: readonly RejectsReport[];
  /** Why some or all of them could not be written. */
  readonly unwritten?: string;
}

/**
 * Closes the rejects. A write error stops the run, but the report is still made. Where the run can be
 * resumed, either all of them get their names or none, and the process that resumes it writes them.
 */
async function closeRejects(run: PipelineRun): Promise<ClosedRejects> {
  const { stored, recorder, rejects, stops } = run;
  if (rejects === undefined) return { rejects: [] };
  if (stored !== undefined && isRepeatable(stored.description)) {
    try {
      // Before they get their names, so that a process that resumes a killed one knows them.
      const written = rejects.finish();
      if (written.length > 0) await stored.rememberRejects(written);
    } catch (error) {
      stops.stopIf(error, error instanceof JournalError ? JournalError : OutputError);
      rejects.abandon();
      return { rejects: [], unwritten: messageOf(error) };
    }
  }
  try {
    return { rejects: rejects.close(recorder.readToEnd) };
  } catch (error) {
    stops.stopIf(error, OutputError);
    return { rejects: [], unwritten: messageOf(error) };
  }
}
