import { existsSync } from 'node:fs';
import { describeRun } from '../../operations/runs/show-runs.js';
import { namedService, type ServiceArguments, stateDirOf, stateOf } from '../options/connection.js';
import { SANDBOX_SERVICE, sandboxData } from '../service.js';

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
