import { byteSize, count, duration, thousands } from '../model/figures.js';
import type { Progress } from '../model/record.js';

const MIN_BAR = 10;
const MAX_BAR = 30;
/** Before this, the speed doesn't allow an estimate of the time left. */
const MIN_ESTIMATE_MS = 1_000;

/**
 * Formats the progress of a run as a line.
 * @param width columns of a terminal, which the line fits; it has a bar if the size of the inputs
 *   is known. Without it, the line is a sentence for a log.
 */
export function progressLine(progress: Progress, width?: number): string {
  if (width === undefined) return parts(progress).join(', ');
  const share = shareDone(progress);
  const percent = share === null ? [] : [`${Math.floor(share * 100)} %`];
  const shown = fitting([...percent, ...parts(progress)], width);
  const room = Math.min(MAX_BAR, width - shown.length - 4);
  if (share === null || room < MIN_BAR) return shown;
  const filled = Math.floor(share * room);
  return `[${'#'.repeat(filled)}${'-'.repeat(room - filled)}]  ${shown}`;
}

/** Most important first. */
function parts({ counts, ...progress }: Progress): string[] {
  const { bytesRead, bytesTotal, elapsedMs } = progress;
  const failed = counts.invalid + counts.rejected;
  const total = bytesTotal === null ? '' : ` of ${byteSize(bytesTotal)}`;
  const perSecond = (counts.read * 1000) / Math.max(1, elapsedMs);
  const left = timeLeft(progress);
  return [
    count(counts.read, 'record'),
    ...(counts.accepted > 0 ? [`${thousands(counts.accepted)} accepted`] : []),
    ...(failed > 0 ? [`${thousands(failed)} invalid or rejected`] : []),
    ...(counts.unknown > 0 ? [`${thousands(counts.unknown)} unknown`] : []),
    ...(left === null ? [] : [`${duration(left)} left`]),
    `${thousands(perSecond)}/s`,
    `${byteSize(bytesRead)}${total}`,
  ];
}

/** Drops the last parts until the rest fits; the first part is cut if necessary. */
function fitting(all: readonly string[], width: number): string {
  for (let shown = all.length; shown > 0; shown -= 1) {
    const line = all.slice(0, shown).join('  ');
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
