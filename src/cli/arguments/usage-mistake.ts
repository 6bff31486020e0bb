/** What is wrong with a command line. */
import type { Argv } from 'yargs';
import { OptionError } from '../../model/errors.js';
import { nearestName } from '../../model/names.js';
import type { Named } from '../find-command.js';
import { programName } from '../program-name.js';

/** yargs' sentences, by their keys in its locales; a pair is for one thing and for several. */
export const SENTENCES = {
  'Not enough non-option arguments: got %s, need at least %s': {
    one: 'An argument is missing (%s of at least %s)',
    other: 'An argument is missing (%s of at least %s)',
  },
  'Missing required argument: %s': {
    one: 'An option is missing: --%s',
    other: 'Options are missing: %s',
  },
  'Unknown argument: %s': { one: 'Unexpected argument: %s', other: 'Unexpected arguments: %s' },
  'Not enough arguments following: %s': 'The option %s needs a value',
  'Arguments %s and %s are mutually exclusive': "--%s and --%s can't go together: leave one",
  'Invalid values:': 'Wrong value:',
  'Argument: %s, Given: %s, Choices: %s': '--%s is %s; expected one of %s',
};

/**
 * The error to end with. A flag that doesn't exist goes first: it may be the slip for which
 * something else is missing.
 * @param parser of the command, if one is named: options belong to commands
 */
export function usageMistake(sentence: string, named: Named, parser?: Argv): OptionError {
  const name = [programName(), ...named.words].join(' ');
  const slip = parser && unknownFlag(parser);
  const usage = named.positionals === undefined ? name : `${name} ${named.positionals}`;
  return new OptionError(`${slip ?? sentence}\nUsage: ${usage} (more: ${name} --help)`);
}

/** What people write for the key itself, which is never an argument: others could read it there. */
const KEYS = /^(api-?key|key|password|pass|secret|token)$/i;

/** A sentence for the first flag that the command doesn't have. Values are never shown. */
function unknownFlag({ parsed }: Argv): string | undefined {
  if (parsed === false) return undefined;
  const { argv, aliases, newAliases } = parsed;
  // `--batchSize` is `--batch-size` to yargs; it makes such names for unknown flags, too.
  const known = Object.keys(aliases).filter((flag) => newAliases[flag] !== true);
  const isKnown = (flag: string): boolean =>
    [flag, ...(aliases[flag] ?? [])].some((alias) => known.includes(alias));
  const unknown = Object.keys(argv).find((flag) => !NO_FLAGS.has(flag) && !isKnown(flag));
  if (unknown === undefined) return undefined;
  const dashes = argv[unknown] === false ? '--no-' : unknown.length === 1 ? '-' : '--';
  return `There is no option ${dashes}${unknown}${remedy(unknown, dashes, known)}`;
}

/** Where yargs keeps what is no flag. */
const NO_FLAGS = new Set(['_', '--', '$0']);

function remedy(unknown: string, dashes: string, known: readonly string[]): string {
  if (KEYS.test(unknown)) {
    return '. A key is never an argument, where others could read it: name a file that holds it with --api-key-file, or set DOCFERRY_API_KEY.';
  }
  if (unknown === 'o' && known.includes('output'))
    return '. How data is written is said by --output, and > writes it to a file.';
  const nearest = nearestName(
    unknown,
    known.filter((name) => name.length > 1),
  );
  if (nearest === undefined) return '.';
  return `, did you mean ${dashes === '--no-' ? dashes : '--'}${nearest}?`;
}
