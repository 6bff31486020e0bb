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
