import { OptionError } from '../../model/errors.js';

/** @throws OptionError unless the value is a whole number, and large enough */
export function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new OptionError(`${name} is ${value}; expected a whole number, at least ${least}.`);
}

/** Reads an id as a person writes it. @throws OptionError that names it */
export function idOf(name: string, text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id) && id >= 1) return id;
  throw new OptionError(`${name} is "${text}"; expected an id, a whole number of at least 1.`);
}

/** The options that may be given several times. yargs makes a list of them only from the second on. */
export const REPEATABLE: readonly string[] = ['search', 'parameter', 'root'];

/** Such an option as a list. */
export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** Whether a value of JSON has fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those of some options that are there: what is left out is for others to settle. */
export function given<Given extends object>(
  options: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Given]?: Exclude<Given[Name], undefined> };
}
