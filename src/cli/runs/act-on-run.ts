import { thousands } from '../../model/figures.js';
import { sentence } from '../../model/text.js';
import { pruneRuns } from '../../operations/runs/prune-runs.js';
import type { Resolution } from '../../operations/runs/resolve-run.js';
import type { Comparison } from '../../operations/runs/verify-run.js';
import type { StoredRunOptions } from '../../operations/runs/with-stored-run.js';
import {
  connectionTo,
  SANDBOX_SERVICE,
  type ServiceArguments,
  type StateArguments,
  startEmbeddedSandbox,
  stateOf,
  withKeySource,
} from '../options/connection.js';
import { log, print } from '../print.js';
import { untilInterrupted } from './interruption.js';
import { resumeCommand } from './next-step.js';
import { withRunService } from './run-options.js';

interface StoredRunArguments extends ServiceArguments {
  readonly run: string;
  readonly json?: boolean;
  readonly quietMs?: number;
}

export async function resolveOnCommand(args: StoredRunArguments): Promise<number> {
  const { resolveRun } = await import('../../operations/runs/resolve-run.js');
  log('Reconciling documents whose outcome is unknown; this takes a minute or more.');
  const resolution = await withRun(args, resolveRun);
  print(args.json ? JSON.stringify(resolution, null, 2) : resolutionText(resolution, args));
  if (resolution.undecided > 0) return 5;
  return resolution.absent > 0 ? 4 : 0;
}

export async function verifyOnCommand(args: StoredRunArguments): Promise<number> {
  const { verifyRun } = await import('../../operations/runs/verify-run.js');
  const comparison = await withRun(args, verifyRun);
  print(args.json ? JSON.stringify(comparison, null, 2) : comparisonText(comparison));
  const { missing, duplicate, incomplete } = comparison;
  if (incomplete !== null) return 4;
  return missing.length + duplicate.length > 0 ? 1 : 0;
}

async function withRun<T>(
  given: StoredRunArguments,
  use: (options: StoredRunOptions) => Promise<T>,
): Promise<T> {
  const args = await withRunService(given, given.run);
  const sandbox = await startEmbeddedSandbox(args);
  const { signal, dispose } = untilInterrupted();
  try {
    return await use({
      run: args.run,
      stateDir: stateOf(args),
      connection: connectionTo(sandbox, args),
      ...(sandbox === undefined ? {} : { service: SANDBOX_SERVICE }),
      ...(args.quietMs === undefined ? {} : { quietMs: args.quietMs }),
      signal,
      onNotice: log,
    });
  } catch (error) {
    throw withKeySource(error, args);
  } finally {
    dispose();
    await sandbox?.close();
  }
}

function resolutionText(
  { accepted, absent, undecided, twice }: Resolution,
  args: StoredRunArguments,
): string {
  if (accepted + absent + undecided === 0)
    return 'The outcome of every document in this run is known.';
  const lines = [
    `${thousands(accepted)} found: they count as accepted${twice > 0 ? `; ${thousands(twice)} of them occur more than once` : ''}`,
    `${thousands(absent)} missing: they did not arrive${absent > 0 ? `; \`${resumeCommand(args.run, args)}\` sends them` : ''}`,
    `${thousands(undecided)} still unknown`,
  ];
  return lines.join('\n');
}

/** Maximum number of ids to print; `--json` prints all. */
const MAX_IDS = 10;

function comparisonText({
  compared,
  missing,
  duplicate,
  withoutId,
  incomplete,
}: Comparison): string {
  const lines = [
    `${thousands(compared)} accepted documents compared${withoutId > 0 ? `; ${thousands(withoutId)} have no sourceId and can't be compared` : ''}`,
    `${thousands(missing.length)} ${incomplete === null ? 'missing' : 'not seen yet'}${idList(missing)}`,
    `${thousands(duplicate.length)} occur more than once${idList(duplicate)}`,
    ...(incomplete === null
      ? []
      : [`Not everything could be read: ${sentence(incomplete)} Verify again later.`]),
  ];
  return lines.join('\n');
}

function idList(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const more = ids.length > MAX_IDS ? ', …' : '';
  return `: ${ids
    .slice(0, MAX_IDS)
    .map((id) => JSON.stringify(id))
    .join(', ')}${more}`;
}

export async function pruneOnCommand(
  args: StateArguments,
  olderThanDays: number,
  json: boolean,
): Promise<number> {
  const pruned = await pruneRuns({ state: stateOf(args), olderThanDays });
  const { removed, remaining } = pruned;
  if (json) print(JSON.stringify(pruned, null, 2));
  else
    print(
      [...removed, `${thousands(removed.length)} removed, ${thousands(remaining)} remaining`].join(
        '\n',
      ),
    );
  return 0;
}
