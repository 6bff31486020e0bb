import type { NumberKind } from './cell-formats.js';

const DAY_MS = 86_400_000;
/** The last day is 9999-12-31. */
const MOST_DAYS = 2_958_466;
/** The day before serial 1, as workbooks count from 1 March 1900 on. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** What 1900 starts with is one day more: workbooks have a 29 February 1900, which never was. */
const AFTER_THE_FALSE_DAY = 61;
const DAYS_TO_1904 = 1462;

/**
 * A serial number as ISO 8601 without a zone, as a workbook has none: `2026-01-31`,
 * `2026-01-31T14:30:00`, `14:30:00`. Fractions are rounded to milliseconds.
 * @returns `undefined` if it is no day between 1900 and 9999
 */
export function serialText(
  serial: number,
  kind: Exclude<NumberKind, 'number' | 'percent'>,
  from1904: boolean,
): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= MOST_DAYS) return undefined;
  const ms = Math.round(serial * DAY_MS);
  if (kind === 'elapsed' || (kind === 'time' && ms < DAY_MS)) return clock(ms);
  const days = Math.floor(ms / DAY_MS) + (from1904 ? DAYS_TO_1904 : 0);
  const shift = days < AFTER_THE_FALSE_DAY ? 1 : 0;
  const day = new Date(EPOCH_MS + (days + shift) * DAY_MS).toISOString().slice(0, 10);
  const rest = ms % DAY_MS;
  return kind === 'date' && rest === 0 ? day : `${day}T${clock(rest)}`;
}

/** Hours may be more than a day has. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return ms % 1000 === 0 ? text : `${text}.${String(ms % 1000).padStart(3, '0')}`;
}
