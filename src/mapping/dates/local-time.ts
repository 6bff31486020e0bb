/** From what a clock on the wall shows to the instant. */
import { Info } from 'luxon';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days whose offset is remembered; 140 years of them. */
const MOST_DAYS = 50_000;

/** Takes a wall clock's time, as milliseconds of the same digits in UTC, to the instant. */
export type ToInstant = (wall: number) => number;

/**
 * Of a time that a clock shows twice, the first is meant; one that it skips is as much later as was
 * skipped. luxon decides the first case by the season in which it is asked: the same export would
 * give other documents in winter. The zone is asked once for each day.
 */
export function localTime(zone: string): ToInstant {
  const rules = Info.normalizeZone(zone);
  if (rules.isUniversal) {
    const offset = rules.offset(0) * MINUTE;
    return (wall) => wall - offset;
  }
  const offsetAt: OffsetAt = (instant) => Math.round(rules.offset(instant) * MINUTE);
  const days = new Map<number, DayOffsets>();
  return (wall) => {
    const day = Math.floor(wall / DAY);
    let offsets = days.get(day);
    if (offsets === undefined) {
      if (days.size >= MOST_DAYS) days.clear();
      offsets = offsetsOfDay(day * DAY, offsetAt);
      days.set(day, offsets);
    }
    const { before, after, change } = offsets;
    if (before === after) return wall - before;
    const first = wall - Math.max(before, after);
    const shown = first < change ? before : after;
    return shown === Math.max(before, after) ? first : wall - Math.min(before, after);
  };
}

type OffsetAt = (instant: number) => number;

/** The offsets that a day can have, in milliseconds. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  /** The first instant of `after`; means nothing where the two are the same. */
  readonly change: number;
}

function offsetsOfDay(midnight: number, offsetAt: OffsetAt): DayOffsets {
  // No zone is further than 14 hours from UTC: all instants that bear this date lie between.
  let low = midnight - 15 * HOUR;
  let high = midnight + DAY + 15 * HOUR;
  const before = offsetAt(low);
  const after = offsetAt(high);
  while (before !== after && high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return { before, after, change: high };
}
