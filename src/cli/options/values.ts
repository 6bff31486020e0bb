import { OptionError } from '../../model/errors.js';

/** Reads an id as a person writes it. @throws OptionError that names it */
export function parseId(name: string, text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id) && id >= 1) return id;
  throw new OptionError(`${name} is "${text}"; expected an id, a whole number of at least 1.`);
}

/** Options without those that are undefined. */
export function omitUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };
}
