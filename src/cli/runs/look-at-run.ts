import { thousands } from '../../model/figures.js';
import type { KeptRunOptions } from '../../operations/open-service.js';
import type { Resolution } from '../../operations/runs/resolve-run.js';
import type { Comparison } from '../../operations/runs/verify-run.js';
import { type ServiceArguments, stateOf } from '../options/connection.js';
import { print, say } from '../print.js';
import { connectionTo, SANDBOX_SERVICE, startEmbeddedSandbox } from '../service.js';
import { untilInterrupted } from './interruption.js';
import { resumeCommand } from './resume-hint.js';
import { withServiceOf } from './service-of-run.js';

interface LookArguments extends ServiceArguments {
  readonly run: string;
  readonly json?: boolean;
  readonly quietMs?: number;
}

/** `docferry runs resolve`. */
export async function resolveOnCommand(args: LookArguments): Promise<number> {
  const { resolveRun } = await import('../../operations/runs/resolve-run.js');
  say('Reconciling documents whose outcome is unknown; this takes a minute or more.');
  const resolution = await withRun(args, resolveRun);
  print(args.json ? JSON.stringify(resolution, null, 2) : resolutionText(resolution, args));
  if (resolution.undecided > 0) return 5;
  return resolution.absent > 0 ? 4 : 0;
}

/** `docferry verify`. */
export async function verifyOnCommand(args: LookArguments): Promise<number> {
  const { verifyRun } = await import('../../operations/runs/verify-run.js');
  const comparison = await withRun(args, verifyRun);
  print(args.json ? JSON.stringify(comparison, null, 2) : comparisonText(comparison));
  const { missing, duplicate, incomplete } = comparison;
  if (incomplete !== null) return 4;
  return missing.length + duplicate.length > 0 ? 1 : 0;
}

async function withRun<T>(
  named: LookArguments,
  use: (options: KeptRunOptions) => Promise<T>,
): Promise<T> {
  const args = await withServiceOf(named, named.run);
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
      onNotice: say,
    });
  } finally {
    dispose();
    await sandbox?.close();
  }
}

function resolutionText(
  { accepted, absent, undecided, twice }: Resolution,
  args: LookArguments,
): string {
  if (accepted + absent + undecided === 0) return 'Nothing is unknown in this run.';
  const lines = [
    `${thousands(accepted)} found: they count as accepted${twice > 0 ? `; ${thousands(twice)} of them are there more than once` : ''}`,
    `${thousands(absent)} missing: they were not taken${absent > 0 ? `; \`${resumeCommand(args.run, args)}\` sends them` : ''}`,
    `${thousands(undecided)} still unknown`,
  ];
  return lines.join('\n');
}

/** Ids that are named one by one; \`--json\` has all. */
const MAX_IDS = 10;

function comparisonText({
  compared,
  missing,
  duplicate,
  extra,
  withoutId,
  incomplete,
}: Comparison): string {
  const lines = [
    `${thousands(compared)} acknowledged documents compared${withoutId > 0 ? `; ${thousands(withoutId)} have no sourceId and can't be compared` : ''}`,
    `${thousands(missing.length)} missing${named(missing)}`,
    `${thousands(duplicate.length)} there more than once${named(duplicate)}`,
    `${thousands(extra.count)} others in the same span of time, which this run did not send${named(extra.examples)}`,
    ...(incomplete === null ? [] : [`Not everything could be read: ${incomplete}.`]),
  ];
  return lines.join('\n');
}

function named(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const more = ids.length > MAX_IDS ? ', …' : '';
  return `: ${ids
    .slice(0, MAX_IDS)
    .map((id) => JSON.stringify(id))
    .join(', ')}${more}`;
}
