import { Refusal } from '../refusal.js';
import { shown } from './checks.js';
import { ExpressionError } from './expression.js';

/** Reads a parameter's text; `null` if it can't be used, or an {@link ExpressionError} that says why. */
export type Reader<T> = (text: string) => T | null;

/** The parameters of one call, with a sentence for each that can't be used. */
export interface Parameters {
  readonly faults: string[];
  /** The parameter's value; `undefined` if it is not given or can't be used. */
  read<T>(name: string, expected: string, reader: Reader<T>): T | undefined;
}

/** Checks the names of a call's parameters: none missing, unknown or repeated. */
export function readParameters(
  given: URLSearchParams,
  required: readonly string[],
  optional: readonly string[],
): Parameters {
  const faults = checkNames(given, required, optional);
  return {
    faults,
    read: (name, expected, reader) => {
      const text = given.get(name);
      if (text === null) return undefined;
      try {
        const value = reader(text);
        if (value !== null) return value;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        faults.push(`${name} ${error.message}.`);
      }
      faults.push(`${name} must be ${expected}, not ${shown(text)}.`);
      return undefined;
    },
  };
}

function checkNames(
  given: URLSearchParams,
  required: readonly string[],
  optional: readonly string[],
): string[] {
  const faults = required.filter((name) => !given.has(name)).map((name) => `${name} is missing.`);
  for (const name of new Set(given.keys())) {
    const known = required.includes(name) || optional.includes(name);
    if (!known) faults.push(`${name.slice(0, 40)} is not a known parameter.`);
    else if (given.getAll(name).length > 1) faults.push(`${name} is given more than once.`);
  }
  return faults;
}

/** Refuses the call if anything is wrong with its parameters. */
export function refuseFaults({ faults }: Parameters): void {
  if (faults.length > 0) throw new Refusal('invalid', faults);
}

/** How many to skip. */
export function readOffset(parameters: Parameters): number {
  const whole = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
  return parameters.read('offset', 'a whole number of at least 0', whole) ?? 0;
}

/** A positive whole number in plain decimal digits; `null` for anything else. */
export function readId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
