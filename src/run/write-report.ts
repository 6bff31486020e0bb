import { exitCodeOf } from '../report/exit-code.js';
import { OutputError } from '../report/output-file.js';
import type { RejectsReport } from '../report/rejects.js';
import type { Report } from '../report/report.js';
import { inputReport, type PreparedRun } from './prepare-run.js';

/** Closes the run's account and rejects, and says what became of every record. */
export async function writeReport(run: PreparedRun): Promise<Report> {
  const { account, sources } = run;
  account.close(run.command);
  const rejects = await closeRejects(run);
  const counts = account.counts();
  const stop = run.brake.stop ?? null;
  const status = statusOf(stop?.kind);
  const elapsedMs = Date.now() - run.startedMs;
  return {
    command: run.command,
    run: run.id,
    status,
    stop,
    exitCode: exitCodeOf({ command: run.command, status, stop, counts }),
    inputs: sources.map((source) => inputReport(source, account.recordsOf(source.input))),
    mapping: run.transform.mapping.name,
    target: run.target,
    counts,
    batches: account.batches,
    retries: 0,
    elapsedMs,
    recordsPerSecond: Math.round((counts.read * 1000) / Math.max(1, elapsedMs)),
    notices: run.notices,
    problems: account.tally.problems(),
    rejects,
  };
}

/** A disk that is full costs the rejects, but not the report of what was sent. */
async function closeRejects({ rejects, brake }: PreparedRun): Promise<readonly RejectsReport[]> {
  try {
    return (await rejects?.close()) ?? [];
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    brake.pull({ kind: 'output', message: error.message });
    return [];
  }
}

function statusOf(stop: string | undefined): Report['status'] {
  if (stop === undefined) return 'finished';
  return stop === 'interrupted' ? 'interrupted' : 'stopped';
}
