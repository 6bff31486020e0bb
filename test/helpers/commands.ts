import { commandName } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/command-line.js';

/** A command or a group: the words that name it, and its examples. */
export interface NamedCommand {
  readonly words: readonly string[];
  readonly describe: string;
  readonly examples: readonly string[];
}

/** All commands, the groups and what is in them. */
export const ALL_COMMANDS: readonly NamedCommand[] = COMMANDS.flatMap((command) => {
  const name = commandName(command);
  const inside = 'commands' in command ? command.commands : [];
  return [
    { ...command, words: [name] },
    ...inside.map((one) => ({ ...one, words: [name, commandName(one)] })),
  ];
});

/** The examples of a command, by its words: `runs cancel`. */
export function examplesOf(words: string): readonly string[] {
  return ALL_COMMANDS.find((command) => command.words.join(' ') === words)?.examples ?? [];
}
