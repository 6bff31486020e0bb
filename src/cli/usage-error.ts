/** Errors in command lines, in docferry's words instead of yargs'. */
import { nearestName, OptionError } from '../model/errors.js';
import { expected, type OptionTable } from '../model/options.js';
import { shellWord } from '../model/text.js';
import type { JobOptions } from '../operations/jobs.js';
import { SOURCE_OPTIONS } from '../operations/options.js';
import type { Command } from './command.js';
import { REQUIRED } from './help.js';
import { SERVICE_OPTIONS } from './options/connection.js';
import { isEmpty, readFlags, scaleOf } from './options/flags.js';
import { programName } from './print.js';
import { serviceFlags } from './runs/resume-hint.js';

/**
 * Replacements for yargs' messages, by their keys in its locales; pairs have a singular and a
 * plural.
 */
export const YARGS_MESSAGES = {
  'Not enough non-option arguments: got %s, need at least %s': {
    one: 'Missing argument',
    other: 'Missing argument',
  },
  'Missing required argument: %s': {
    one: 'Missing: %s',
    other: 'Missing: %s',
  },
  'Unknown argument: %s': { one: 'Unexpected argument: %s', other: 'Unexpected arguments: %s' },
  'Unknown command: %s': {
    one: 'There is no command "%s".',
    other: 'There are no commands "%s".',
  },
  'Did you mean %s?': 'There is no such command; did you mean "%s"?',
  'Not enough arguments following: %s': '--%s needs a value.',
  'Arguments %s and %s are mutually exclusive':
    "--%s and --%s can't be used together: leave one out.",
  'Positionals:': 'Arguments:',
  // Empty, it would be replaced by its key.
  'Invalid values:': ' ',
  'Argument: %s, Given: %s, Choices: %s': '--%s is %s; expected one of %s.',
};

/** The command in a command line, as far as it was recognised, and the values given. */
interface UsageContext {
  readonly path: readonly string[];
  readonly usage: string;
  readonly command?: Command;
  readonly given?: Readonly<Record<string, unknown>>;
  /** Options that a job has. */
  readonly job?: JobOptions;
}

/**
 * Creates the error for a command line that yargs rejects. An unknown flag takes precedence: it may
 * be a typo that makes another option seem missing.
 * @param error an error of a command, returned unchanged, or one of yargs' own (`YError`)
 */
export function usageError(
  message: string | undefined,
  error: Error | undefined,
  { path, usage, command, given = {}, job = {} }: UsageContext,
): Error {
  if (error !== undefined && error.name !== 'YError') return error;
  const { _: words = [] } = given as { readonly _?: readonly unknown[] };
  const reason = (message ?? error?.message ?? '')
    // yargs takes a word too many for a command of the command.
    .replace(NO_COMMAND, (whole, extra) =>
      command === undefined ? whole : `Unexpected argument: ${extra}`,
    )
    .replace('no such command', `no command "${words[path.length]}"`)
    .replace(NEEDS_VALUE, (_, flag) => needsValue(flag, command?.options ?? {}));
  const help = [programName(), ...path, '--help'].join(' ');
  const unknown = command && unknownFlag(command, given, help);
  if (unknown === undefined && command !== undefined && reason.startsWith('Missing')) {
    const missing = missingWords(command, { ...given, ...job });
    const example = [programName(), command.examples[0] ?? usage].join(' ');
    return new OptionError([...missing, `Example: ${example}`, `More: ${help}`].join('\n'));
  }
  const sentence = unknown ?? reason.trim();
  return new OptionError(`${sentence}\nUsage: ${programName()} ${usage} (more: ${help})`);
}

const NEEDS_VALUE = /^--(\S+) needs a value\.$/;

/** Describes the value that a flag needs. */
function needsValue(flag: string, options: OptionTable): string {
  const entry = Object.values(options).find((one) => one.flag === flag || one.short === flag);
  if (entry === undefined) return `--${flag} needs a value.`;
  const { choices, type, help = '' } = entry;
  const isListed = choices !== undefined || type === 'integer' || type === 'number';
  return `--${entry.flag} needs a value: ${isListed ? expected(entry, scaleOf(entry)) : help}.`;
}

const NO_COMMAND = /^There (?:is|are) no commands? "(.*)"\.$/;

/** Names the required arguments and options that are missing, and where some of them come from. */
function missingWords(
  { usage, options }: Command,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const [, ...named] = usage.split(' ');
  const isMissing = (name: string): boolean => given[name] === undefined || isEmpty(given[name]);
  const words = named.filter(
    (word) => word.startsWith('<') && isMissing(/\w+/.exec(word)?.[0] ?? ''),
  );
  const flags = Object.values(options).flatMap(({ flag, required }) =>
    required && flag !== undefined && isMissing(flag) ? [flag] : [],
  );
  const missing = [
    ...words.map((word) => word.replace('..', '')),
    ...flags.map((flag) => `--${flag}`),
    ...missingChoice(options, given),
  ];
  const [input = 'FILE'] = [given['input'] ?? []].flat();
  const makesMapping = `${programName()} guess ${shellWord(String(input))} -o mapping.yaml`;
  return [
    `Missing: ${missing.join(', ')}`,
    ...(flags.includes('mapping') ? [`To make a mapping: ${makesMapping}`] : []),
    ...(flags.includes('monitoring') || flags.includes('monitorings')
      ? [monitoringsHint(given)]
      : []),
  ];
}

