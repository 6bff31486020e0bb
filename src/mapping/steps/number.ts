import type { DecimalMark } from '../mapping.js';
import { failure, type Step } from '../value.js';

/** Marks that group digits by three, whatever separates the decimals. */
const SPACES_AND_APOSTROPHES = " \\u00a0\\u2009\\u202f'’";

/** The step `number`: reads text with that decimal mark; a JSON number is taken as it is. */
export function compileNumber(mark: DecimalMark, subject: string): Step {
  const read = numberReader(mark);
  const expected = `a number with the decimal mark "${mark}"`;
  return (value) => {
    if (typeof value === 'number') return value;
    const number = typeof value === 'string' ? read(value) : undefined;
    return number ?? failure('unreadable-number', subject, value, expected);
  };
}

/**
 * Reads finite numbers: `1.234,5` with a comma, `1,234.5` with a point. A grouping mark counts only
 * where it groups by three, so that a decimal comma is never taken for one.
 */
export function numberReader(mark: DecimalMark): (text: string) => number | undefined {
  const group = `[${mark === '.' ? ',' : '.'}${SPACES_AND_APOSTROPHES}]`;
  const whole = `\\d+|[1-9]\\d{0,2}(?<group>${group})\\d{3}(?:\\k<group>\\d{3})*`;
  const decimals = `[${mark}]\\d+`;
  const pattern = new RegExp(
    `^[+-]?(?:(?:${whole})(?:${decimals})?|${decimals})(?:e[+-]?\\d+)?$`,
    'iu',
  );
  const simple = new RegExp(`^-?\\d{1,15}(?:${decimals})?$`, 'u');
  const grouping = new RegExp(group, 'gu');
  return (text) => {
    if (simple.test(text)) return Number(mark === '.' ? text : text.replace(',', '.'));
    const ascii = text.replace('\u2212', '-');
    if (!pattern.test(ascii)) return undefined;
    const number = Number(ascii.replace(grouping, '').replace(mark, '.'));
    return Number.isFinite(number) ? number : undefined;
  };
}

const PLAIN = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** A value that has to be a number and was not read by `number`: a number, or text that is plainly one. */
export function plainNumber(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !PLAIN.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
