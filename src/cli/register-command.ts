/** Registers commands in yargs. */
import type { CommandModule } from 'yargs';
import { OptionError } from '../model/errors.js';
import type { OptionTable } from '../model/options.js';
import type { JobOptions } from '../operations/jobs.js';
import { type Command, type CommandGroup, nameOf } from './command.js';
import { GROUPS, groupOf, withHelp } from './help.js';
import {
  isEmpty,
  type OptionValues,
  readFlags,
  writtenValues,
  yargsOption,
  yargsPositional,
} from './options/flags.js';
import { monitoringsHint, usageError } from './usage-error.js';

/**
 * Converts a command or a group to a module of yargs.
 * @param group names before the command's own
 * @param job options that apply unless the command line has them
 */
export function toYargsModule(
  command: Command | CommandGroup,
  group: readonly string[] = [],
  job: JobOptions = {},
): CommandModule {
  const path = [...group, nameOf(command)];
  const { usage, describe, examples } = command;
  if (!('commands' in command)) {
    const { input } = job;
    // yargs would demand the inputs that the job has.
    const syntax = input === undefined ? usage : usage.replace('<input..>', '[input..]');
    return { command: syntax, describe, ...runnable(command, path, job) };
  }
  const names = command.commands.map(nameOf);
  return {
    command: usage,
    describe: `${describe}: ${names.join(', ')}`,
    builder: (argv) =>
      withHelp(argv, { usage: [...path, '<command>'].join(' '), describe, examples })
        .command(command.commands.map((one) => toYargsModule(one, path)))
        .demandCommand(1, `Name one of its commands: ${names.join(', ')}.`)
        .fail((message, error) => {
          const given = argv.parsed ? argv.parsed.argv : {};
          throw usageError(message, error, { path, usage: path.join(' '), given });
        }),
    handler: () => {},
  };
}

function runnable(
  command: Command,
  path: readonly string[],
  job: JobOptions,
): Pick<CommandModule, 'builder' | 'handler'> {
  const { options, positionals, conflicts, describe, examples, run } = command;
  const usage = [...path.slice(0, -1), command.usage].join(' ');
  return {
    builder: (argv) => {
      for (const group of GROUPS) argv.group([], group);
      for (const [name, entry] of Object.entries(positionals)) {
        argv.positional(name, yargsPositional(entry));
      }
      for (const entry of Object.values(options)) {
        if (entry.flag === undefined) continue;
        const demand = entry.flag in job ? { demandOption: false } : {};
        argv.option(entry.flag, { ...yargsOption(entry), ...demand, group: groupOf(entry) });
      }
      for (const [one, other] of conflicts) argv.conflicts(one, other);
      return withHelp(argv, { usage, describe, examples }).fail((message, error) => {
        const given = argv.parsed ? argv.parsed.argv : {};
        throw usageError(message, error, { path, usage, command, given, job });
      });
    },
    handler: async (parsed) => {
      const values = readValues(options, { ...writtenValues(options, job), ...parsed });
      const named = Object.keys(positionals).map((name) => [
        name,
        isEmpty(parsed[name]) ? (job[name] ?? parsed[name]) : parsed[name],
      ]);
      try {
        process.exitCode = await run({ ...values, ...Object.fromEntries(named) });
      } catch (error) {
        throw error instanceof OptionError ? withFlag(error, options) : error;
      }
    },
  };
}

/** @throws OptionError; for an invalid monitoring, with the command that lists them */
function readValues(
  options: OptionTable,
  parsed: Readonly<Record<string, unknown>>,
): OptionValues<OptionTable> {
  try {
    return readFlags(options, parsed);
  } catch (error) {
    const isOfMonitoring = error instanceof OptionError && /^--monitorings? is/.test(error.message);
    throw isOfMonitoring ? new OptionError(`${error.message}\n${monitoringsHint(parsed)}`) : error;
  }
}

/** Names an option as it was typed: the library's checks know it by the library's name. */
function withFlag(error: OptionError, options: OptionTable): OptionError {
  error.message = error.message.replace(/^\w+(?= is )/, (name) => {
    const flag = options[name]?.flag;
    return flag === undefined ? name : `--${flag}`;
  });
  return error;
}
