import type { Argv, InferredOptionTypes, Options } from 'yargs';

/** A command but for its name and description, which stand in the list of commands. */
export interface Command {
  /** Adds its arguments to a parser. */
  readonly build: (argv: Argv) => Argv;
  /** Does it, with arguments as that parser reads them; gives the exit status. */
  readonly run: (args: object) => Promise<number>;
}

/** Short names of the flags that every command has. */
export const ALIASES = { h: 'help', v: 'version' } as const;

/** Most characters in a line of a help. */
export function helpWidth(): number {
  return Math.min(100, process.stdout.columns ?? 100);
}

/** A command of a group. */
export interface GroupedCommand extends Command {
  readonly name: string;
  /** What follows the name, as yargs writes it. */
  readonly positionals?: string;
  readonly describe: string;
}

/** What follows a command's name, taken apart; the last may be a list, of all words from there on. */
export function positionalsOf(positionals = ''): readonly Positional[] {
  return Array.from(positionals.matchAll(/<([\w-]+)(\.\.)?>/g), ([, name = '', dots]) => ({
    name,
    isList: dots !== undefined,
  }));
}

interface Positional {
  readonly name: string;
  readonly isList: boolean;
}

/** A command whose arguments are of the types that yargs infers from how they are built. */
export function defineCommand<Arguments extends object>(
  build: (argv: Argv) => Argv<Arguments>,
  run: (args: Arguments) => Promise<number>,
): Command {
  return { build, run: (args) => run(args as Arguments) };
}

/** Adds options to a command, under a headline of their own. */
export function withGroup<Before, Added extends Readonly<Record<string, Options>>>(
  argv: Argv<Before>,
  headline: string,
  options: Added,
): Argv<With<Before, InferredOptionTypes<Added>>> {
  return argv.options(options).group(Object.keys(options), headline);
}

/** Arguments with further ones. */
export type With<Before, Added> = Omit<Before, keyof Added> & Added;
