import { OptionError } from '../../model/errors.js';
import { thousands } from '../../model/figures.js';
import { type Pruned, pruneRuns } from '../../operations/runs/prune-runs.js';
import { type StateArguments, sharedState } from '../options/connection.js';
import { print } from '../print.js';

/** `docferry runs prune`. */
export async function pruneOnCommand(
  args: StateArguments,
  olderThanDays: number,
  json: boolean,
): Promise<number> {
  if (!(olderThanDays >= 0)) {
    throw new OptionError(`--older-than is ${olderThanDays}; expected days, at least 0.`);
  }
  const pruned = await prune(args, olderThanDays);
  const { removed, kept } = pruned;
  if (json) print(JSON.stringify(pruned, null, 2));
  else
    print([...removed, `${thousands(removed.length)} removed, ${thousands(kept)} kept`].join('\n'));
  return 0;
}

async function prune(args: StateArguments, olderThanDays: number): Promise<Pruned> {
  const state = sharedState(args);
  if (state === undefined) return pruneRuns({ stateDir: args['state-dir'], olderThanDays });
  const { pruneSharedRuns } = await import('../../operations/runs/shared-runs.js');
  return await pruneSharedRuns({ state, olderThanDays });
}
