/** What yargs does with arguments that nobody means, undone or refused. */
import { OptionError } from '../../model/errors.js';
import { REPEATABLE } from '../options/values.js';

/** Marks words that yargs would drop or take for flags. */
const SHIELD = '\u0000';

/** Words so that yargs takes them for positionals: a `-`, and all that stand behind a `--`. */
export function shieldPositionals(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const behind = end < 0 ? [] : words.slice(end + 1);
  return [
    ...before.map((word) => (word === '-' ? `${SHIELD}-` : word)),
    ...behind.map((word) => (word.startsWith('-') ? `${SHIELD}${word}` : word)),
  ];
}

function unshield(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(SHIELD) ? value.slice(1) : value;
}

/**
 * Gives arguments the words back that were shielded.
 * @param args as yargs read them
 * @param written as they were written
 * @throws OptionError for an option that comes twice, and for a number that is none
 */
export function checkArguments(args: Record<string, unknown>, written: readonly string[]): void {
  for (const [name, value] of Object.entries(args)) {
    args[name] = Array.isArray(value) ? value.map(unshield) : unshield(value);
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
