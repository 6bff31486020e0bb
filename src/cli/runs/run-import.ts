import { importDocuments } from '../../operations/import-documents.js';
import type { ImportOptions } from '../../operations/options.js';
import type { ServiceArguments } from '../options/connection.js';
import type { RunArguments } from '../options/run.js';
import { say } from '../print.js';
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
import { showRun } from './show-run.js';

/**
 * Runs an import on the command line, or resumes one; gives the exit status.
 * @param replaced flags of this command that one to resume the run needs again
 */
export async function runImport(
  options: Omit<ImportOptions, 'connection'>,
  given: ServiceArguments & Pick<RunArguments, 'report' | 'json' | 'quiet'>,
  replaced?: ReplacedOptions,
): Promise<number> {
  const { resume } = options;
  const args = typeof resume === 'string' ? await withServiceOf(given, resume) : given;
  const sandbox = await startEmbeddedSandbox(args);
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
  try {
    await sandbox?.ensureMonitoring(options.monitoring);
    const run = importDocuments({
      ...(sandbox === undefined ? {} : KNOWN_OF_SANDBOX),
      ...options,
      connection: connectionTo(sandbox, args),
      stateDir: args['state-dir'],
      ...(sandbox === undefined ? {} : { service: SANDBOX_SERVICE }),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      throwOn: 'never',
    });
    const report = await showRun(run, args);
    if (sandbox !== undefined && !args.quiet && !args.json) sayWhere(options.monitoring, args);
    if (report.resumable) say(resumeHint(report, args, replaced));
    return report.exitCode;
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

function sayWhere(monitoring: number, args: ServiceArguments): void {
  const command = [programName(), 'feed', '--monitorings', `${monitoring}`, ...serviceFlags(args)];
  say(`The documents are kept: \`${command.join(' ')}\` shows them.`);
}
