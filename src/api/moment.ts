import { DateTime } from 'luxon';
import { OptionError } from '../model/errors.js';
import type { Moment } from './queries.js';
import { showValue } from './show-value.js';

/** What a date alone stands for: the first minute of its day, or the last. */
export type DayEdge = 'first minute' | 'last minute';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WHOLE_DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}/i;
/** What `toISOString` gives for the years 0 to 9999. */
const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})/;

/**
 * Reads a moment as UTC, in the form `yyyy-MM-ddTHH:mm:ss`. Text without an offset is UTC.
 * @param name what the moment is for, as errors call it
 * @throws OptionError that names it, if it can't be read
 */
export function readMoment(name: string, moment: Moment, edge: DayEdge = 'first minute'): string {
  const date = typeof moment === 'string' ? readText(moment, edge) : readObject(moment);
  const iso = Number.isNaN(date) ? null : ISO.exec(new Date(date).toISOString());
  if (iso !== null) return iso[0];
  throw new OptionError(
    `${name}: ${showValue(moment)} is no moment; expected a DateTime, a Date, or text such as "2024-05-31 18:30" or "2024-05-31T18:30+02:00".`,
  );
}

/** Milliseconds since 1970, or `NaN`. */
function readText(text: string, edge: DayEdge): number {
  const trimmed = text.trim();
  if (DATE.test(trimmed)) {
    return readIso(edge === 'first minute' ? trimmed : `${trimmed}T23:59`);
  }
  return WHOLE_DATE_AND_TIME.test(trimmed) ? readIso(trimmed.replace(' ', 'T')) : Number.NaN;
}

function readIso(text: string): number {
  return DateTime.fromISO(text, { zone: 'utc' }).toMillis();
}

function readObject(moment: unknown): number {
  if (moment instanceof Date) return moment.getTime();
  const isDateTime =
    typeof moment === 'object' &&
    moment !== null &&
    'toMillis' in moment &&
    typeof moment.toMillis === 'function';
  const milliseconds: unknown = isDateTime ? (moment.toMillis as () => unknown)() : Number.NaN;
  return typeof milliseconds === 'number' ? milliseconds : Number.NaN;
}
