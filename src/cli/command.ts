/** Commands as data. */
import type { OptionTable } from '../model/options.js';
import type { OptionValues } from './options/flags.js';

export interface Command {
  /** Name and arguments, for people: `import <input..>`. */
  readonly usage: string;
  readonly describe: string;
  readonly positionals: OptionTable;
  readonly options: OptionTable;
  /** Pairs of options that exclude each other. */
  readonly conflicts: readonly (readonly [string, string])[];
  /** Arguments of example calls. `RUN` stands for the id of a run. */
  readonly examples: readonly string[];
  /** @returns the exit status */
  readonly run: (args: object) => Promise<number>;
}

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
    readonly run: (args: OptionValues<Options> & OptionValues<Positionals>) => Promise<number>;
  };

/** Defines a command. Its `run` gets the option values by their names in the table. */
export function defineCommand<
  const Options extends OptionTable = Record<never, never>,
  const Positionals extends OptionTable = Record<never, never>,
>({ run, ...settings }: CommandSettings<Options, Positionals>): Command {
  return {
    positionals: {},
    options: {},
    conflicts: [],
    ...settings,
    run: (args) => run(args as OptionValues<Options> & OptionValues<Positionals>),
  };
}

export function commandName({ usage }: Pick<Command, 'usage'>): string {
  return usage.split(' ', 1)[0] ?? '';
}
