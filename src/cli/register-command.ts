/** Registers commands in yargs. */
import type { CommandModule } from 'yargs';
import { OptionError } from '../model/errors.js';
import type { OptionTable } from '../model/options.js';
import type { JobOptions } from '../operations/jobs.js';
import { type Command, type CommandGroup, commandName } from './command.js';
import { GROUPS, helpGroup, withHelp } from './help.js';
import { checkFiles } from './options/files.js';
import { readFlags, writtenValues, yargsOption } from './options/flags.js';
import { refuseMissing, usageError } from './usage-error.js';

/**
 * Converts a command or a group to a module of yargs.
 * @param args the command line
 * @param group names before the command's own
 */
export function toYargsModule(
  command: Command | CommandGroup,
  args: readonly string[],
  group: readonly string[] = [],
): CommandModule {
  const name = commandName(command);
  const path = [...group, name];
  const { describe, examples } = command;
  if (!('commands' in command)) {
    return { command: name, describe, ...runnable(command, path, args) };
  }
  const names = command.commands.map(commandName);
  return {
    command: name,
    describe: `${describe}: ${names.join(', ')}`,
    builder: (argv) =>
      withHelp(argv, { usage: [...path, '<command>'].join(' '), describe, examples })
        .command(command.commands.map((one) => toYargsModule(one, args, path)))
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
  args: readonly string[],
): Pick<CommandModule, 'builder' | 'handler'> {
  const { options, positionals, conflicts, describe, examples, run } = command;
  const usage = [...path.slice(0, -1), command.usage].join(' ');
  // yargs formats the help of each command that it runs, which takes a tenth of the start.
  const hidden = !readsOptions(args);
  return {
    builder: (argv) => {
      for (const group of GROUPS) argv.group([], group);
      for (const entry of Object.values(options)) {
        if (entry.flag === undefined) continue;
        argv.option(entry.flag, { ...yargsOption(entry), group: helpGroup(entry), hidden });
      }
      for (const [one, other] of conflicts) argv.conflicts(one, other);
      return withHelp(argv, { usage, describe, examples }, positionals)
        .strictCommands(false)
        .fail((message, error) => {
          const given = argv.parsed ? argv.parsed.argv : {};
          throw usageError(message, error, { path, usage, command, given });
        });
    },
    handler: async (parsed) => {
      checkSwitches(options, args);
      const job = await readJobOptions(options, parsed);
      const words = parsed._.slice(path.length).map(String);
      const { named, extra } = readArguments(positionals, words, job);
      const flags = { ...writtenValues(options, job), ...parsed };
      if (extra !== undefined) {
        throw usageError(`Unexpected argument: ${extra}`, undefined, { path, usage });
      }
      refuseMissing(command, path, { ...flags, ...named });
      const values = readFlags(options, flags);
      try {
        checkFiles(options, values, job);
        process.exitCode = await run({ ...values, ...named });
      } catch (error) {
        throw error instanceof OptionError ? withFlag(error, options) : error;
      }
    },
  };
}

/** Returns whether a command line needs the descriptions of options: for help, or for completion. */
function readsOptions(args: readonly string[]): boolean {
  return args.some((word) => /^(help|-h|--help(=.*)?|--get-yargs-completions)$/.test(word));
}

/** Reads the options of the job that a command line names, if any. It overrides them. */
async function readJobOptions(
  options: OptionTable,
  parsed: Readonly<Record<string, unknown>>,
): Promise<JobOptions> {
  const { job } = options;
  const { job: name } = job === undefined ? {} : readFlags({ job }, parsed);
  if (typeof name !== 'string') return {};
  const { readJob } = await import('../operations/jobs.js');
  return readJob(name).options;
}

/**
 * Reads a command's arguments from the words that aren't flags. yargs would read them a second time,
 * and drop a `-` and what begins with one.
 * @returns the arguments by name, and the first word too many
 */
function readArguments(
  positionals: OptionTable,
  words: readonly string[],
  job: JobOptions,
): { readonly named: Readonly<Record<string, unknown>>; readonly extra: string | undefined } {
  const left = [...words];
  const entries = Object.entries(positionals).map(([name, { repeatable }]) => {
    if (left.length === 0) return [name, job[name]];
    return [name, repeatable ? left.splice(0) : left.shift()];
  });
  return { named: Object.fromEntries(entries), extra: left[0] };
}

/** @throws OptionError for a switch with a value other than `true` or `false`, which yargs takes for `false` */
function checkSwitches(options: OptionTable, argv: readonly string[]): void {
  const end = argv.indexOf('--');
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    const [, flag, value = ''] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(word) ?? [];
    const isSwitch = Object.values(options).some(
      (one) => one.flag === flag && one.type === 'boolean',
    );
    if (flag === undefined || !isSwitch || /^(?:true|false)$/.test(value)) continue;
    throw new OptionError(
      `--${flag} takes no value, but is given as ${JSON.stringify(value)}: give --${flag} alone, or leave it out.`,
    );
  }
}

/** Names an option as it was typed, where the library has checked it. */
function withFlag(error: OptionError, options: OptionTable): OptionError {
  const { option = '', predicate = '' } = error;
  const flag = options[option]?.flag;
  return flag === undefined ? error : OptionError.of(`--${flag}`, predicate);
}