/** Names the flags of which one is required, if none is given. */
function missingChoice(
  options: OptionTable,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const flags = Object.values(options).flatMap(({ flag = '', group, required }) =>
    group === REQUIRED && !required ? [flag] : [],
  );
  const isGiven = flags.some((flag) => given[flag] !== undefined);
  return isGiven || flags.length === 0 ? [] : [flags.map((flag) => `--${flag}`).join(' or ')];
}

/** Names the command that lists the monitorings of the service that was typed. */
export function monitoringsHint(given: Readonly<Record<string, unknown>>): string {
  const service = serviceFlags(readFlags(SERVICE_OPTIONS, given));
  const command = [programName(), 'monitorings', 'list', ...service].join(' ');
  return `To list the monitorings: ${command}`;
}

/**
 * Names that people try for the API key, which is never an argument, because other users could read
 * it.
 */
const SECRET_NAMES = /^(api-?key|key|password|pass|secret|token)$/i;

/** Names that other tools use for a run without effects. */
const REHEARSAL_NAMES = /^(dry-?run|dryRun|simulate|no-?op|noOp)$/;

/** Flags of earlier versions, and what to do instead. */
const REMOVED: Readonly<Record<string, string>> = {
  follow:
    '`docferry runs show RUN` prints how far a run is. If workers import it, `docferry runs resume RUN` waits for its end.',
};

const SERVICE_NAMES = new Set(['sandbox', 'monitoring', 'base-url', 'username', 'api-key-file']);

/** Describes the first unknown flag. Its value is never shown. */
function unknownFlag(
  { options, positionals }: Command,
  given: Readonly<Record<string, unknown>>,
  help: string,
): string | undefined {
  const flags = Object.values(options).flatMap(({ flag }) => flag ?? []);
  const letters = Object.values(options).flatMap(({ short }) => short ?? []);
  const known = [...flags, ...letters, ...Object.keys(positionals), ...COMMON_NAMES];
  const isKnown = (name: string): boolean =>
    known.some((one) => one === name || camelCase(one) === name);
  const unknown = Object.keys(given).find((name) => !isKnown(name));
  if (unknown === undefined) return undefined;
  if (SECRET_NAMES.test(unknown)) {
    return `There is no option --${unknown}. Arguments are visible to other users, so the key can't be one: name a file that holds it with --api-key-file, or set DOCFERRY_API_KEY.`;
  }
  const readingOptions: readonly [string, OptionTable[string]][] = Object.entries(SOURCE_OPTIONS);
  const [key] = readingOptions.find(([, { flag }]) => flag === unknown) ?? [];
  if (key !== undefined && flags.includes('mapping')) {
    return `There is no option --${unknown}: set ${key} under input in the mapping.`;
  }
  if (REHEARSAL_NAMES.test(unknown)) {
    return `There is no option --${unknown}. \`${programName()} validate\` checks every record and sends nothing; \`import --sandbox\` imports into a sandbox on this machine.`;
  }
  const instead = REMOVED[unknown];
  if (instead !== undefined) return `--${unknown} was removed. ${instead}`;
  if (SERVICE_NAMES.has(unknown) && !flags.includes('base-url')) {
    return `There is no option --${unknown}: this command sends nothing, so leave it out.`;
  }
  return describeUnknown(unknown, { isNegated: given[unknown] === false, flags, help });
}

/** Suggests flags that resemble an unknown one. */
function describeUnknown(
  unknown: string,
  {
    isNegated,
    flags,
    help,
  }: { readonly isNegated: boolean; readonly flags: readonly string[]; readonly help: string },
): string {
  const dashes = isNegated ? '--no-' : unknown.length === 1 ? '-' : '--';
  const name = `${dashes}${unknown}`;
  const nearest = nearestName(unknown, flags);
  if (nearest !== undefined) {
    return `There is no option ${name}; did you mean ${isNegated ? dashes : '--'}${nearest}?`;
  }
  const alike = unknown.length === 1 ? flags.filter((flag) => flag.startsWith(unknown)) : [];
  if (alike.length === 0) return `There is no option ${name}: \`${help}\` lists them.`;
  return `There is no option ${name}; did you mean --${alike.join(' or --')}?`;
}

const COMMON_NAMES = ['_', '--', '$0', 'help', 'h', 'version', 'v'];

function camelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
