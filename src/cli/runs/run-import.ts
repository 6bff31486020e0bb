import { OptionError } from '../../model/errors.js';
import { omitUndefined } from '../../model/options.js';
import { importDocuments } from '../../operations/import-documents.js';
import type { ImportOptions } from '../../operations/options.js';
import {
  connectionTo,
  KNOWN_OF_SANDBOX,
  SANDBOX_SERVICE,
  type ServiceArguments,
  sharedState,
  startEmbeddedSandbox,
  stateDirOf,
} from '../options/connection.js';
import type { ShowArguments } from '../options/run.js';
import { print, programName, say } from '../print.js';
import { listenForInterruption } from './interruption.js';
import { planMetrics } from './metrics-file.js';
import { type ReplacedOptions, resumeHint, serviceFlags } from './resume-hint.js';
import { sayUnwritten, showRun } from './show-run.js';

/**
 * Runs an import on the command line, or resumes one; gives the exit status.
 * @param replaced flags of this command that one to resume the run needs again
 */
export async function runImport(
  options: Omit<ImportOptions, 'connection'>,
  given: ServiceArguments & ShowArguments & { readonly detach?: boolean },
  replaced?: ReplacedOptions,
): Promise<number> {
  const { resume } = options;
  let args = given;
  if (typeof resume === 'string') {
    const { withServiceOf } = await import('./kept-run.js');
    args = await withServiceOf(given, resume);
  }
  const state = sharedState(args);
  if (state !== undefined) checkShared(args);
  if (given.detach) checkDetached(given);
  const stateDir = stateDirOf(args);
  const { metrics } = given;
  const writeMetrics =
    metrics === undefined ? undefined : await planMetrics(metrics, { ...options, stateDir });
  const sandbox = await startEmbeddedSandbox(args);
  const interruption = listenForInterruption(state !== undefined);
  try {
    await sandbox?.ensureMonitoring(options.monitoring);
    const whole = {
      ...(sandbox === undefined ? {} : KNOWN_OF_SANDBOX),
      ...options,
      connection: connectionTo(sandbox, args),
      ...(state === undefined ? { stateDir } : { state }),
      ...(sandbox === undefined ? {} : { service: SANDBOX_SERVICE }),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      throwOn: 'never' as const,
    };
    if (given.detach) {
      return await beginAndLeave({ ...whole, ...omitUndefined({ eventsFile: given.eventsFile }) });
    }
    const run = importDocuments(whole);
    const report = await showRun(run, args, args);
    sayUnwritten(report, options, args);
    if (sandbox !== undefined && !args.quiet && !args.json) sayWhere(options.monitoring, args);
    if (report.resumable) say(resumeHint(report, args, { ...replaced, metrics }));
    return writeMetrics?.(report) ?? report.exitCode;
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

/** The run's id is all that there is to say. */
async function beginAndLeave(options: ImportOptions): Promise<number> {
  const { beginImport } = await import('../../cluster/cluster.js');
  const run = await beginImport(options);
  print(run);
  say(`The import is left to workers: \`${programName()} runs show ${run}\` says how far it is.`);
  return 0;
}

/** @throws OptionError */
function checkDetached({ metrics }: ShowArguments): void {
  if (metrics === undefined) return;
  throw new OptionError(
    'With --detach the command ends before the run does, so it has nothing for --metrics: leave one of them out.',
  );
}

/** @throws OptionError */
function checkShared({ sandbox }: ServiceArguments): void {
  if (!sandbox) return;
  throw new OptionError(
    'The embedded sandbox lives in this process, where other workers do not reach it: start one with `docferry sandbox` and give its address, or leave out --state (DOCFERRY_STATE).',
  );
}

function sayWhere(monitoring: number, args: ServiceArguments): void {
  const command = [programName(), 'feed', '--monitorings', `${monitoring}`, ...serviceFlags(args)];
  say(`The documents are kept: \`${command.join(' ')}\` shows them.`);
}
