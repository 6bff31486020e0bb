import { OptionError } from '../../model/errors.js';
import { importDocuments } from '../../operations/import-documents.js';
import type { ImportOptions } from '../../operations/options.js';
import { type ServiceArguments, sharedState } from '../options/connection.js';
import type { JobArguments, RunArguments } from '../options/run.js';
import { given as present } from '../options/values.js';
import { print, say } from '../print.js';
import { programName } from '../program-name.js';
import {
  connectionTo,
  KNOWN_OF_SANDBOX,
  SANDBOX_SERVICE,
  startEmbeddedSandbox,
} from '../service.js';
import { listenForInterruption } from './interruption.js';
import { type ReplacedOptions, resumeHint, serviceFlags } from './resume-hint.js';
import { withServiceOf } from './service-of-run.js';
import { planForJob, showRun } from './show-run.js';

/**
 * Runs an import on the command line, or resumes one; gives the exit status.
 * @param replaced flags of this command that one to resume the run needs again
 */
export async function runImport(
  options: Omit<ImportOptions, 'connection'>,
  given: ServiceArguments &
    JobArguments &
    Pick<RunArguments, 'report' | 'events' | 'json' | 'quiet'> & { readonly detach?: boolean },
  replaced?: ReplacedOptions,
): Promise<number> {
  const { resume } = options;
  const args = typeof resume === 'string' ? await withServiceOf(given, resume) : given;
  const state = sharedState(args);
  if (state !== undefined) checkShared(args);
  if (given.detach) checkDetached(given);
  const tellJob = await planForJob(args, { ...options, stateDir: args['state-dir'] });
  const sandbox = await startEmbeddedSandbox(args);
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`), {
    isShared: state !== undefined,
  });
  try {
    await sandbox?.ensureMonitoring(options.monitoring);
    const whole = {
      ...(sandbox === undefined ? {} : KNOWN_OF_SANDBOX),
      ...options,
      connection: connectionTo(sandbox, args),
      ...(state === undefined ? { stateDir: args['state-dir'] } : { state }),
      ...(sandbox === undefined ? {} : { service: SANDBOX_SERVICE }),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      throwOn: 'never' as const,
    };
    if (given.detach)
      return await beginAndLeave({ ...whole, ...present({ eventsFile: given.events }) });
    const run = importDocuments(whole);
    const report = await showRun(run, args);
    if (sandbox !== undefined && !args.quiet && !args.json) sayWhere(options.monitoring, args);
    const { metrics } = given;
    if (report.resumable) say(resumeHint(report, args, { ...replaced, metrics }));
    return tellJob(report);
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

/** The run's id is all that there is to say. */
async function beginAndLeave(options: ImportOptions): Promise<number> {
  const { beginImport } = await import('../../operations/cluster/begin-import.js');
  const run = await beginImport(options);
  print(run);
  say(`The import is left to workers: \`${programName()} runs show ${run}\` says how far it is.`);
  return 0;
}

/** @throws OptionError */
function checkDetached({ metrics, summary, annotations }: JobArguments): void {
  if (metrics === undefined && summary === undefined && !annotations) return;
  throw new OptionError(
    'With --detach the command ends before the run does, so it has nothing for --metrics, --summary and --annotations: leave them out, or --detach.',
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
