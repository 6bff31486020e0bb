import { OptionError } from '../model/errors.js';
import { didYouMean } from '../model/nearest-name.js';
import { COMMANDS } from './commands.js';
import { programName } from './program-name.js';

/**
 * The words that name the command, such as `runs`, `resume`, if the line begins with them.
 * @throws OptionError that names the nearest command, if there is none of this name
 */
export function findCommand([first, second]: readonly string[]): readonly string[] {
  if (!isWord(first)) return [];
  const { commands } = COMMANDS.find(({ name }) => name === first) ?? {};
  const names = COMMANDS.map(({ name }) => name);
  if (!names.includes(first)) throw unknownCommand(first, names, []);
  if (commands === undefined || !isWord(second)) return [first];
  if (!commands.includes(second)) {
    const ofGroup = commands.map((name) => `${first} ${name}`);
    throw unknownCommand(`${first} ${second}`, ofGroup, [first]);
  }
  return [first, second];
}

/** Whether words found in a line are too few: none, or a group's alone. */
export function needsCommand([first, second]: readonly string[]): boolean {
  const entry = COMMANDS.find(({ name }) => name === first);
  return entry === undefined || (entry.commands !== undefined && second === undefined);
}

function isWord(arg: string | undefined): arg is string {
  return arg !== undefined && /^[^-]/.test(arg);
}

function unknownCommand(
  given: string,
  names: readonly string[],
  group: readonly string[],
): OptionError {
  const meant = didYouMean(given, names) || '.';
  const help = [programName(), ...group, '--help'].join(' ');
  return new OptionError(
    `There is no command ${JSON.stringify(given)}${meant}\n${help} lists those that there are.`,
  );
}
