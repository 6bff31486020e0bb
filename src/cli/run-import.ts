import { importDocuments } from '../import-documents.js';
import type { ImportOptions } from '../options.js';
import type { Report } from '../report/report.js';
import { connectionOf } from './connection-options.js';
import { startEmbeddedSandbox } from './embedded-sandbox.js';
import { listenForInterruption } from './interruption.js';
import type { RunArguments } from './run-options.js';
import { say } from './say.js';
import { shellWord } from './shell-word.js';
import { showRun } from './show-run.js';
import type { ServiceArguments } from './with-client.js';

/** The embedded sandbox has another port each time; what it holds is the same. */
export const SANDBOX_SERVICE = 'sandbox';

/** Runs an import on the command line, or goes on with one; gives the exit status. */
export async function runImport(
  options: Omit<ImportOptions, 'connection'>,
  args: ServiceArguments & Pick<RunArguments, 'report' | 'json' | 'quiet'>,
): Promise<number> {
  const sandbox = await startEmbeddedSandbox(args);
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
  try {
    await sandbox?.ensureMonitoring(options.monitoring);
    const run = importDocuments({
      ...options,
      connection: sandbox ?? connectionOf(args, process.env),
      stateDir: args['state-dir'],
      ...(sandbox === undefined ? {} : { service: SANDBOX_SERVICE }),
      signal: interruption.signal,
      abandonSignal: interruption.abandonSignal,
      throwOn: 'never',
    });
    const report = await showRun(run, args);
    if (sandbox !== undefined && !args.quiet && !args.json) sayWhere(options.monitoring, args);
    if (report.resumable) say(`To go on: ${resumeCommand(report, args)}`);
    return report.exitCode;
  } finally {
    interruption.dispose();
    await sandbox?.close();
  }
}

function sayWhere(monitoring: number, args: ServiceArguments): void {
  const command = ['docferry', 'feed', '--monitorings', `${monitoring}`, ...serviceFlags(args)];
  say(`The documents are kept: \`${command.join(' ')}\` shows them.`);
}

/** What to type to go on with a run from this folder. */
function resumeCommand({ run }: Report, args: ServiceArguments): string {
  return ['docferry', 'runs', 'resume', run, ...serviceFlags(args)].join(' ');
}

/** The flags that say where the service is, as they were given. */
function serviceFlags(args: ServiceArguments): readonly string[] {
  const flags = ['base-url', 'username', 'api-key-file', 'ca', 'timeout'] as const;
  const stateDir = args['state-dir'];
  return [
    ...(args.sandbox ? ['--sandbox'] : []),
    ...(stateDir === '.docferry' ? [] : ['--state-dir', shellWord(stateDir)]),
    ...flags.flatMap((flag) =>
      args[flag] === undefined ? [] : [`--${flag}`, shellWord(String(args[flag]))],
    ),
  ];
}
