import { OptionError } from '../../model/errors.js';
import { IMPORT_OPTIONS } from '../../operations/option-table.js';
import type { ImportOptions } from '../../operations/options.js';
import { programName } from '../../report/program-name.js';
import type { Report } from '../../report/report.js';
import { type Command, defineCommand } from '../command.js';
import {
  connectionTo,
  keySource,
  refuseSharedSandbox,
  SANDBOX_BEHAVIOUR,
  SANDBOX_SERVICE,
  type ServiceArguments,
  sharedState,
  startEmbeddedSandbox,
  stateDirOf,
} from '../options/connection.js';
import { pick } from '../options/flags.js';
import {
  IMPORT_FLAGS,
  INPUTS,
  runOptions,
  type ShowArguments,
  VALIDATE_FLAGS,
} from '../options/run.js';
import { log, logCommand } from '../print.js';
import { listenForInterruption } from '../runs/interruption.js';
import {
  printNextStep,
  type ReplacedOptions,
  sayResumeHint,
  serviceFlags,
  stateFlag,
} from '../runs/next-step.js';

export const IMPORT: Command = defineCommand({
  usage: 'import <input..>',
  describe: 'Import records: read, map, validate, post, report',
  positionals: INPUTS,
  options: IMPORT_FLAGS,
  examples: [
    'import reviews.csv -m mapping.yaml --monitoring 1 --sandbox',
    "import 'exports/*.csv' -m mapping.yaml --monitoring 1 --rejects 'rejects-{run}.csv'",
    'import - -m mapping.yaml --monitoring 1 --json < reviews.csv > report.json',
    'import reviews.csv -m mapping.yaml --monitoring 1 --metrics reviews.prom',
    'import reviews.csv -m mapping.yaml --monitoring 1 --events events.ndjson',
    "import 'exports/*.csv' -m mapping.yaml --monitoring 1 --run nightly --shard 3/16",
  ],
  run: async (args) => {
    const { monitoring } = args;
    // runOptions adds these unless they are stdout.
    const { reportFile: _, eventsFile: __, ...given } = pick(IMPORT_OPTIONS, args);
    return await runImport({ ...given, ...runOptions(args), monitoring }, args);
  },
});

type ImportArguments = ServiceArguments & ShowArguments & Pick<ImportOptions, 'shard'>;

/**
 * Runs or resumes an import; returns the exit status.
 * @param replaced flags of this command that are needed again to resume the run
 */
export async function runImport(
  options: Omit<ImportOptions, 'connection'>,
  given: ImportArguments,
  replaced?: ReplacedOptions,
): Promise<number> {
  const { resume } = options;
  let args = given;
  if (typeof resume === 'string') {
    const { withRunService } = await import('../runs/run-options.js');
    args = await withRunService(given, resume);
  }
  const { startImport } = await import('../../operations/import-documents.js');
  const { planMetrics } = await import('../runs/metrics-file.js');
  const { noticeLog, showRun } = await import('../runs/show-run.js');
  const state = sharedState(args);
  checkCombinations(args, state);
  const stateDir = stateDirOf(args);
  const { metrics } = given;
  const writeMetrics = await planMetrics(metrics, { ...options, stateDir });
  const sandbox = await startEmbeddedSandbox(args);
  const interruption = listenForInterruption(state !== undefined);
  try {
    await sandbox?.ensureMonitoring(options.monitoring);
    const whole = {
      ...(sandbox === undefined ? {} : SANDBOX_BEHAVIOUR),
      ...options,
      connection: connectionTo(sandbox, args),
      ...(state === undefined ? { stateDir } : { state }),
      ...(sandbox === undefined ? {} : { service: SANDBOX_SERVICE }),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      throwOn: 'never' as const,
    };
    const notice = noticeLog(args);
    const run = startImport(whole, { warn: notice });
    const report = await showRun(run, args, notice, args);
    if (sandbox !== undefined && report.counts.accepted > 0 && !args.quiet && !args.json) {
      printFeedHint(options.monitoring, args);
    }
    if (report.stop?.httpStatus === UNAUTHORIZED && sandbox === undefined)
      log(keySource(args, process.env));
    if (given.shard !== undefined) return shardStatus(report, args);
    if (report.resumable) sayResumeHint(report, args, { ...replaced, metrics });
    else if (report.exitCode !== 0 || sandbox === undefined) await printNextStep(report, args);
    return writeMetrics(report);
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

const UNAUTHORIZED = 401;

/** @throws OptionError for options that rule each other out */
function checkCombinations(
  { metrics, sandbox, shard }: ImportArguments,
  state: string | undefined,
): void {
  refuseSharedSandbox(sandbox, state);
  if (shard !== undefined && metrics !== undefined) {
    throw new OptionError(
      '--metrics are those of a whole import: leave them out here, and give them to `docferry report KEY` when the shards have ended.',
    );
  }
}

/**
 * Exit status of a shard, for a scheduler: 0 if nothing is left to do in it, also if records are
 * invalid or rejected, which is in the merged report; 2 if starting it again would end in the same way.
 */
function shardStatus({ exitCode, stop, resumable, run }: Report, args: ServiceArguments): number {
  if (!resumable) return 0;
  const needsPerson = stop?.kind === 'too-many-errors' || stop?.kind === 'changed';
  const key = run.slice(0, run.lastIndexOf('/'));
  log('To continue this shard, start it again with the same command.');
  const command = [programName(), 'report', key, ...stateFlag(args)];
  logCommand('To see the whole import:', command.join(' '));
  return needsPerson ? 2 : exitCode;
}

function printFeedHint(monitoring: number, args: ServiceArguments): void {
  const call = ['api', '/documents/feed', '-f', `monitorings=${monitoring}`];
  const command = [programName(), ...call, ...serviceFlags(args)];
  logCommand('To see the documents:', command.join(' '));
}

export const VALIDATE: Command = defineCommand({
  usage: 'validate <input..>',
  describe: 'Validate every record; nothing is sent',
  positionals: INPUTS,
  options: VALIDATE_FLAGS,
  examples: [
    'validate reviews.csv -m mapping.yaml',
    'validate reviews.csv -m mapping.yaml --rejects invalid.csv --max-errors 5%',
    'validate reviews.csv -m mapping.yaml --html report.html',
  ],
  run: async (args) => {
    const { validateDocuments } = await import('../../operations/import-documents.js');
    const { planMetrics } = await import('../runs/metrics-file.js');
    const { noticeLog, showRun } = await import('../runs/show-run.js');
    const options = runOptions(args);
    const writeMetrics = await planMetrics(args.metrics, options);
    const interruption = listenForInterruption();
    try {
      const { signal } = interruption;
      const run = validateDocuments({ ...options, signal, throwOn: 'never' });
      const report = await showRun(run, args, noticeLog(args));
      await printNextStep(report, args);
      return writeMetrics(report);
    } finally {
      interruption.dispose();
    }
  },
});
