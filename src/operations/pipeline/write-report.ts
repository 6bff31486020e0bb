import type { Stop } from '../../outcomes/stop-conditions.js';
import { OutputError } from '../../outputs/output-file.js';
import { exitCodeOf } from '../../report/exit-code.js';
import type { RejectsReport } from '../../report/rejects.js';
import type { Report, StopReport } from '../../report/report.js';
import type { KeptRun } from '../../runs/kept-run.js';
import { isRepeatable } from '../../runs/sqlite/description.js';
import { inputReport, type PreparedRun } from './prepare-run.js';

/** Closes the run's outcomes and rejects, and says what became of every record. */
export function writeReport(run: PreparedRun, kept?: KeptRun): Report {
  const { recorder, sources } = run;
  recorder.close(run.command);
  for (const message of recorder.undecodable.notices(run.transform.mapping)) run.notice(message);
  const ownRead = recorder.counts().read;
  if (kept !== undefined && !recorder.readToEnd) countUnread(run, kept);
  const rejects = closeRejects(run);
  const counts = recorder.counts();
  const stop = stopReport(run.stops.reason);
  const status = statusOf(stop?.kind);
  const elapsedMs = Date.now() - run.startedMs;
  return {
    command: run.command,
    run: run.id,
    status,
    stop,
    exitCode: exitCodeOf({ command: run.command, status, stop, counts }),
    inputs: sources.map((source) => inputReport(source, recorder.recordsOf(source.input))),
    mapping: run.transform.mapping.name,
    target: run.target,
    counts,
    batches: recorder.batches,
    retries: recorder.retries,
    refusals: recorder.refusals,
    elapsedMs,
    recordsPerSecond: Math.round((ownRead * 1000) / Math.max(1, elapsedMs)),
    notices: [...run.notices, ...recorder.repeats.notices()],
    problems: recorder.tally.problems(),
    coverage: null,
    rejects,
    unknown: recorder.unknown(),
    resumable: kept !== undefined && canGoOn(run, kept) && isSomethingLeft(run),
  };
}

/** What a report can hold of it: no errors. */
function stopReport(stop: Stop | undefined): StopReport | null {
  return stop === undefined ? null : { kind: stop.kind, message: stop.message };
}

/** A run that went on, and ended before it came as far as it had been: what it knew still holds. */
function countUnread({ recorder }: PreparedRun, { journal }: KeptRun): void {
  for (const [range, { kind }] of journal.unread((input) => recorder.recordsOf(input))) {
    recorder.unread(range, kind === 'sending' ? 'unknown' : kind);
  }
}

/** The report of a run that could not be brought to its end after all. */
export function stoppedReport(report: Report, { kind, message }: StopReport): Report {
  if (report.status !== 'finished') return report;
  const stopped = { ...report, status: 'stopped' as const, stop: { kind, message } };
  return { ...stopped, exitCode: exitCodeOf(stopped) };
}

function canGoOn({ sources }: PreparedRun, { journal }: KeptRun): boolean {
  const { description } = journal.journal;
  return sources.length === 0 || (description !== undefined && isRepeatable(description));
}

function isSomethingLeft({ recorder }: PreparedRun): boolean {
  const { unsent, unknown } = recorder.counts();
  return unsent + unknown > 0 || !recorder.readToEnd;
}

/** A disk that is full costs the rejects, but not the report of what was sent. */
function closeRejects({ recorder, rejects, stops }: PreparedRun): readonly RejectsReport[] {
  try {
    return rejects?.close(recorder.readToEnd) ?? [];
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    stops.stop({ kind: 'output', message: error.message, cause: error });
    return [];
  }
}

function statusOf(stop: string | undefined): Report['status'] {
  if (stop === undefined) return 'finished';
  return stop === 'interrupted' ? 'interrupted' : 'stopped';
}
