import { omitUndefined, toFlags } from '../../model/options.js';
import { stateFlags } from '../../operations/option-table.js';
import { nextCommands } from '../../report/next-command.js';
import { programName } from '../../report/program-name.js';
import type { Report } from '../../report/report.js';
import {
  CONNECTION_OPTIONS,
  type ServiceArguments,
  type StateArguments,
  sharedState,
} from '../options/connection.js';
import { pick } from '../options/flags.js';
import { type ShowArguments, VALIDATE_FLAGS } from '../options/run.js';
import { printDateHint } from '../output/mapping-hints.js';
import { log, logCommand } from '../print.js';

interface NextStepArguments extends ShowArguments, ServiceArguments {
  readonly input?: readonly string[];
}

/** Prints the command after a run, with the flags of this one, for people. */
export async function printNextStep(report: Report, args: NextStepArguments): Promise<void> {
  const { read, skipped } = report.counts;
  // A diagnosis of records that were all skipped ends with its own command.
  const isDiagnosed = report.diagnosis !== null && skipped === read;
  if (args.quiet || args.json || read === 0 || isDiagnosed) return;
  const commands = nextCommands(report, {
    program: programName(),
    ...(args.input === undefined ? {} : { inputs: args.input }),
    service: serviceFlags(args),
    state: stateFlag(args),
  });
  for (const { why, command } of commands) logCommand(why, command);
  if (commands.some(({ asksForDate }) => asksForDate)) {
    await printDateHint(report.inputs);
  }
}

/**
 * Flags of `docferry runs resume` that replace options of the run, or that the run doesn't store.
 */
export interface ReplacedOptions {
  readonly metrics?: string | undefined;
  readonly rejects?: string | undefined;
  readonly maxErrors?: string | undefined;
}

/**
 * Prints the command that resumes an unfinished run, without the option that made it stop.
 * @param replaced flags of this command that the next one needs again
 */
export function sayResumeHint(
  report: Report,
  args: ServiceArguments,
  replaced: ReplacedOptions = {},
): void {
  const { rejects, maxErrors, metrics } = replaced;
  const { kind = '' } = report.stop ?? {};
  const { accepted, rejected, unknown } = report.counts;
  const isUnreached = kind === 'no-access' || kind === 'service-down';
  if (isUnreached && accepted + rejected + unknown === 0) {
    log(START_AGAIN);
    return;
  }
  const given = { rejects, maxErrors, metrics, ...CHANGES[kind] };
  logCommand(`To resume${CONDITIONS[kind] ?? ''}:`, resumeCommand(report.run, args, given));
}

/** Condition for resuming a run, by the kind of its stop. */
const CONDITIONS: Readonly<Record<string, string>> = {
  'no-access': ' with valid credentials',
  'too-many-errors': ' without a limit on errors',
  source: ', if the input is unchanged since the run started',
  output:
    " once that is put right (or name another file with --rejects, --report, --html or --events, if one can't be written)",
};

const CHANGES: Readonly<Record<string, object>> = {
  'no-access': { username: undefined, apiKeyFile: undefined },
  'too-many-errors': { maxErrors: '100%' },
  output: { rejects: undefined },
};

const START_AGAIN = 'Nothing was sent. Once that is put right, run the same command again.';

/**
 * Formats the command that resumes a run. The flags of the service are repeated as given; a run in
 * the embedded sandbox needs none.
 */
export function resumeCommand(run: string, args: ServiceArguments, replaced: object = {}): string {
  const given = { ...pick(CONNECTION_OPTIONS, args), ...replaced };
  const flags = toFlags(RESUME_FLAGS, given);
  return [programName(), 'runs', 'resume', run, ...stateFlag(args), ...flags].join(' ');
}

const RESUME_FLAGS = { ...CONNECTION_OPTIONS, ...VALIDATE_FLAGS };

export function serviceFlags(args: ServiceArguments): readonly string[] {
  const sandbox = args.sandbox ? ['--sandbox'] : [];
  const connection = toFlags(CONNECTION_OPTIONS, pick(CONNECTION_OPTIONS, args));
  return [...sandbox, ...stateFlag(args), ...connection];
}

/** Formats the flag for the place of runs, unless it is the default or comes from the environment. */
export function stateFlag({ state, stateDir }: StateArguments): readonly string[] {
  if (state === undefined && sharedState({}) !== undefined) return [];
  return stateFlags(omitUndefined({ state, stateDir }));
}
