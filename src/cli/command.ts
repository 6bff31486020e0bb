import type { Argv, InferredOptionTypes, Options } from 'yargs';

/** A command but for its name and description, which stand in the list of commands. */
export interface Command {
  /** Adds its arguments to a parser. */
  readonly build: (argv: Argv) => Argv;
  /** Does it, with arguments as that parser reads them; gives the exit status. */
  readonly run: (args: object) => Promise<number>;
}

/** A command of a group. */
export interface GroupedCommand extends Command {
  readonly name: string;
  /** What follows the name, as yargs writes it. */
  readonly positionals?: string;
  readonly describe: string;
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
