import { existsSync } from 'node:fs';
import path from 'node:path';
import { ResumeError } from '../../model/errors.js';
import type { ImportOptions } from '../../operations/options.js';
import { describeRun } from '../../operations/runs/show-runs.js';
import {
  namedService,
  SANDBOX_SERVICE,
  type ServiceArguments,
  sandboxData,
  stateDirOf,
  stateOf,
} from '../options/connection.js';

/**
 * The options that a run was begun with, but for the connection. Its paths hold from here, too.
 * @throws ResumeError if there is no such run, or it can't be resumed from its files alone
 */
export async function optionsOfRun(
  stateDir: string,
  run: string,
): Promise<Omit<ImportOptions, 'connection'>> {
  const description = await describeRun(stateDir, run);
  if (description === undefined) {
    throw new ResumeError(
      `The run ${run} was cut off before anything was sent: there is nothing to resume. Start it again.`,
    );
  }
  const { folder, input, ...options } = description.options as unknown as GivenOptions;
  if (input === null) {
    throw new ResumeError(
      `The run ${run} was begun by a program that gave its records itself: only that program can resume it.`,
    );
  }
  if (options.mapping === undefined) {
    throw new ResumeError(
      `The run ${run} was begun by a program whose own function maps its records: only that program can resume it.`,
    );
  }
  const fromHere = (given: string): string =>
    folder === process.cwd() ? given : path.relative(process.cwd(), path.resolve(folder, given));
  const paths = (
    ['mapping', 'schema', 'rejects', 'reportFile', 'htmlFile', 'eventsFile'] as const
  ).flatMap((name) => {
    const given = options[name];
    // Records that are documents need no mapping, so this is no file.
    if (name === 'mapping' && given === 'documents') return [];
    return typeof given === 'string' ? [[name, fromHere(given)] as const] : [];
  });
  return {
    ...options,
    ...Object.fromEntries(paths),
    input: input.map((given) => (given === '-' ? given : fromHere(given))),
  };
}

/** As `givenOptions` writes them. */
interface GivenOptions extends Omit<ImportOptions, 'connection' | 'input'> {
  readonly folder: string;
  readonly input: readonly string[] | null;
}

/**
 * The arguments of a command on a run that is kept: with `--sandbox`, if it went to the embedded
 * sandbox and no other service is named. A run knows where it went.
 * @throws ResumeError if there is no such run
 */
export async function withServiceOf<Arguments extends ServiceArguments>(
  args: Arguments,
  run: string,
): Promise<Arguments> {
  const description = await describeRun(stateOf(args), run);
  const isSandbox =
    description?.target.service === SANDBOX_SERVICE && existsSync(sandboxData(stateDirOf(args)));
  return isSandbox && namedService(args).length === 0 ? { ...args, sandbox: true } : args;
}
