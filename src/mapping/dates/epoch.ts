/** Reads counts since the first moment of 1970 (UTC). */
import type { ReadDate } from './parse-format.js';

/** Seconds, with decimals or without. */
export const parseEpochSeconds: ReadDate = (text) => {
  const seconds = count(text);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};

/** Before March 1973 a count of milliseconds has 11 digits or less: those are seconds. */
const FEWEST_MILLIS = 100_000_000_000;

/** Milliseconds. A count so small that it must be of seconds is refused. */
export const parseEpochMillis: ReadDate = (text) => {
  const millis = count(text);
  return millis === undefined || Math.abs(millis) < FEWEST_MILLIS ? undefined : Math.trunc(millis);
};

function count(text: string): number | undefined {
  return /^[+-]?\d{1,17}(?:\.\d+)?$/u.test(text) ? Number(text) : undefined;
}
