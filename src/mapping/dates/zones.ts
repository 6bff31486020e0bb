/** The time zones that a mapping can name. */
import { Info } from 'luxon';

const MINUTE = 60_000;

/** Milliseconds that clocks are ahead of UTC at an instant. */
export type OffsetAt = (instant: number) => number;

/** Whether there is such a zone. The machine's own is none: elsewhere it would give other documents. */
export function isZone(zone: string): boolean {
  const { isValid, type } = Info.normalizeZone(zone);
  return isValid && type !== 'system';
}

/** How far a zone is from UTC: always as far, or at an instant. */
export function zoneRules(zone: string): number | OffsetAt {
  const rules = Info.normalizeZone(zone);
  if (rules.isUniversal) return rules.offset(0) * MINUTE;
  return rules.type === 'iana' ? ianaOffset(rules.name) : (at) => rules.offset(at) * MINUTE;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
/** The largest instant that a `Date` holds, either way. */
const LAST_INSTANT = 8.64e15;

/** As luxon finds it, in a seventh of its time. */
function ianaOffset(timeZone: string): OffsetAt {
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
