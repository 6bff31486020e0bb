/** What Tab offers: yargs knows commands and flags; values of flags and arguments are found here. */

import type { OptionEntry } from '../model/options.js';
import { type Command, nameOf } from './command.js';
import { COMMANDS } from './commands.js';
import { sharedState, stateDirOf } from './options/connection.js';

/** How the shells' scripts ask; what is typed follows. */
const ASKS = '--get-yargs-completions';

/** Whether a shell asks what to offer. */
export function isCompletion([first]: readonly string[]): boolean {
  return first === ASKS;
}

/**
 * Makes yargs answer in the form of the shell that asks or is named, whatever `$SHELL` is.
 * @returns the words that are left for yargs
 */
export function chooseShell(args: readonly string[]): readonly string[] {
  const [first, shell = ''] = args;
  // Only zsh's script exports the line.
  if (first === ASKS)
    process.env['SHELL'] = process.env['COMP_LINE'] === undefined ? 'bash' : 'zsh';
  if (first !== 'completion' || !/^(bash|zsh|fish)$/.test(shell)) return args;
  process.env['SHELL'] = shell;
  return [first, ...args.slice(2)];
}

/**
 * Completes the word being typed. An empty answer leaves it to the shell, which completes files.
 * @param byYargs completes commands and flags
 */
export async function complete(
  current: string,
  _: unknown,
  byYargs: () => void,
  done: (completions: string[]) => void,
): Promise<void> {
  // bash separates the words of `--flag=value` at the equals sign.
  const words = process.argv.slice(process.argv.indexOf(ASKS) + 2).filter((word) => word !== '=');
  const values = await valuesFor(words.slice(0, -1), current).catch(() => []);
  if (values === undefined) byYargs();
  else done(values.filter((value) => value.startsWith(current)));
}

/** The values to offer; `undefined`: a command or a flag may come. */
async function valuesFor(
  before: readonly string[],
  current: string,
): Promise<readonly string[] | undefined> {
  const command = findCommand(before);
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

function findCommand([first, second]: readonly string[]): Command | undefined {
  const found = COMMANDS.find((command) => nameOf(command) === first);
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
