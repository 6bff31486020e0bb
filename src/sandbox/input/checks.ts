import { DateTime } from 'luxon';
import { isObject } from '../../model/record.js';

/** Checks the value at `path`, and adds a sentence to `faults` for each mistake. */
export type Check = (value: unknown, path: string, faults: string[]) => void;

export function check(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, path, faults) => {
    if (!holds(value)) faults.push(`${path} must be ${expected}, not ${shown(value)}.`);
  };
}

export const string: Check = check('a string', (value) => typeof value === 'string');

export const boolean: Check = check('true or false', (value) => typeof value === 'boolean');

export const number: Check = check('a number', Number.isFinite);

export const filledString: Check = check(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

export function oneOf(values: readonly string[]): Check {
  return check(`one of ${values.join(', ')}`, (value) => values.includes(value as string));
}

export function orNull(entry: Check): Check {
  return (value, path, faults) => {
    if (value !== null) entry(value, path, faults);
  };
}

export function listOf(entry: Check): Check {
  return (value, path, faults) => {
    if (!Array.isArray(value)) faults.push(`${path} must be a list, not ${shown(value)}.`);
    else for (const [index, item] of value.entries()) entry(item, `${path}[${index}]`, faults);
  };
}

/** Accepts a list as {@link listOf} does, with at least one entry. */
export function filledListOf(entry: Check): Check {
  const list = listOf(entry);
  return (value, path, faults) => {
    list(value, path, faults);
    if (Array.isArray(value) && value.length === 0) faults.push(`${path} must not be empty.`);
  };
}

/** Accepts an object whose fields pass their checks; fields that aren't named here are ignored. */
export function object(fields: Record<string, Check>, required: readonly string[]): Check {
  const checks = Object.entries(fields);
  return (value, path, faults) => {
    if (!isObject(value)) {
      faults.push(`${path || 'The body'} must be an object, not ${shown(value)}.`);
      return;
    }
    for (const [name, checkField] of checks) {
      const fieldPath = path === '' ? name : `${path}.${name}`;
      if (value[name] !== undefined) checkField(value[name], fieldPath, faults);
      else if (required.includes(name)) faults.push(`${fieldPath} is missing.`);
    }
  };
}

/** Formats a value as JSON, shortened to fit into a sentence. */
export function shown(value: unknown): string {
  try {
    const json = JSON.stringify(value) ?? 'nothing';
    return json.length > 60 ? `${json.slice(0, 59)}…` : json;
  } catch {
    // The value is nested too deeply for JSON.stringify.
    return 'something nested this deep';
  }
}

const COMMON = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/** Range of years with four digits, which cursors require; in milliseconds since 1970. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 timestamp with a complete date as milliseconds since 1970; without an offset it
 * is UTC. Returns `null` if it is invalid, or if its year in UTC doesn't have four digits.
 */
export function readTimestamp(text: string): number | null {
  const day = COMMON.exec(text)?.[1];
  if (day !== undefined) {
    const milliseconds = Date.parse(text);
    // Date.parse reads 30 February as 1 March; days up to 28 exist in every month.
    const exists = day <= '28' || new Date(milliseconds).getUTCDate() === Number(day);
    if (exists) return Number.isNaN(milliseconds) ? null : milliseconds;
  }
  if (!STARTS_WITH_DAY.test(text)) return null;
  const time = DateTime.fromISO(text, { zone: 'utc' });
  const milliseconds = time.isValid ? time.toMillis() : Number.NaN;
  return milliseconds >= FIRST_MOMENT && milliseconds <= LAST_MOMENT ? milliseconds : null;
}
