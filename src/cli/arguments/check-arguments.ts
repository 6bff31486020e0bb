/** What yargs does with arguments that nobody means, undone or refused. */
import { OptionError } from '../../model/errors.js';
import { REPEATABLE } from '../options/values.js';

/** yargs drops a positional `-`, so that it travels under another name. */
const DASH = '\u0000-';

/** An argument as yargs passes it on. */
export function shieldDash(arg: string): string {
  return arg === '-' ? DASH : arg;
}

/**
 * Gives arguments the `-` back that stood in their line.
 * @param args as yargs read them
 * @param written as they were written
 * @throws OptionError for an option that comes twice, and for a number that is none
 */
export function checkArguments(args: Record<string, unknown>, written: readonly string[]): void {
  for (const [name, value] of Object.entries(args)) {
    if (value === DASH) args[name] = '-';
    else if (Array.isArray(value)) args[name] = value.map((item) => (item === DASH ? '-' : item));
  }
  refuseRepeats(args);
  for (const [index, arg] of written.entries()) refuseNoNumber(args, arg, written[index + 1]);
}

/** Positionals that are lists, under both names that yargs gives them. */
const POSITIONAL_LISTS = ['_', 'input', 'file', 'search-id', 'searchId'];

/** But for those that are meant to, an option that comes twice is a slip. */
function refuseRepeats(args: Readonly<Record<string, unknown>>): void {
  const lists = new Set([...POSITIONAL_LISTS, ...REPEATABLE]);
  const repeated = Object.keys(args).find((name) => !lists.has(name) && Array.isArray(args[name]));
  if (repeated === undefined) return;
  const flag = repeated.length === 1 ? `-${repeated}` : `--${repeated}`;
  throw new OptionError(`${flag} is given more than once: leave one.`);
}

/** Options that may be fractions of a second, a day, a request or a size. */
const FRACTIONS = [
  ...['rate', 'timeout', 'max-outage', 'settle-time', 'quiet-time', 'interval'],
  ...['max-expansion', 'older-than'],
];

/** yargs makes of `two` a number that is none, of nothing at all 0, and keeps neither. */
function refuseNoNumber(
  args: Readonly<Record<string, unknown>>,
  arg: string,
  next: string | undefined,
): void {
  const [flag = '', value = next ?? ''] = arg.split(/=(.*)/s);
  const name = /^--?(?=\D)/.test(flag) ? flag.replace(/^--?/, '') : '';
  const number = args[name];
  if (typeof number !== 'number' || !(Number.isNaN(number) || value.trim() === '')) return;
  const expected = FRACTIONS.includes(name) ? 'a number' : 'a whole number';
  throw new OptionError(`${flag} is ${JSON.stringify(value)}; expected ${expected}.`);
}
