import type { ExitCode, Report } from './report.js';

/**
 * The exit code of a run that has a report. The first that applies: interrupted, no access, stopped
 * early, unknown outcomes, invalid or rejected records, all well.
 */
export function exitCodeOf({
  command,
  status,
  stop,
  counts,
}: Pick<Report, 'command' | 'status' | 'stop' | 'counts'>): ExitCode {
  if (status === 'interrupted') return 130;
  if (stop?.kind === 'no-access') return 3;
  const leftOver = command === 'import' && counts.unsent > 0;
  if (status === 'stopped' || leftOver) return 4;
  if (counts.unknown > 0) return 5;
  return counts.invalid + counts.rejected > 0 ? 1 : 0;
}

const EXITS: Readonly<Record<ExitCode, string>> = {
  0: 'Every record was accepted, skipped or a duplicate.',
  1: 'It finished, but some records are invalid or rejected.',
  3: 'The service refused the credentials or the monitoring.',
  4: 'It ended before everything was sent.',
  5: 'It finished, but the outcome of some documents is unknown.',
  130: 'Somebody interrupted it.',
};

/** What other words are needed for where nothing is sent. */
const EXITS_OF_VALIDATION: Readonly<Partial<Record<ExitCode, string>>> = {
  0: 'Every record is valid, skipped or a duplicate.',
  1: 'It finished, but some records are invalid.',
  4: 'It ended before its inputs did.',
};

/** What the exit code of a run means, as one sentence. */
export function exitText({ command, exitCode }: Pick<Report, 'command' | 'exitCode'>): string {
  const special = command === 'validate' ? EXITS_OF_VALIDATION[exitCode] : undefined;
  return special ?? EXITS[exitCode];
}
