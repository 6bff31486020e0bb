import { isObject } from '../../model/record.js';
/**
 * Adds one sentence to `faults` for each thing that is wrong with `value`, which stands at `path`.
 * Without a path (`null`) only their number means something: most values are as they should be, and
 * naming the places of all would take most of the time.
 */
export type Check = (value: unknown, path: string | null, faults: string[]) => void;

/** A check that one test decides. */
export function check(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, path, faults) => {
    if (!holds(value)) faults.push(`${path} must be ${expected}, not ${shown(value)}.`);
  };
}

/** Any string. */
export const string: Check = check('a string', (value) => typeof value === 'string');

/** A string with at least one character. */
export const filledString: Check = check(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

/** One of a few strings. */
export function oneOf(values: readonly string[]): Check {
  return check(`one of ${values.join(', ')}`, (value) => values.includes(value as string));
}

/** What passes `entry`, or `null`. */
export function orNull(entry: Check): Check {
  return (value, path, faults) => {
    if (value !== null) entry(value, path, faults);
  };
}

/** A list, each entry of which passes `entry`. */
export function listOf(entry: Check): Check {
  return (value, path, faults) => {
    if (!Array.isArray(value)) faults.push(`${path} must be a list, not ${shown(value)}.`);
    else value.forEach((item, index) => void checkItem(entry, item, [path, index], faults));
  };
}

function checkItem(
  entry: Check,
  item: unknown,
  [path, index]: readonly [path: string | null, index: number],
  faults: string[],
): void {
  const found: string[] = path === null ? faults : [];
  entry(item, null, found);
  if (path !== null && found.length > 0) entry(item, `${path}[${index}]`, faults);
}

/** A list as {@link listOf} with at least one entry. */
export function filledListOf(entry: Check): Check {
  const list = listOf(entry);
  return (value, path, faults) => {
    list(value, path, faults);
    if (Array.isArray(value) && value.length === 0) faults.push(`${path} must not be empty.`);
  };
}

/** An object whose fields pass their checks; fields that are not named here are passed over. */
export function object(fields: Record<string, Check>, required: readonly string[]): Check {
  const checks = Object.entries(fields);
  return (value, path, faults) => {
    if (!isObject(value)) {
      faults.push(`${path || 'The body'} must be an object, not ${shown(value)}.`);
      return;
    }
    for (const [name, checkField] of checks) {
      const fieldPath = pathOf(path, name);
      if (value[name] !== undefined) checkField(value[name], fieldPath, faults);
      else if (required.includes(name)) faults.push(`${fieldPath} is missing.`);
    }
  };
}

function pathOf(path: string | null, name: string): string | null {
  if (path === null) return null;
  return path === '' ? name : `${path}.${name}`;
}

/** A value as JSON, shortened to what fits into a sentence. */
export function shown(value: unknown): string {
  try {
    const json = JSON.stringify(value) ?? 'nothing';
    return json.length > 60 ? `${json.slice(0, 59)}…` : json;
  } catch {
    // The stack ends before it does.
    return 'something nested this deep';
  }
}
