import { existsSync } from 'node:fs';
import { lookAtRun } from '../../runs/sqlite/run-folders.js';
import { CONNECTION_OPTIONS, type ConnectionArguments } from '../options/connection.js';
import { SANDBOX_SERVICE, type ServiceArguments, sandboxData } from '../service.js';

/**
 * The arguments of a command on a run that is kept: with `--sandbox`, if it went to the embedded
 * sandbox and no other service is named. A run knows where it went.
 * @throws ResumeError if there is no such run
 */
export function withServiceOf<Arguments extends ServiceArguments>(
  args: Arguments,
  run: string,
): Arguments {
  const stateDir = args['state-dir'];
  const service = lookAtRun(stateDir, run, ({ description }) => description?.target.service);
  const isSandbox = service === SANDBOX_SERVICE && existsSync(sandboxData(stateDir));
  return isSandbox && !namesService(args) ? { ...args, sandbox: true } : args;
}

function namesService(args: ConnectionArguments): boolean {
  const names = Object.keys(CONNECTION_OPTIONS) as (keyof ConnectionArguments)[];
  return names.some((name) => name !== 'timeout' && args[name] !== undefined);
}
