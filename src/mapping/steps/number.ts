import type { DecimalMark, Scalar, Scale } from '../mapping.js';
import { Failure, failure, type Step, type Subject, type Value } from './value.js';

/** Thousands separators that are valid with either decimal mark. */
const SPACES_AND_APOSTROPHES = " \\u00a0\\u2009\\u202f'’";

/** Step `number`: reads text with this decimal mark; JSON numbers pass unchanged. */
export function compileNumber(
  mark: DecimalMark,
  subject: Subject,
): (value: Scalar) => number | Failure {
  const read = numberReader(mark);
  const expected = `a number with the decimal mark "${mark}"`;
  return (value) => {
    if (typeof value === 'number') return value;
    const number = typeof value === 'string' ? read(value) : undefined;
    return number ?? failure('unreadable-number', subject, value, expected);
  };
}

/**
 * Compiles a reader of finite numbers: `1.234,5` with a comma, `1,234.5` with a point. Separators
 * are accepted only between groups of three digits, so that a decimal mark isn't taken for one.
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

/** Converts a value that no step `number` has read: a number, or text in plain notation. */
export function asNumber(value: Value, subject: Subject): number | Failure | undefined {
  if (typeof value === 'number' || value === undefined || value instanceof Failure) return value;
  const number = typeof value === 'string' && PLAIN.test(value) ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) return number;
  return failure('unreadable-number', subject, value, 'a number (see the step number)');
}

/**
 * Step `scale`: maps one range linearly to another. A number outside the first range is a failure,
 * because it means that the scale is wrong.
 */
export function compileScale({ from, to }: Scale, subject: Subject): Step {
  const [a, b] = from;
  const [c, d] = to;
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  const expected = `a number from ${low} to ${high}`;
  return withNumber(subject, (number) => {
    if (number < low || number > high) return failure('out-of-scale', subject, number, expected);
    return withoutNoise(c + ((number - a) * (d - c)) / (b - a));
  });
}

/** Step `round`: rounds half away from zero. */
export function compileRound(decimals: number, subject: Subject): Step {
  const factor = 10 ** decimals;
  return withNumber(subject, (number) => {
    const size = Math.round(withoutNoise(Math.abs(number) * factor)) / factor;
    // A number too large to multiply has no decimals.
    if (!Number.isFinite(size)) return number;
    return number < 0 && size > 0 ? -size : size;
  });
}

/**
 * Step `bands`: gives the label of the highest bound not above the number; below all bounds,
 * nothing.
 */
export function compileBands(bands: Readonly<Record<string, number>>, subject: Subject): Step {
  const highestFirst = Object.entries(bands)
    .map(([label, bound]) => ({ label, bound }))
    .sort((a, b) => b.bound - a.bound);
  return withNumber(subject, (number) => highestFirst.find(({ bound }) => number >= bound)?.label);
}

function withNumber(subject: Subject, step: (number: number) => Value): Step {
  return (value) => {
    const number = asNumber(value, subject);
    return typeof number === 'number' ? step(number) : number;
  };
}

/** Removes floating-point noise after the fifteenth digit: 4.6, not 4.6000000000000005. */
function withoutNoise(number: number): number {
  // Exact for typical ratings, and faster than formatting the digits.
  const thousandths = Math.round(number * 1000);
  if (Math.abs(number * 1000 - thousandths) < 1e-7 && Math.abs(thousandths) < 1e8) {
    return thousandths / 1000;
  }
  return Number.isFinite(number) ? Number(number.toPrecision(15)) : number;
}
