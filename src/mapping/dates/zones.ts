/** The time zones that a mapping can name. */
import { Info } from 'luxon';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** For so long at once, a zone is asked. */
const PERIOD = 400 * DAY;
/** It is asked at instants so far apart: of all changes in the IANA database, the nearest are a week apart (in Boa Vista, in October 2000). */
const STEP = 4 * DAY;

/** Milliseconds that clocks are ahead of UTC at an instant. */
export type OffsetAt = (instant: number) => number;

/** Whether there is such a zone. The machine's own is none: elsewhere it would give other documents. */
export function isZone(zone: string): boolean {
  if (isUtc(zone)) return true;
  if (!isPlace(zone)) {
    const { isValid, type } = Info.normalizeZone(zone);
    return isValid && type !== 'system';
  }
  try {
    zoneOffset(zone);
    return true;
  } catch {
    return false;
  }
}

/** How far a zone is from UTC: always as far, or at an instant. */
export function zoneRules(zone: string): number | OffsetAt {
  if (isUtc(zone)) return 0;
  if (isPlace(zone)) return zoneOffset(zone);
  const rules = Info.normalizeZone(zone);
  if (rules.isUniversal) return rules.offset(0) * MINUTE;
  if (rules.type === 'iana') return zoneOffset(rules.name);
  return (instant) => Math.round(rules.offset(instant) * MINUTE);
}

function isUtc(zone: string): boolean {
  return zone === 'UTC';
}

/** Names such as `Europe/Madrid` are IANA's alone. For them and for UTC, luxon needn't be loaded. */
function isPlace(zone: string): boolean {
  return zone.includes('/');
}

/** The instants from which a zone's clocks are how far ahead of UTC, in milliseconds, in order. */
type Offsets = readonly (readonly [from: number, ahead: number])[];

/** By zone, and by the number of the period since 1970: asking `Intl` takes long. */
const zonePeriods = new Map<string, Map<number, Offsets>>();

/** The largest instant that a `Date` holds, either way. */
const LAST_INSTANT = 8.64e15;

/**
 * The offsets of an IANA zone.
 * @throws RangeError if there is no such zone
 */
export function zoneOffset(timeZone: string): OffsetAt {
  let periods = zonePeriods.get(timeZone);
  let asked: OffsetAt | undefined;
  if (periods === undefined) {
    asked = askedOffset(timeZone);
    periods = new Map();
    zonePeriods.set(timeZone, periods);
  }
  const known = periods;
  return (instant) => {
    if (!(Math.abs(instant) <= LAST_INSTANT)) return Number.NaN;
    const period = Math.floor(instant / PERIOD);
    let offsets = known.get(period);
    if (offsets === undefined) {
      asked ??= askedOffset(timeZone);
      offsets = offsetsIn(period, asked);
      known.set(period, offsets);
    }
    return offsets.findLast(([from]) => from <= instant)?.[1] as number;
  };
}

function offsetsIn(period: number, offsetAt: OffsetAt): Offsets {
  const start = Math.max(period * PERIOD, -LAST_INSTANT);
  const end = Math.min((period + 1) * PERIOD, LAST_INSTANT);
  let ahead = offsetAt(start);
  const offsets: [number, number][] = [[start, ahead]];
  for (let at = start; at < end; at += STEP) {
    const next = Math.min(at + STEP, end);
    const after = offsetAt(next);
    if (after !== ahead) offsets.push([firstChange(at, next, offsetAt), after]);
    ahead = after;
  }
  return offsets;
}

/** The first instant of the later offset, where the offset changes once: after `since`, by `until`. */
export function firstChange(since: number, until: number, offsetAt: OffsetAt): number {
  const before = offsetAt(since);
  let [low, high] = [since, until];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** As luxon finds it, in a seventh of its time. */
function askedOffset(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const text = format.format(instant);
    const [found, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
    if (found === undefined) throw new Error(`${text} says no offset. This is a bug in docferry.`);
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -size : size;
  };
}
