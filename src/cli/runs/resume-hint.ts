import { shownState } from '../../operations/state-place.js';
import { shellWord } from '../../report/printable.js';
import type { Report } from '../../report/report.js';
import { type ServiceArguments, type StateArguments, sharedState } from '../options/connection.js';
import { programName } from '../program-name.js';

/** Flags of `docferry runs resume` that replace what the run was begun with, or that it doesn't keep. */
export interface ReplacedOptions {
  readonly rejects?: string | undefined;
  readonly 'max-errors'?: string | undefined;
  readonly metrics?: string | undefined;
}

type ServiceFlag = 'base-url' | 'username' | 'api-key-file' | 'ca' | 'timeout';
const SERVICE_FLAGS = ['base-url', 'username', 'api-key-file', 'ca', 'timeout'] as const;

/**
 * What to type to resume a run that left something undone. What made it stop isn't repeated.
 * @param replaced the flags of this command that a further one needs again
 */
export function resumeHint(
  report: Report,
  args: ServiceArguments,
  replaced: ReplacedOptions = {},
): string {
  const { rejects, 'max-errors': maxErrors, metrics } = replaced;
  const command = (flags: Replacement = {}): string =>
    resumeCommand(report.run, args, { rejects, 'max-errors': maxErrors, metrics, ...flags });
  switch (report.stop?.kind) {
    case 'no-access':
      if (nothingSent(report)) return START_AGAIN;
      return `To resume with credentials that are accepted: ${command({ username: undefined, 'api-key-file': undefined })}`;
    case 'service-down':
      return nothingSent(report) ? START_AGAIN : `To resume: ${command()}`;
    case 'too-many-errors':
      return `To resume without a limit on errors: ${command({ 'max-errors': '100%' })}`;
    case 'source':
      return `To resume, if the input is as it was when the run began: ${command()}`;
    case 'output':
      return `To resume once it can be written (or name another file with --rejects, --report or --html): ${command({ rejects: undefined })}`;
    default:
      return `To resume: ${command()}`;
  }
}

const START_AGAIN = 'Nothing was sent, so there is nothing to resume: start the import again.';

type Replacement = ReplacedOptions & { readonly [Name in ServiceFlag]?: undefined };

/** The flags say where the service is as they were given; a run knows by itself of the sandbox. */
function resumeCommand(run: string, args: ServiceArguments, replaced: Replacement): string {
  const flags = { ...serviceOptions(args), ...replaced };
  return [programName(), 'runs', 'resume', run, ...stateFlag(args), ...flagsOf(flags)].join(' ');
}

/** The flags that say where the service is, as they were given. */
export function serviceFlags(args: ServiceArguments): readonly string[] {
  const sandbox = args.sandbox ? ['--sandbox'] : [];
  return [...sandbox, ...stateFlag(args), ...flagsOf(serviceOptions(args))];
}

/** The flag that says where runs are kept, unless that is the usual place. */
export function stateFlag(args: StateArguments): readonly string[] {
  const { state, 'state-dir': folder } = args;
  // As it may be shown: the password is given again by who has it.
  if (state !== undefined) return ['--state', shellWord(shownState(state))];
  if (sharedState(args) !== undefined) return [];
  return folder === '.docferry' ? [] : ['--state-dir', shellWord(folder)];
}

function serviceOptions(args: ServiceArguments): Readonly<Record<string, unknown>> {
  return Object.fromEntries(SERVICE_FLAGS.map((name) => [name, args[name]]));
}

function flagsOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(String(value))],
  );
}

function nothingSent({ counts: { accepted, rejected, unknown } }: Report): boolean {
  return accepted + rejected + unknown === 0;
}
