import { DateTime } from 'luxon';
import { localTime, throughLuxon } from './local-time.js';
import type { ReadDate } from './parse-format.js';

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

/** Seconds, with decimals or without. */
export const parseEpochSeconds: ReadDate = (text) => {
  const seconds = count(text);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};

/** Before March 1973 a count of milliseconds has 11 digits or less: those are seconds. */
const MIN_MILLIS = 100_000_000_000;

/** Milliseconds. A count so small that it must be of seconds is refused. */
export const parseEpochMillis: ReadDate = (text) => {
  const millis = count(text);
  return millis === undefined || Math.abs(millis) < MIN_MILLIS ? undefined : Math.trunc(millis);
};

function count(text: string): number | undefined {
  return /^[+-]?\d{1,17}(?:\.\d+)?$/u.test(text) ? Number(text) : undefined;
}

const DAY = 86_400_000;
/** The serial number of 1970-01-01, counted so that 1 January 1900 is 1. */
const EPOCH = 25_569;
/** 1 March 1900: before it, programs differ by a day. */
const FIRST = 61;
/** The day behind 9999-12-31. */
const END = 2_958_466;

/** A workbook has no zone: what its clock shows is in the mapping's. */
export function parseSerial(zone: string): ReadDate {
  const toInstant = localTime(zone);
  return (text) => {
    const serial = /^\d{2,7}(?:\.\d+)?$/u.test(text) ? Number(text) : Number.NaN;
    if (!(serial >= FIRST && serial < END)) return undefined;
    return toInstant(Math.round((serial - EPOCH) * DAY));
  };
}
