/** The time zones that a mapping can name. */
import { luxon } from './luxon.js';

const MINUTE = 60_000;

/** Milliseconds that clocks are ahead of UTC at an instant. */
export type OffsetAt = (instant: number) => number;

/** Whether there is such a zone. The machine's own is none: elsewhere it would give other documents. */
export function isZone(zone: string): boolean {
  if (isUtc(zone)) return true;
  if (!isPlace(zone)) {
    const { isValid, type } = luxon().Info.normalizeZone(zone);
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
  const rules = luxon().Info.normalizeZone(zone);
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

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The largest instant that a `Date` holds, either way. */
const LAST_INSTANT = 8.64e15;

/**
 * The offsets of an IANA zone: as luxon finds them, in a seventh of its time, since an export has
 * hundreds of days, and each is asked for.
 * @throws RangeError if there is no such zone
 */
export function zoneOffset(timeZone: string): OffsetAt {
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
