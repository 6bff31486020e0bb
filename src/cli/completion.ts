/** Completion of values of flags and arguments; yargs completes commands and flags. */

import type { OptionEntry } from '../model/options.js';
import { type Command, type CommandGroup, nameOf } from './command.js';
import { sharedState, stateDirOf } from './options/connection.js';

/**
 * Completes the word being typed. With an empty list, the shell completes files.
 * @returns `undefined` for commands and flags, which yargs completes
 */
export async function completeValue(
  commands: Commands,
  current: string,
): Promise<string[] | undefined> {
  // The shells' scripts pass a flag of yargs and the name, then what is typed. bash separates the words of
  // `--flag=value` at the equals sign.
  const typed = process.argv.slice(4).filter((word) => word !== '=');
  const values = await valuesFor(commands, typed.slice(0, -1), current);
  return values?.filter((value) => value.startsWith(current));
}

type Commands = readonly (Command | CommandGroup)[];

async function valuesFor(
  commands: Commands,
  before: readonly string[],
  current: string,
): Promise<readonly string[] | undefined> {
  const command = findCommand(commands, before);
  if (command === undefined) return undefined;
  const [, inWord] = /^--([\w-]+)=/.exec(current) ?? [];
  if (inWord !== undefined) {
    const values = await valuesOf(flagNamed(command, inWord), before);
    return values.map((value) => `--${inWord}=${value}`);
  }
  if (current.startsWith('-')) return undefined;
  const last = /^--?([\w-]+)$/.exec(before.at(-1) ?? '')?.[1];
  const flag = last === undefined ? undefined : flagNamed(command, last);
  if (flag !== undefined && flag.type !== 'boolean') return await valuesOf(flag, before);
  const [positional] = Object.values(command.positionals);
  return positional === undefined ? undefined : await valuesOf(positional, before);
}

function findCommand(commands: Commands, [first, second]: readonly string[]): Command | undefined {
  const found = commands.find((command) => nameOf(command) === first);
  if (found === undefined || !('commands' in found)) return found;
  return found.commands.find((command) => nameOf(command) === second);
}

function flagNamed({ options }: Command, name: string): OptionEntry | undefined {
  return Object.values(options).find(({ flag, short }) => flag === name || short === name);
}

async function valuesOf(
  entry: OptionEntry | undefined,
  typed: readonly string[],
): Promise<readonly string[]> {
  if (entry?.choices !== undefined) return entry.choices;
  if (entry?.offers === 'runs') return await runIds(typed);
  if (entry?.offers === 'mappings') {
    const { readyMappings } = await import('../operations/mappings.js');
    return readyMappings().map(({ name }) => name);
  }
  if (entry?.offers === 'jobs') {
    const { readJobs } = await import('../operations/jobs.js');
    return readJobs().map(({ name }) => name);
  }
  return [];
}

/**
 * Lists run ids, the latest first; none of a shared state, because a database may take long to
 * answer.
 */
async function runIds(typed: readonly string[]): Promise<readonly string[]> {
  const stateDir = typed[typed.indexOf('--state-dir') + 1];
  const isShared = typed.includes('--state') || sharedState({}) !== undefined;
  if (isShared) return [];
  const { runIdsIn } = await import('../operations/runs/show-runs.js');
  const ids = runIdsIn(typed.includes('--state-dir') && stateDir ? stateDir : stateDirOf({}));
  return ids.toReversed().filter((id) => /^\w[\w.-]*$/.test(id));
}
