/** Commands as data, and how yargs is given them. */
import type { Argv, CommandModule } from 'yargs';
import type { OptionTable } from '../model/options.js';
import { type Given, readFlags, yargsOption, yargsPositional } from './options/flags.js';
import { usageError } from './usage-error.js';

/** A command of the command line. */
export interface Command {
  /** Its name and positional arguments, as yargs writes them: `import <input..>`. */
  readonly usage: string;
  readonly describe: string;
  readonly positionals: OptionTable;
  readonly options: OptionTable;
  /** Pairs of options that exclude each other. */
  readonly conflicts: readonly (readonly [string, string])[];
  /** What follows the program's name. `RUN` stands for the id of a run. */
  readonly examples: readonly string[];
  /** @returns the exit status */
  readonly run: (args: object) => Promise<number>;
}

/** Commands with a name in common: `runs list`, `runs show`. */
export interface CommandGroup {
  readonly usage: string;
  readonly describe: string;
  readonly examples: readonly string[];
  readonly commands: readonly Command[];
}

type CommandSettings<Options extends OptionTable, Positionals extends OptionTable> = Pick<
  Command,
  'usage' | 'describe' | 'examples'
> &
  Partial<Pick<Command, 'conflicts'>> & {
    readonly positionals?: Positionals;
    readonly options?: Options;
    readonly run: (args: Given<Options> & Given<Positionals>) => Promise<number>;
  };

/** A command that is run with the values of its options, by their names in the table. */
export function defineCommand<
  const Options extends OptionTable = Record<never, never>,
  const Positionals extends OptionTable = Record<never, never>,
>({ run, ...settings }: CommandSettings<Options, Positionals>): Command {
  return {
    ...{ positionals: {}, options: {}, conflicts: [] },
    ...settings,
    run: (args) => run(args as Given<Options> & Given<Positionals>),
  };
}

/** The first word of a command's usage. */
export function nameOf({ usage }: Pick<Command, 'usage'>): string {
  return usage.split(' ', 1)[0] ?? '';
}

/**
 * A command or a group as a module of yargs.
 * @param group names before the command's own
 */
export function toModule(
  command: Command | CommandGroup,
  group: readonly string[] = [],
): CommandModule {
  const path = [...group, nameOf(command)];
  const { usage, describe, examples } = command;
  if (!('commands' in command)) return { command: usage, describe, ...runnable(command, path) };
  const names = command.commands.map(nameOf);
  return {
    command: usage,
    describe: `${describe}: ${names.join(', ')}`,
    builder: (argv) =>
      withExamples(argv, examples)
        .command(command.commands.map((one) => toModule(one, path)))
        .demandCommand(1, `Name one of its commands: ${names.join(', ')}.`)
        .fail((message, error) => {
          throw usageError(message ?? error?.message, error, { path, usage: path.join(' ') });
        }),
    handler: () => {},
  };
}

function runnable(
  command: Command,
  path: readonly string[],
): Pick<CommandModule, 'builder' | 'handler'> {
  const { options, positionals, conflicts, examples, run } = command;
  const usage = [...path.slice(0, -1), command.usage].join(' ');
  return {
    builder: (argv) => {
      for (const [name, entry] of Object.entries(positionals)) {
        argv.positional(name, yargsPositional(entry));
      }
      for (const entry of Object.values(options)) {
        if (entry.flag !== undefined) argv.option(entry.flag, yargsOption(entry));
      }
      for (const [one, other] of conflicts) argv.conflicts(one, other);
      return withExamples(argv, examples).fail((message, error) => {
        throw usageError(message, error, {
          path,
          usage,
          options,
          positionals,
          parsed: argv.parsed,
        });
      });
    },
    handler: async (parsed) => {
      const named = Object.keys(positionals).map((name) => [name, parsed[name]] as const);
      process.exitCode = await run({ ...readFlags(options, parsed), ...Object.fromEntries(named) });
    },
  };
}

function withExamples(argv: Argv, examples: readonly string[]): Argv {
  return argv.example(examples.map((line): [string, string] => [`$0 ${line}`, '']));
}
