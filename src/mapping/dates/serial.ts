/** Reads the numbers that workbooks keep days as: `45438.5` is noon on 26 May 2024. */
import { localTime } from './local-time.js';
import type { ReadDate } from './parse-format.js';

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
