/** Days as the bare numbers of a workbook, whose cells have lost their format. */
import type { FoundDate } from './dates.js';

/** 1 January 2000 and 2040: few columns of other numbers lie between. */
const FIRST = 36_526;
const LAST = 51_136;
/** Times have more decimals than amounts of money. */
const TIME = /\.\d{4,}$/u;

/** Whether all numbers of a column lie where days do, and its name or their decimals say so. */
export function holdsSerials(texts: readonly string[], named: boolean): boolean {
  const numbers = texts.filter((text) => /^\d+(?:\.\d+)?$/u.test(text));
  if (numbers.length < 2 || !numbers.every(isDay)) return false;
  return named || numbers.filter((text) => TIME.test(text)).length > numbers.length / 2;
}

export function findSerial(text: string): FoundDate | undefined {
  if (!/^\d{5}(?:\.\d+)?$/u.test(text) || !isDay(text)) return undefined;
  return {
    form: 'excel-serial',
    precision: text.includes('.') ? 'time' : 'day',
    part: text,
    match: '\\d{5}(?:\\.\\d+)?',
    zoned: false,
    ordinal: false,
  };
}

function isDay(text: string): boolean {
  const serial = Number(text);
  return serial >= FIRST && serial < LAST;
}
