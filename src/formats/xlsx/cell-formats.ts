import type { Parts } from './parts.js';

/**
 * Meaning of a cell's number. An elapsed time may exceed a day. A number: least digits of a whole
 * number, shown with leading zeros.
 */
export type NumberKind = 'number' | 'percent' | 'date' | 'moment' | 'time' | 'elapsed' | number;

/** Built-in number formats, as ranges. Those from 27 on are East Asian dates. */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'moment'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'elapsed'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/** Excel takes no more; a file with more is made to fill the memory. */
const MAX_FORMATS = 65_536;

/**
 * Reads the meaning of numbers for each cell style.
 * @throws BrokenInput
 */
export async function readCellFormats(
  part: string | undefined,
  parts: Parts,
): Promise<readonly NumberKind[]> {
  const kinds: NumberKind[] = [];
  if (part === undefined) return kinds;
  const codes = new Map<number, NumberKind>();
  let inCellFormats = false;
  await parts.read(part, {
    open(name, attributes) {
      if (name === 'cellXfs') inCellFormats = true;
      if (name === 'numFmt' && codes.size < MAX_FORMATS) {
        codes.set(Number(attributes['numFmtId']), kindOfFormat(attributes['formatCode'] ?? ''));
      }
      if (name !== 'xf' || !inCellFormats || kinds.length >= MAX_FORMATS) return;
      const format = Number(attributes['numFmtId'] ?? 0);
      kinds.push(codes.get(format) ?? builtIn(format));
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return kinds;
}

function builtIn(format: number): NumberKind {
  return BUILT_IN.find(([from, to]) => format >= from && format <= to)?.[2] ?? 'number';
}

/** An `m` after hours or before seconds. */
const MINUTES = /(?<=h[^a-z]*)m+|m+(?=[^a-z]*s)/g;

/** Classifies a format like `dd/mm/yyyy hh:mm` by its letters, without literal text. */
function kindOfFormat(code: string): NumberKind {
  const [positive = ''] = code
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .toLowerCase()
    .split(';');
  if (/\[(h+|m+|s+)\]/.test(positive)) return 'elapsed';
  if (/^00+$/.test(positive)) return positive.length;
  const letters = positive.replace(/\[[^\]]*\]|general|am\/pm|a\/p/g, '');
  const hasDay = /[ydeb]/.test(letters.replace(/e[+-]/g, ''));
  const hasTime = /[hs]/.test(letters);
  const hasMonth = /m/.test(letters.replace(MINUTES, ''));
  if (hasDay || hasMonth) return hasTime ? 'moment' : 'date';
  if (hasTime) return 'time';
  return letters.includes('%') ? 'percent' : 'number';
}

/**
 * Formats a number with at most 15 significant digits, like Excel's CSV export, to drop rounding
 * errors. Whole numbers keep all digits, as they may be ids.
 */
export function numberText(value: string): string {
  if (value === '' || /^-?\d+$/.test(value)) return value;
  const number = Number(Number(value).toPrecision(15));
  return Number.isFinite(number) ? String(number) : value;
}

/** Formats a share as the sheet shows it. */
export function percentText(value: string): string {
  const percent = Number((Number(value) * 100).toPrecision(15));
  return Number.isFinite(percent) ? `${percent}%` : value;
}

/** Formats a time of day, or an elapsed time of any number of hours. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return ms % 1000 === 0 ? text : `${text}.${String(ms % 1000).padStart(3, '0')}`;
}

/** Formats `42` as `00042`, for postcodes and ids; other than whole numbers are unchanged. */
export function withZeros(value: string, digits: number): string {
  const [, sign = '', number] = /^(-?)(\d+)$/.exec(value) ?? [];
  return number === undefined ? numberText(value) : `${sign}${number.padStart(digits, '0')}`;
}

const DAY_MS = 86_400_000;
/** Serial number of 9999-12-31. */
const MAX_DAYS = 2_958_466;
/** The day before serial 1, for dates from 1 March 1900 on. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Earlier dates are off by one: workbooks have a 29 February 1900, which never existed. */
const FIRST_CORRECT_SERIAL = 61;
const DAYS_TO_1904 = 1462;

/**
 * Converts a serial number to ISO 8601 without a zone, which workbooks lack: `2026-01-31`,
 * `2026-01-31T14:30:00`, `14:30:00`. Fractions are rounded to milliseconds.
 * @returns `undefined` outside of the years 1900 to 9999
 */
export function serialText(
  serial: number,
  kind: Exclude<NumberKind, 'number' | 'percent' | number>,
  from1904: boolean,
): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= MAX_DAYS) return undefined;
  const ms = Math.round(serial * DAY_MS);
  if (kind === 'elapsed' || (kind === 'time' && ms < DAY_MS)) return clockText(ms);
  const days = Math.floor(ms / DAY_MS) + (from1904 ? DAYS_TO_1904 : 0);
  const shift = days < FIRST_CORRECT_SERIAL ? 1 : 0;
  const day = new Date(EPOCH_MS + (days + shift) * DAY_MS).toISOString().slice(0, 10);
  const rest = ms % DAY_MS;
  return kind === 'date' && rest === 0 ? day : `${day}T${clockText(rest)}`;
}
