/** What a program may name in an object of options: whatever else stands there is a slip. */
import { OptionError } from './errors.js';
import { didYouMean } from './nearest-name.js';

/** All names that an object of options may have: the type checker sees to it that none is left out. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Refuses an option that doesn't exist: passed over, it would be believed to work.
 * @param of whose options they are, as in `importDocuments`
 * @throws OptionError that names the nearest option
 */
export function checkNames(
  given: unknown,
  known: Readonly<Record<string, true>>,
  of: string,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new OptionError(`The options of ${of} are ${kindOf(given)}; expected an object.`);
  }
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, names) || `; expected ${names.join(', ')}.`;
  throw new OptionError(`${of} has no option ${JSON.stringify(unknown)}${hint}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
