import { OptionError } from '../../model/errors.js';
import { thousands } from '../../model/figures.js';
import { pruneRuns } from '../../operations/prune-runs.js';
import { print } from '../print.js';

/** `docferry runs prune`. */
export function pruneOnCommand(stateDir: string, olderThanDays: number, json: boolean): number {
  if (!(olderThanDays >= 0)) {
    throw new OptionError(`--older-than is ${olderThanDays}; expected days, at least 0.`);
  }
  const pruned = pruneRuns({ stateDir, olderThanDays });
  const { removed, kept } = pruned;
  if (json) print(JSON.stringify(pruned, null, 2));
  else
    print([...removed, `${thousands(removed.length)} removed, ${thousands(kept)} kept`].join('\n'));
  return 0;
}
