import { existsSync } from 'node:fs';
import { describeRun } from '../../operations/show-runs.js';
import { CONNECTION_OPTIONS, type ConnectionArguments } from '../options/connection.js';
import { SANDBOX_SERVICE, type ServiceArguments, sandboxData } from '../service.js';

/**
 * The arguments of a command on a run that is kept: with `--sandbox`, if it went to the embedded
 * sandbox and no other service is named. A run knows where it went.
 * @throws ResumeError if there is no such run
 */
export async function withServiceOf<Arguments extends ServiceArguments>(
  args: Arguments,
  run: string,
): Promise<Arguments> {
  const stateDir = args['state-dir'];
  const description = await describeRun(stateDir, run);
  const isSandbox =
    description?.target.service === SANDBOX_SERVICE && existsSync(sandboxData(stateDir));
  return isSandbox && !namesService(args) ? { ...args, sandbox: true } : args;
}

function namesService(args: ConnectionArguments): boolean {
  const names = Object.keys(CONNECTION_OPTIONS) as (keyof ConnectionArguments)[];
  return names.some((name) => name !== 'timeout' && args[name] !== undefined);
}
