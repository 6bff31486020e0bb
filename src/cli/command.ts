/** Commands as data, how yargs is given them, and what is wrong with a command line. */
import type { Argv, CommandModule } from 'yargs';
import { nearestName, OptionError } from '../model/errors.js';
import type { OptionTable } from '../model/options.js';
import { SOURCE_OPTIONS } from '../operations/options.js';
import { type Given, readFlags, yargsOption, yargsPositional } from './options/flags.js';
import { programName } from './print.js';

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
          throw usageError(message, error, { path, usage: path.join(' ') });
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
        const given = argv.parsed ? argv.parsed.argv : {};
        throw usageError(message, error, { path, usage, command, given });
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

/** yargs' sentences, by their keys in its locales; a pair is for one thing and for several. */
export const SENTENCES = {
  'Not enough non-option arguments: got %s, need at least %s': {
    one: 'An argument is missing (%s of at least %s)',
    other: 'An argument is missing (%s of at least %s)',
  },
  'Missing required argument: %s': {
    one: 'Missing: %s',
    other: 'Missing: %s',
  },
  'Unknown argument: %s': { one: 'Unexpected argument: %s', other: 'Unexpected arguments: %s' },
  'Unknown command: %s': {
    one: 'There is no command "%s".',
    other: 'There are no commands "%s".',
  },
  'Did you mean %s?': 'There is no such command, did you mean "%s"?',
  'Not enough arguments following: %s': 'The option %s needs a value',
  'Arguments %s and %s are mutually exclusive': "--%s and --%s can't go together: leave one",
  'Invalid values:': 'Wrong value:',
  'Argument: %s, Given: %s, Choices: %s': '--%s is %s; expected one of %s',
};

/** The command that a line names, as far as it names one, and the values that it gives. */
interface UsageContext {
  readonly path: readonly string[];
  readonly usage: string;
  readonly command?: Command;
  readonly given?: Readonly<Record<string, unknown>>;
}

/**
 * The error for a line that yargs refuses. An unknown flag goes first: it may be the typo because of
 * which something else is missing.
 * @param error what a command threw goes on unchanged; yargs' own errors have a name of their own
 */
export function usageError(
  message: string | undefined,
  error: Error | undefined,
  { path, usage, command, given = {} }: UsageContext,
): Error {
  if (error !== undefined && error.name !== 'YError') return error;
  const sentence =
    (command && unknownFlag(command, given)) ??
    (command && message?.startsWith('Missing:') ? missingOptions(command, given) : undefined) ??
    message ??
    error?.message;
  const help = [programName(), ...path, '--help'].join(' ');
  return new OptionError(`${sentence}\nUsage: ${programName()} ${usage} (more: ${help})`);
}

/** A sentence for all options that must be given and aren't. */
function missingOptions(
  { options }: Command,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = Object.values(options).flatMap(({ flag, required }) =>
    required && flag !== undefined && given[flag] === undefined ? [`--${flag}`] : [],
  );
  if (missing.length === 0) return undefined;
  const are = missing.length === 1 ? 'An option is' : 'Options are';
  return `${are} missing: ${missing.join(', ')}`;
}

/** What people write for the key itself, which is never an argument: others could read it there. */
const KEYS = /^(api-?key|key|password|pass|secret|token)$/i;

/** A sentence for the first flag that the command doesn't have. Values are never shown. */
function unknownFlag(
  { options, positionals }: Command,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const flags = Object.values(options).flatMap(({ flag }) => flag ?? []);
  const letters = Object.values(options).flatMap(({ short }) => short ?? []);
  const known = [...flags, ...letters, ...Object.keys(positionals), ...EVERYWHERE];
  const isKnown = (name: string): boolean =>
    known.some((one) => one === name || camelCase(one) === name);
  const unknown = Object.keys(given).find((name) => !isKnown(name));
  if (unknown === undefined) return undefined;
  if (KEYS.test(unknown)) {
    return `There is no option --${unknown}. A key is never an argument, where others could read it: name a file that holds it with --api-key-file, or set DOCFERRY_API_KEY.`;
  }
  const key = Object.keys(SOURCE_OPTIONS).find((name) => name === camelCase(unknown));
  if (key !== undefined && flags.includes('mapping')) {
    return `There is no option --${unknown}: state ${key} under input in the mapping.`;
  }
  const isNegated = given[unknown] === false;
  const dashes = isNegated ? '--no-' : unknown.length === 1 ? '-' : '--';
  const nearest = nearestName(unknown, flags);
  const suggestion =
    nearest === undefined ? '.' : `, did you mean ${isNegated ? dashes : '--'}${nearest}?`;
  return `There is no option ${dashes}${unknown}${suggestion}`;
}

const EVERYWHERE = ['_', '--', '$0', 'help', 'h', 'version', 'v'];

function camelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
