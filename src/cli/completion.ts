/** What Tab offers: yargs knows commands and flags; values of flags and arguments are found here. */

import type { OptionEntry } from '../model/options.js';
import { type Command, type CommandGroup, nameOf } from './command.js';
import { sharedState, stateDirOf } from './options/connection.js';

/**
 * Completes the word being typed. An empty list leaves it to the shell, which completes files.
 * @returns `undefined` where a command or a flag may come, which yargs completes
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
    const values = await offeredBy(flagNamed(command, inWord), before);
    return values.map((value) => `--${inWord}=${value}`);
  }
  if (current.startsWith('-')) return undefined;
  const last = /^--?([\w-]+)$/.exec(before.at(-1) ?? '')?.[1];
  const flag = last === undefined ? undefined : flagNamed(command, last);
  if (flag !== undefined && flag.type !== 'boolean') return await offeredBy(flag, before);
  const [positional] = Object.values(command.positionals);
  return positional === undefined ? undefined : await offeredBy(positional, before);
}

function findCommand(commands: Commands, [first, second]: readonly string[]): Command | undefined {
  const found = commands.find((command) => nameOf(command) === first);
  if (found === undefined || !('commands' in found)) return found;
  return found.commands.find((command) => nameOf(command) === second);
}

function flagNamed({ options }: Command, name: string): OptionEntry | undefined {
  return Object.values(options).find(({ flag, short }) => flag === name || short === name);
}

async function offeredBy(
  entry: OptionEntry | undefined,
  typed: readonly string[],
): Promise<readonly string[]> {
  if (entry?.choices !== undefined) return entry.choices;
  if (entry?.offers === 'runs') return await runs(typed);
  if (entry?.offers === 'mappings') {
    const { readyMappings } = await import('../operations/mappings.js');
    return readyMappings().map(({ name }) => name);
  }
  return [];
}

/** The latest first. A shared state isn't asked: a database may take long to answer. */
async function runs(typed: readonly string[]): Promise<readonly string[]> {
  const stateDir = typed[typed.indexOf('--state-dir') + 1];
  const isShared = typed.includes('--state') || sharedState({}) !== undefined;
  if (isShared) return [];
  const { runIdsIn } = await import('../operations/runs/show-runs.js');
  const ids = runIdsIn(typed.includes('--state-dir') && stateDir ? stateDir : stateDirOf({}));
  return ids.toReversed().filter((id) => /^\w[\w.-]*$/.test(id));
}
