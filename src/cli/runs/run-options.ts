import { existsSync } from 'node:fs';
import path from 'node:path';
import { ResumeError } from '../../model/errors.js';
import type { ImportOptions } from '../../operations/options.js';
import { readDescription } from '../../operations/runs/list-runs.js';
import {
  givenServiceFlags,
  SANDBOX_SERVICE,
  type ServiceArguments,
  sandboxData,
  stateDirOf,
  stateOf,
} from '../options/connection.js';

/**
 * Loads the options that a run was started with, except the connection. Its paths are made relative
 * to the working folder.
 * @throws ResumeError if the run doesn't exist, or can't be resumed from its files alone
 */
export async function loadRunOptions(
  stateDir: string,
  run: string,
): Promise<Omit<ImportOptions, 'connection'>> {
  const description = await readDescription(stateDir, run);
  const { folder, input, ...options } = description.options as unknown as GivenOptions;
  if (input === null) {
    throw new ResumeError(
      `The run ${run} was started by a program that passed its records directly: only that program can resume it.`,
    );
  }
  if (options.mapping === undefined) {
    throw new ResumeError(
      `The run ${run} was started by a program that maps records with its own function: only that program can resume it.`,
    );
  }
  const fromHere = (given: string): string =>
    folder === process.cwd() ? given : path.relative(process.cwd(), path.resolve(folder, given));
  const paths = (
    ['mapping', 'schema', 'rejects', 'reportFile', 'htmlFile', 'eventsFile'] as const
  ).flatMap((name) => {
    const given = options[name];
    // Not a file: the records are documents already.
    if (name === 'mapping' && given === 'documents') return [];
    return typeof given === 'string' ? [[name, fromHere(given)] as const] : [];
  });
  return {
    ...options,
    ...Object.fromEntries(paths),
    input: input.map((given) => (given === '-' ? given : fromHere(given))),
  };
}

interface GivenOptions extends Omit<ImportOptions, 'connection' | 'input'> {
  readonly folder: string;
  readonly input: readonly string[] | null;
}

/**
 * Adds `--sandbox` to the arguments of a command on a stored run, if the run went to the embedded
 * sandbox and no other service is named.
 * @throws ResumeError if the run doesn't exist
 */
export async function withRunService<Arguments extends ServiceArguments>(
  args: Arguments,
  run: string,
): Promise<Arguments> {
  const { target } = await readDescription(stateOf(args), run);
  const isSandbox = target.service === SANDBOX_SERVICE && existsSync(sandboxData(stateDirOf(args)));
  return isSandbox && givenServiceFlags(args).length === 0 ? { ...args, sandbox: true } : args;
}
