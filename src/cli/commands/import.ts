import { OptionError } from '../../model/errors.js';
import { omitUndefined } from '../../model/options.js';
import { IMPORT_OPTIONS } from '../../operations/option-table.js';
import type { ImportOptions } from '../../operations/options.js';
import { type Command, defineCommand } from '../command.js';
import {
  connectionTo,
  keySource,
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
import { log, logCommand, print, programName } from '../print.js';
import { listenForInterruption } from '../runs/interruption.js';
import { printNextStep } from '../runs/next-step.js';
import { type ReplacedOptions, sayResumeHint, serviceFlags } from '../runs/resume-hint.js';

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
  ],
  run: async (args) => {
    const { monitoring } = args;
    // runOptions adds these unless they are stdout.
    const { reportFile: _, eventsFile: __, ...given } = pick(IMPORT_OPTIONS, args);
    return await runImport({ ...given, ...runOptions(args), monitoring }, args);
  },
});

type ImportArguments = ServiceArguments & ShowArguments & { readonly detach?: boolean };

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
  const { importDocuments } = await import('../../operations/import-documents.js');
  const { planMetrics } = await import('../runs/metrics-file.js');
  const { showRun } = await import('../runs/show-run.js');
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
    if (given.detach) {
      return await startDetached({ ...whole, ...omitUndefined({ eventsFile: given.eventsFile }) });
    }
    const run = importDocuments(whole);
    const report = await showRun(run, args, args);
    if (sandbox !== undefined && report.counts.accepted > 0 && !args.quiet && !args.json) {
      printFeedHint(options.monitoring, args);
    }
    const isRefusedKey = /refused with 401/.test(report.stop?.message ?? '');
    if (isRefusedKey && sandbox === undefined) log(keySource(args, process.env));
    if (report.resumable) sayResumeHint(report, args, { ...replaced, metrics });
    else if (report.exitCode !== 0 || sandbox === undefined) await printNextStep(report, args);
    return writeMetrics(report);
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

/** Starts an import for workers, and prints its id only. */
async function startDetached(options: ImportOptions): Promise<number> {
  const { beginImport } = await import('../../cluster/cluster.js');
  const run = await beginImport(options);
  print(run);
  logCommand('Workers run the import. To see its progress:', `${programName()} runs show ${run}`);
  return 0;
}

/** @throws OptionError for options that need what another one rules out */
function checkCombinations(
  { metrics, detach, sandbox }: ImportArguments,
  state: string | undefined,
): void {
  if (state !== undefined && sandbox) {
    throw new OptionError(
      "The embedded sandbox runs in this process, where workers can't reach it: start one with `docferry sandbox` and give its address, or leave out --state (DOCFERRY_STATE).",
    );
  }
  if (detach && metrics !== undefined) {
    throw new OptionError(
      "With --detach the command exits before the run ends, so it can't write --metrics: leave one of them out.",
    );
  }
}

function printFeedHint(monitoring: number, args: ServiceArguments): void {
  const command = [programName(), 'feed', '--monitorings', `${monitoring}`, ...serviceFlags(args)];
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
    const { showRun } = await import('../runs/show-run.js');
    const options = runOptions(args);
    const writeMetrics = await planMetrics(args.metrics, options);
    const interruption = listenForInterruption();
    try {
      const { signal } = interruption;
      const run = validateDocuments({ ...options, signal, throwOn: 'never' });
      const report = await showRun(run, args);
      await printNextStep(report, args);
      return writeMetrics(report);
    } finally {
      interruption.dispose();
    }
  },
});
