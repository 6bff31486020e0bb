import { OptionError } from '../model/errors.js';

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
