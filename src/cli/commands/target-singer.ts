import { OptionError } from '../../model/errors.js';
import { omitUndefined, option } from '../../model/options.js';
import { printable } from '../../model/text.js';
import { VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { checkOutput } from '../../outputs/check-output.js';
import { OutputError, writeOutput } from '../../outputs/output-file.js';
import type { SingerConfig } from '../../singer/config.js';
import type { TargetContext } from '../../singer/target.js';
import { type Command, defineCommand } from '../command.js';
import {
  CONNECTION_OPTIONS,
  connectionTo,
  SANDBOX_BEHAVIOUR,
  SANDBOX_OPTION,
  SANDBOX_SERVICE,
  SERVICE_OPTIONS,
  type ServiceArguments,
  STATE_OPTIONS,
  sharedState,
  startEmbeddedSandbox,
  stateDirOf,
  stateOf,
} from '../options/connection.js';
import { type NamedFile, refuseReadFiles } from '../options/files.js';
import { type OptionValues, pick } from '../options/flags.js';
import { SHOW_OPTIONS } from '../options/run.js';
import { isStdout, jsonText, log } from '../print.js';
import { listenForInterruption } from '../runs/interruption.js';

const TARGET_OPTIONS = {
  config: option.text('config', 'Config file (JSON): monitoring, streams and their mappings', {
    short: 'c',
    file: 'read',
  }),
  about: option.boolean(
    'about',
    'Describe the target as JSON, for tools that run taps and targets',
  ),
  ...CONNECTION_OPTIONS,
  ...SANDBOX_OPTION,
  stateDir: {
    ...STATE_OPTIONS.stateDir,
    defaultText: 'from the config, or .docferry',
  },
  state: STATE_OPTIONS.state,
  reportFile: {
    ...VALIDATE_OPTIONS.reportFile,
    help: 'Write a JSON report to this file',
  },
  eventsFile: {
    ...VALIDATE_OPTIONS.eventsFile,
    help: "Append the events of its runs to this file, one JSON object per line ({run}: the run's id)",
  },
  quiet: SHOW_OPTIONS.quiet,
} as const;

type TargetArguments = OptionValues<typeof TARGET_OPTIONS>;

export const TARGET_SINGER: Command = defineCommand({
  usage: 'target-singer',
  describe: 'Import what a Singer tap writes to stdin; states go to stdout',
  options: TARGET_OPTIONS,
  examples: ['target-singer --config target.json < tap.jsonl >> states.jsonl'],
  run: runTarget,
});

/** Imports the output of a tap from stdin; returns the exit status. */
async function runTarget(args: TargetArguments): Promise<number> {
  const { aboutTarget, checkStreams, runStarter, loadSingerConfig, pruneStreams } = await import(
    '../../singer/config.js'
  );
  const { startTarget } = await import('../../singer/target.js');
  const { summaryText } = await import('../../singer/summary.js');
  if (args.about) {
    process.stdout.write(`${jsonText(await aboutTarget())}\n`);
    return 0;
  }
  if (args.config === undefined) {
    throw new OptionError('The config is missing: name it with --config, for example target.json.');
  }
  const config = await loadSingerConfig(args.config);
  refuseOwnFiles(args, config);
  checkSurroundings(args);
  const notices = await checkStreams(config);
  const streams = streamsOf(args);
  for (const notice of notices) streams.log(notice);
  const service = serviceOf(args, config);
  const state = sharedState(service);
  if (state !== undefined && service.stateDir !== undefined) {
    throw new OptionError(
      'Both a database (--state, DOCFERRY_STATE) and a folder (--state-dir, stateDir in the config) are named. Runs are stored in one place: leave one of them out.',
    );
  }
  const place = state === undefined ? { stateDir: stateDirOf(service) } : { state };
  const sandbox = await startEmbeddedSandbox(service);
  const interruption = listenForInterruption(state !== undefined);
  try {
    await sandbox?.ensureMonitoring(config.monitoring);
    const begin = runStarter(config, {
      ...(sandbox === undefined ? {} : { ...SANDBOX_BEHAVIOUR, service: SANDBOX_SERVICE }),
      connection: connectionTo(sandbox, service),
      ...place,
      ...omitUndefined({ eventsFile: args.eventsFile }),
      // The first signal only ends the epoch; the second stops its runs.
      signal: interruption.abandonSignal,
      abandonSignal: interruption.abandonSignal,
    });
    const prune = async (): Promise<void> => await pruneStreams(config, stateOf(service));
    const context = { config, begin, prune, signal: interruption.signal };
    const report = await startTarget({ ...context, ...streams });
    if (!args.quiet || report.exitCode !== 0) {
      for (const line of summaryText(report).split('\n')) log(line);
    }
    const { reportFile } = args;
    if (reportFile !== undefined) writeOutput(reportFile, `${jsonText(report)}\n`);
    return report.exitCode;
  } finally {
    interruption.dispose();
    process.stdin.destroy();
    await sandbox?.close();
  }
}

/** @throws OptionError if an output is a file that the config names, or the config */
function refuseOwnFiles(
  { config: file = '', reportFile, eventsFile }: TargetArguments,
  { apiKeyFile, ca, streams }: SingerConfig,
): void {
  const named = (files: Readonly<Record<string, string | undefined>>): readonly NamedFile[] =>
    Object.entries(files).flatMap(([name, path]) => (path === undefined ? [] : [{ name, path }]));
  const mappings = Object.values(streams).flatMap(({ mapping, schema }) =>
    named({ 'a mapping of the config': mapping, 'a schema of the config': schema }),
  );
  refuseReadFiles(named({ '--report': reportFile, '--events': eventsFile }), [
    ...named({ 'the config': file, 'its apiKeyFile': apiKeyFile, 'its ca': ca }),
    ...mappings,
  ]);
}

/** Connects the target to stdin, stdout (states only) and stderr. */
function streamsOf({ quiet }: TargetArguments): Pick<TargetContext, 'input' | 'emit' | 'log'> {
  return {
    input: process.stdin,
    log: quiet ? () => {} : log,
    emit: async (state) =>
      await new Promise((resolve, reject) => {
        process.stdout.write(`${printable(state)}\n`, (error) => {
          if (error) reject(new OutputError('stdout', error));
          else resolve();
        });
      }),
  };
}

/** @throws OptionError */
function checkSurroundings(args: TargetArguments): void {
  const { reportFile: report, eventsFile: events } = args;
  if (process.stdin.isTTY) {
    throw new OptionError('stdin is a terminal: pipe the output of a tap into the command.');
  }
  for (const [flag, file = ''] of [
    ['--report', report],
    ['--events', events],
  ] as const) {
    if (isStdout(file)) {
      throw new OptionError(`${flag} ${file} is stdout, which is for states only: name a file.`);
    }
  }
  if (report !== undefined) checkOutput({ path: report, what: 'report' }, { inputs: [] });
}

/** Merges flags and config: a flag overrides the config, which overrides the environment. */
function serviceOf(args: TargetArguments, config: SingerConfig): ServiceArguments {
  // Rehearses what the config does with another service.
  const { baseUrl, username, apiKeyFile, ca, sandbox } = args.sandbox ? {} : config;
  const { timeout, stateDir } = config;
  return {
    ...omitUndefined({
      baseUrl,
      username,
      apiKeyFile,
      ca,
      sandbox,
      stateDir,
      timeoutMs: timeout === undefined ? undefined : timeout * 1_000,
    }),
    ...pick(SERVICE_OPTIONS, args),
  };
}
