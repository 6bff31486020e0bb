import { createRequire } from 'node:module';
import type { DateTime } from 'luxon';

const nodeRequire = createRequire(import.meta.url);

/** Loads luxon on demand: most mappings never need it. */
export function luxon(): typeof import('luxon') {
  return nodeRequire('luxon');
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Size of the cache of zones, shared by all rules, files and runs of the process. */
const MAX_ZONES = 1_000;
/** Size of the cache of a zone's offsets by day: 140 years. */
const MAX_DAYS = 50_000;

/** A local time that was skipped when clocks went forward. */
export class SkippedTime {
  readonly zone: string;
  /** Local time at which clocks went forward, in milliseconds as in {@link ToInstant}. */
  readonly from: number;
  /** Local time that they were set to. */
  readonly to: number;

  constructor(zone: string, from: number, to: number) {
    this.zone = zone;
    this.from = from;
    this.to = to;
  }
}

/** Converts a local time, given as milliseconds since 1970 as if in UTC, to the instant. */
export type ToInstant = (wall: number) => number | SkippedTime;

/**
 * Compiles the conversion for a zone. A time that clocks show twice means the first: luxon would
 * choose by the current season, so that the same export would give other documents in winter.
 * Midnight means its day, so it is skipped only if the whole day is.
 */
export const localTimeConverter: (zone: string) => ToInstant = cached(MAX_ZONES, compileZone);

function compileZone(zone: string): ToInstant {
  const rules = fixedOffset(zone) ?? offsetsOf(zone);
  if (typeof rules === 'number') return (wall) => wall - rules;
  const offsetsOn = cached(MAX_DAYS, (day: number) => offsetsOfDay(day * DAY, rules));
  return (wall) => {
    const offsets = offsetsOn(Math.floor(wall / DAY));
    return offsets.before === offsets.after
      ? wall - offsets.before
      : onDayOfChange(wall, offsets, zone);
  };
}

function onDayOfChange(
  wall: number,
  { before, after, change }: DayOffsets,
  zone: string,
): number | SkippedTime {
  if (wall - before < change) return wall - before;
  if (wall - after >= change) return wall - after;
  const gap = new SkippedTime(zone, change + before, change + after);
  const isMidnight = wall % DAY === 0;
  return isMidnight && gap.to < wall + DAY ? change : gap;
}

interface DayOffsets {
  readonly before: number;
  readonly after: number;
  /** First instant of `after`; meaningless if both are the same. */
  readonly change: number;
}

/** Finds the offsets of a day; within the 54 hours examined, no zone has changed twice. */
function offsetsOfDay(midnight: number, offsetAt: OffsetAt): DayOffsets {
  // No zone is more than 14 hours from UTC, so all instants of this local date are between.
  const first = midnight - 15 * HOUR;
  const last = midnight + DAY + 15 * HOUR;
  const before = offsetAt(first);
  const after = offsetAt(last);
  const change = before === after ? last : firstChange(first, last, offsetAt);
  return { before, after, change };
}

function firstChange(since: number, until: number, offsetAt: OffsetAt): number {
  const before = offsetAt(since);
  let [low, high] = [since, until];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Parses a text with luxon, but converts local times here, because luxon silently shifts skipped
 * ones.
 * @param read parses with luxon, with clocks in the given zone
 */
export function parseWithLuxon(
  read: (zone: string) => DateTime,
  toInstant: ToInstant,
): number | SkippedTime | undefined {
  const date = read('UTC');
  if (!date.isValid) return undefined;
  const millis = date.toMillis();
  // A text with an offset of its own means the same everywhere.
  return read('UTC+1').toMillis() === millis ? millis : toInstant(millis);
}

/** Offset from UTC at an instant, in milliseconds. */
type OffsetAt = (instant: number) => number;

export function isZone(zone: string): boolean {
  if (fixedOffset(zone) !== undefined) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Parses `UTC`, `GMT`, `UTC+1` or `UTC-3:30`, in milliseconds. */
function fixedOffset(zone: string): number | undefined {
  const found = /^(?:gmt|utc([+-]\d{1,2}(?::\d{2})?)?)$/iu.exec(zone);
  return found === null ? undefined : offsetMillis(found[1] ?? 'Z');
}

/** Parses an offset in milliseconds: `+02:00`, `-0330`, `+1`, `+00:19:32`, `Z`. */
export function offsetMillis(offset: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /^([+-])(\d{1,2})(?::?(\d\d))?(?::(\d\d))?$/u.exec(offset) ?? [];
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -size : size;
}

const MAX_INSTANT = 8.64e15;

/** Finds offsets as luxon does, in a seventh of its time. */
function offsetsOf(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    if (!(Math.abs(instant) <= MAX_INSTANT)) return Number.NaN;
    const text = format.format(instant);
    const offset = /GMT([+-][\d:]+)?$/.exec(text);
    if (offset === null) throw new Error(`${text} has no offset. This is a bug in docferry.`);
    return offsetMillis(offset[1] ?? 'Z');
  };
}

/** Caches a function's results by its argument; starts over when there are `max`. */
export function cached<Key, Result>(
  max: number,
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as Result;
    if (results.size >= max) results.clear();
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
