import { OptionError } from '../model/errors.js';
import { didYouMean } from '../model/names.js';
import type { GroupedCommand } from './command.js';
import { COMMANDS } from './commands.js';
import { programName } from './program-name.js';

/** What a command line names: a command, or only some to choose from. */
export interface Named {
  /** The words that name it, such as `runs`, `resume`. */
  readonly words: readonly string[];
  /** What is left of the line. */
  readonly rest: readonly string[];
  readonly positionals?: string | undefined;
  readonly describe: string;
  readonly command?: GroupedCommand;
  /** Without a command: those of the group that is named, or all. */
  readonly choices: readonly Choice[];
}

/** What a list of commands says of one. */
type Choice = Pick<GroupedCommand, 'name' | 'positionals' | 'describe'> & {
  readonly commands?: readonly string[];
};

/**
 * Finds the command that a line names, and loads it.
 * @throws OptionError that names the nearest command, if there is none of this name
 */
export async function findCommand(args: readonly string[]): Promise<Named> {
  const { word, rest } = takeWord(args);
  if (word === undefined) {
    const describe = 'Bring review exports into a social listening platform.';
    return { words: [], rest, positionals: '<command>', describe, choices: COMMANDS };
  }
  const entry = entryOf(COMMANDS, word, []);
  const { describe, positionals, load, loadGroup } = entry;
  if (load !== undefined) {
    const command = { ...entry, ...(await load()) };
    return { words: [word], rest, positionals, describe, command, choices: [] };
  }
  const choices = (await loadGroup?.()) ?? [];
  const next = takeWord(rest);
  if (next.word === undefined) return { words: [word], rest, describe, choices };
  const command = entryOf(choices, next.word, [word]);
  return { ...command, words: [word, next.word], rest: next.rest, command, choices: [] };
}

/** The first word of a line that is neither a flag nor the value of one, and the line without it. */
function takeWord(args: readonly string[]): {
  readonly word: string | undefined;
  readonly rest: readonly string[];
} {
  const takesValue = (arg = ''): boolean => /^--?(?!no-)[^-=][^=]*$/.test(arg);
  const at = args.findIndex((arg, index) => /^[^-]/.test(arg) && !takesValue(args[index - 1]));
  return { word: args[at], rest: at < 0 ? args : args.toSpliced(at, 1) };
}

function entryOf<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
  group: readonly string[],
): Entry {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  const given = [...group, name].join(' ');
  const names = entries.map((entry) => [...group, entry.name].join(' '));
  const meant = didYouMean(given, names) || '.';
  const help = [programName(), ...group, '--help'].join(' ');
  throw new OptionError(
    `There is no command ${JSON.stringify(given)}${meant}\n${help} lists those that there are.`,
  );
}
