import { DateTime } from 'luxon';
import { localTime } from './local-time.js';
import type { ReadDate } from './parse-format.js';
import { throughLuxon } from './through-luxon.js';

const COMMON =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?)?$/iu;

/**
 * Reads ISO 8601, with a space for the T if need be. An offset is honoured; the zone applies where
 * there is none. The common form is read here, weeks and ordinal days by luxon.
 */
export function parseIso(zone: string): ReadDate {
  const toInstant = localTime(zone);
  return (text) => {
    const found = COMMON.exec(text);
    if (found === null) {
      // A time alone is no date: luxon would take the current day.
      if (!/^[+-]?\d{4}/u.test(text)) return undefined;
      return throughLuxon((each) => DateTime.fromISO(text, { zone: each }), toInstant);
    }
    const [, year, month, day, hour = '00', minute = '00', second = '00', decimals, offset] = found;
    const millis = `${decimals ?? ''}000`.slice(0, 3);
    const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`);
    // Date.parse takes 31 April for 1 May.
    const midnight = hour === '24' ? wall - 86_400_000 : wall;
    if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
    return offset === undefined ? toInstant(wall) : wall - offsetMillis(offset);
  };
}

function offsetMillis(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', ''));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
