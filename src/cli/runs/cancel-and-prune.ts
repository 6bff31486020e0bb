import { OptionError } from '../../model/errors.js';
import { thousands } from '../../model/figures.js';
import { type Pruned, pruneRuns } from '../../operations/runs/prune-runs.js';
import { type StateArguments, sharedState, stateDirOf } from '../options/connection.js';
import { print } from '../print.js';

/** `docferry runs cancel`. */
export async function cancelOnCommand(
  args: StateArguments & { readonly run: string; readonly json?: boolean },
): Promise<number> {
  const state = sharedState(args);
  if (state === undefined) {
    throw new OptionError(
      'Only an import of a shared state can be cancelled from elsewhere: name that state with --state (DOCFERRY_STATE). An import of a state folder is stopped with Ctrl-C where it runs.',
    );
  }
  const { cancelRun, progressOfRun } = await import('../../cluster/cluster.js');
  const { run } = args;
  const cancelled = await cancelRun(state, run);
  if (args.json) {
    print(JSON.stringify({ run, cancelled }, null, 2));
  } else if (!cancelled) {
    print(`The run ${run} is not running.`);
  } else {
    const hasEnded = (await progressOfRun(state, run)) === undefined;
    print(hasEnded ? `The run ${run} was stopped.` : `The run ${run} is being stopped.`);
  }
  return 0;
}

/** `docferry runs prune`. */
export async function pruneOnCommand(
  args: StateArguments,
  olderThanDays: number,
  json: boolean,
): Promise<number> {
  const pruned = await prune(args, olderThanDays);
  const { removed, kept } = pruned;
  if (json) print(JSON.stringify(pruned, null, 2));
  else
    print([...removed, `${thousands(removed.length)} removed, ${thousands(kept)} kept`].join('\n'));
  return 0;
}

async function prune(args: StateArguments, olderThanDays: number): Promise<Pruned> {
  const state = sharedState(args);
  if (state === undefined) return pruneRuns({ stateDir: stateDirOf(args), olderThanDays });
  const { pruneSharedRuns } = await import('../../cluster/cluster.js');
  return await pruneSharedRuns(state, olderThanDays);
}
