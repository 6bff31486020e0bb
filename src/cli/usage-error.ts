/** Errors in command lines, in docferry's words instead of yargs'. */
import { nearestName, OptionError } from '../model/errors.js';
import type { OptionTable } from '../model/options.js';
import { fileWord } from '../model/text.js';
import { SOURCE_OPTIONS } from '../operations/options.js';
import { programName } from '../report/program-name.js';
import type { Command } from './command.js';
import { SERVICE_OPTIONS } from './options/connection.js';
import { readFlags } from './options/flags.js';
import { serviceFlags } from './runs/next-step.js';

/**
 * Replacements for yargs' messages, by their keys in its locales; pairs have a singular and a
 * plural.
 */
export const YARGS_MESSAGES = {
  'Unknown command: %s': { one: 'There is no command "%s".', other: 'There is no command "%s".' },
  'Did you mean %s?': 'There is no such command; did you mean "%s"?',
  'Not enough arguments following: %s': 'The option "%s" needs a value.',
  'Arguments %s and %s are mutually exclusive':
    "--%s and --%s can't be used together: leave one out.",
  // Not empty: yargs replaces an empty text by its key.
  'Invalid values:': ' ',
  'Argument: %s, Given: %s, Choices: %s': '--%s is %s; expected one of %s.',
};

/** The command in a command line, as far as it was recognised, and the values given. */
interface UsageContext {
  readonly path: readonly string[];
  readonly usage: string;
  readonly command?: Command;
  readonly given?: Readonly<Record<string, unknown>>;
}

/**
 * Creates the error for a command line that yargs rejects.
 * @param error an error of a command, returned unchanged, or one of yargs' own (`YError`)
 */
export function usageError(
  message: string | undefined,
  error: Error | undefined,
  { path, usage, command, given = {} }: UsageContext,
): Error {
  if (error !== undefined && error.name !== 'YError') return error;
  const help = helpCommand(path);
  const unknown = command && unknownFlag(command, given, help);
  const sentence = unknown ?? (message ?? error?.message ?? '').trim();
  return new OptionError(`${sentence}\nUsage: ${programName()} ${usage} (more: ${help})`);
}

function helpCommand(path: readonly string[]): string {
  return [programName(), ...path, '--help'].join(' ');
}

/** @throws OptionError naming required arguments and options that are missing, and where some come from */
export function refuseMissing(
  { options, positionals, examples }: Command,
  path: readonly string[],
  given: Readonly<Record<string, unknown>>,
): void {
  const names = Object.entries(positionals).filter(([name, { required }]) => {
    return required && given[name] === undefined;
  });
  const flags = Object.values(options).flatMap(({ flag, required }) =>
    required && flag !== undefined && given[flag] === undefined ? [flag] : [],
  );
  const missing = [...names.map(([name]) => `<${name}>`), ...flags.map((flag) => `--${flag}`)];
  if (missing.length === 0) return;
  const [input = 'FILE'] = [given['input'] ?? []].flat();
  const makesMapping = `docferry guess ${fileWord(String(input))} -o mapping.yaml`;
  const lines = [
    `Missing: ${missing.join(', ')}`,
    ...(flags.includes('mapping') ? [`To make a mapping: \`${makesMapping}\``] : []),
    ...(flags.includes('monitoring') ? [monitoringsHint(given)] : []),
    `Example: \`docferry ${examples[0]}\``,
    `More: \`${helpCommand(path)}\``,
  ];
  throw new OptionError(lines.join('\n'));
}

/** Names the command that lists the monitorings of the service that was typed. */
function monitoringsHint(given: Readonly<Record<string, unknown>>): string {
  const service = serviceFlags(readFlags(SERVICE_OPTIONS, given));
  const command = ['docferry', 'monitorings', 'list', ...service].join(' ');
  return `To list the monitorings: \`${command}\``;
}

/**
 * Names that people try for the API key, which is never an argument, because other users could read
 * it.
 */
const SECRET_NAMES = /^(api-?key|key|password|pass|secret|token)$/i;

/** Names that other tools use for a run without effects. */
const REHEARSAL_NAMES = /^(dry-?run|dryRun|simulate|no-?op|noOp)$/;

/** Describes the first unknown flag. Its value is never shown. */
function unknownFlag(
  { options }: Command,
  given: Readonly<Record<string, unknown>>,
  help: string,
): string | undefined {
  const flags = Object.values(options).flatMap(({ flag }) => flag ?? []);
  const letters = Object.values(options).flatMap(({ short }) => short ?? []);
  const known = [...flags, ...letters, ...COMMON_NAMES];
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
    return `There is no option --${unknown}. \`docferry validate\` checks every record and sends nothing; \`import --sandbox\` imports into a sandbox on this machine.`;
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
  return `There is no option ${name}: \`${help}\` lists them.`;
}

const COMMON_NAMES = ['_', '--', '$0', 'help', 'h', 'version', 'v'];

function camelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
