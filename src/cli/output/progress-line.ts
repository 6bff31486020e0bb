import { byteSize, count, duration, thousands } from '../../model/figures.js';
import type { Progress } from '../../model/record.js';
import { PLAIN, paint, type Terminal } from '../../model/terminal.js';

const MIN_BAR = 10;
const MAX_BAR = 30;
/** Before this, the speed doesn't allow an estimate of the time left. */
const MIN_ESTIMATE_MS = 1_000;

/**
 * Formats the progress of a run as a line that fits a terminal, with a bar if the size of the
 * inputs is known; without a width as a sentence for a log.
 */
export function progressLine(progress: Progress, terminal: Terminal = PLAIN): string {
  if (terminal.width === PLAIN.width) return parts(progress).join(', ');
  const share = shareDone(progress);
  if (share === null) return fitting(parts(progress), terminal.width);
  const all = [`${Math.floor(share * 100)}%`, ...parts(progress)];
  const shown = fitting(all, terminal.width - MIN_BAR - GAP.length);
  const room = Math.min(MAX_BAR, terminal.width - shown.length - GAP.length);
  if (room < MIN_BAR) return fitting(all, terminal.width);
  const filled = Math.floor(share * room);
  const bar = paint('━'.repeat(filled), 'good', terminal);
  return `${bar}${paint('─'.repeat(room - filled), 'dim', terminal)}${GAP}${shown}`;
}

const GAP = '  ';

/** Most important first. */
function parts({ counts, ...progress }: Progress): string[] {
  const { bytesRead, bytesTotal, elapsedMs } = progress;
  const failed = counts.invalid + counts.rejected;
  const total = bytesTotal === null ? '' : ` of ${byteSize(bytesTotal)}`;
  const perSecond = (counts.read * 1000) / Math.max(1, elapsedMs);
  const left = timeLeft(progress);
  return [
    count(counts.read, 'record'),
    ...(left === null ? [] : [`${duration(left)} left`]),
    `${thousands(perSecond)}/s`,
    ...(failed > 0 ? [`${thousands(failed)} invalid or rejected`] : []),
    ...(counts.unknown > 0 ? [`${thousands(counts.unknown)} unknown`] : []),
    ...(counts.accepted > 0 ? [`${thousands(counts.accepted)} accepted`] : []),
    `${byteSize(bytesRead)}${total}`,
  ];
}

/** Drops the last parts until the rest fits; the first part is cut if necessary. */
function fitting(all: readonly string[], width: number): string {
  for (let shown = all.length; shown > 0; shown -= 1) {
    const line = all.slice(0, shown).join(GAP);
    if (line.length <= width) return line;
  }
  return (all[0] ?? '').slice(0, Math.max(0, width));
}

function shareDone({ bytesRead, bytesTotal }: Omit<Progress, 'counts'>): number | null {
  if (bytesTotal === null || bytesTotal <= 0) return null;
  return Math.min(1, bytesRead / bytesTotal);
}

/** In milliseconds; `null` if unknown. */
function timeLeft(progress: Omit<Progress, 'counts'>): number | null {
  const share = shareDone(progress);
  if (share === null || share === 0 || share === 1) return null;
  if (progress.elapsedMs < MIN_ESTIMATE_MS) return null;
  return (progress.elapsedMs * (1 - share)) / share;
}
