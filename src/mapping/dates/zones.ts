/** From what a clock on the wall shows to the instant. */
import { createRequire } from 'node:module';
import type { DateTime } from 'luxon';

const nodeRequire = createRequire(import.meta.url);

/** Loads luxon where nothing else can read a date: most mappings never need it. */
export function luxon(): typeof import('luxon') {
  return nodeRequire('luxon');
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days whose offset is remembered; 140 years of them. */
const MAX_DAYS = 50_000;

/** A time that no clock of the zone showed: it was put forward past it. */
export class SkippedTime {
  readonly zone: string;
  /** What the clock would have shown when it was put forward, in milliseconds as in {@link ToInstant}. */
  readonly from: number;
  /** What it showed instead. */
  readonly to: number;

  constructor(zone: string, from: number, to: number) {
    this.zone = zone;
    this.from = from;
    this.to = to;
  }
}

/** Takes a wall clock's time, as milliseconds of the same digits in UTC, to the instant. */
export type ToInstant = (wall: number) => number | SkippedTime;

/** By zone: rules, files and runs of a process share what they have asked. */
const known = new Map<string, ToInstant>();

/**
 * Of a time that a clock shows twice, the first is meant: luxon decides by the season in which it
 * is asked, and the same export would give other documents in winter. Midnight stands for its day,
 * and so is never skipped, unless the whole day is.
 */
export function localTime(zone: string): ToInstant {
  const toInstant = known.get(zone) ?? compileZone(zone);
  known.set(zone, toInstant);
  return toInstant;
}

function compileZone(zone: string): ToInstant {
  const rules = zoneRules(zone);
  if (typeof rules === 'number') return (wall) => wall - rules;
  const days = new Map<number, DayOffsets>();
  return (wall) => {
    const day = Math.floor(wall / DAY);
    let offsets = days.get(day);
    if (offsets === undefined) {
      if (days.size >= MAX_DAYS) days.clear();
      offsets = offsetsOfDay(day * DAY, rules);
      days.set(day, offsets);
    }
    return offsets.before === offsets.after
      ? wall - offsets.before
      : onAChange(wall, offsets, zone);
  };
}

function onAChange(
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

/** The offsets that a day and those next to it can have, in milliseconds. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  /** The first instant of `after`; means nothing where the two are the same. */
  readonly change: number;
}

/** In the two days and six hours that it looks at, no zone has changed more than once. */
function offsetsOfDay(midnight: number, offsetAt: OffsetAt): DayOffsets {
  // No zone is further than 14 hours from UTC: all instants that bear this date lie between.
  const first = midnight - 15 * HOUR;
  const last = midnight + DAY + 15 * HOUR;
  const before = offsetAt(first);
  const after = offsetAt(last);
  const change = before === after ? last : firstChange(first, last, offsetAt);
  return { before, after, change };
}

/** The first instant of the later offset, where the offset changes once: after `since`, by `until`. */
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
 * Has luxon read a text, and takes what the text says from there. By itself luxon moves a time
 * that a clock skips, and says nothing.
 * @param read how luxon reads it where clocks show the time of a zone
 */
export function throughLuxon(
  read: (zone: string) => DateTime,
  toInstant: ToInstant,
): number | SkippedTime | undefined {
  const date = read('UTC');
  if (!date.isValid) return undefined;
  const millis = date.toMillis();
  // A text with an offset of its own means the same everywhere.
  return read('UTC+1').toMillis() === millis ? millis : toInstant(millis);
}

/** Milliseconds that clocks are ahead of UTC at an instant. */
export type OffsetAt = (instant: number) => number;

/** Whether there is such a zone. */
export function isZone(zone: string): boolean {
  if (fixedOffset(zone) !== undefined) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** How far a zone is from UTC: always as far, or at an instant. */
export function zoneRules(zone: string): number | OffsetAt {
  return fixedOffset(zone) ?? offsetsOf(zone);
}

const MINUTE = 60_000;

/** `UTC`, `GMT`, or an offset such as `UTC+1` or `UTC-3:30`, in milliseconds. */
function fixedOffset(zone: string): number | undefined {
  const found = /^(?:gmt|utc(?:([+-])(\d{1,2})(?::(\d{2}))?)?)$/iu.exec(zone);
  if (found === null) return undefined;
  const [, sign, hours = 0, minutes = 0] = found;
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE;
  return sign === '-' ? -size : size;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
/** The largest instant that a `Date` holds, either way. */
const LAST_INSTANT = 8.64e15;

/** As luxon finds them, in a seventh of its time. */
function offsetsOf(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    if (!(Math.abs(instant) <= LAST_INSTANT)) return Number.NaN;
    const text = format.format(instant);
    const [found, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
    if (found === undefined) throw new Error(`${text} says no offset. This is a bug in docferry.`);
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -size : size;
  };
}
