import type { Argv } from 'yargs';
import yargs from '#yargs';
import { OptionError } from '../model/errors.js';
import type { Work } from './command.js';
import { COMMANDS, findCommand } from './commands.js';
import { REPEATABLE } from './options/values.js';
import { programName } from './program-name.js';
import { SENTENCES, usageMistake } from './usage-mistake.js';
import { version } from './version.js';

/**
 * Reads a command line. Nothing is left to do when yargs itself has answered, as for `--help`.
 * @throws OptionError for arguments that no command takes
 */
export async function chosenWork(args: readonly string[]): Promise<Work | undefined> {
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const command = findCommand(asked);
  const parser = await withCommands(parserOf(asked, command), asked);
  if (asked.length === 0) return () => listCommands(parser);
  try {
    await parser.parseAsync();
    if (asked.some((arg) => HELP.has(arg))) process.stdout.write(await examplesOf(command));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Chosen) return thrown.work;
    throw thrown;
  }
}

/**
 * What is to be done. It is thrown out of yargs: after a handler that returns, yargs writes the
 * command's help, in case it is asked for, and that takes longer than reading a small file.
 */
class Chosen {
  readonly work: Work;

  constructor(work: Work) {
    this.work = work;
  }
}

const HELP = new Set(['--help', '-h']);

/** A line without a command is a slip; what it needs is the list. */
async function listCommands(parser: Argv): Promise<number> {
  process.stderr.write(`${await parser.getHelp()}\n${await examplesOf([])}`);
  return 2;
}

/** The end of a help, apart from yargs: it forgets examples when it comes to a command. */
async function examplesOf(command: readonly string[]): Promise<string> {
  const { examplesFor } = await import('./examples.js');
  return `\n${examplesFor(command)}\n`;
}

function parserOf(args: readonly string[], command: readonly string[]): Argv {
  const parser = yargs(args.map((arg) => (arg === '-' ? DASH : arg)));
  return parser
    .scriptName(programName())
    .locale('en')
    .updateStrings(SENTENCES as Record<string, unknown> as Record<string, string>)
    .usage('$0 <command>\n\nBring review exports into a social listening platform.')
    .demandCommand(1, 'Name a command first, then its options.')
    .strict()
    .parserConfiguration({ 'parse-positional-numbers': false })
    .middleware([restoreDashes, refuseRepeats, refuseNoNumbers(args)])
    .version(version())
    .alias({ h: 'help', v: 'version' })
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      // yargs has errors of its own kind for some wrong arguments, and messages for others.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw usageMistake(message ?? `${error?.message}`, parser, command);
    });
}

/** Loads the commands that are named somewhere; of the others, yargs needs only to know. */
async function withCommands(parser: Argv, args: readonly string[]): Promise<Argv> {
  const start = (work: Work): never => {
    throw new Chosen(work);
  };
  for (const { name, positionals, commands, describe: purpose, load } of COMMANDS) {
    const command = positionals === undefined ? name : `${name} ${positionals}`;
    const describe = commands === undefined ? purpose : `${purpose}: ${commands.join(', ')}`;
    const body = args.includes(name) ? await load(start) : { handler: () => {} };
    parser.command({ command, describe, ...body });
  }
  return parser;
}

/** yargs drops a positional `-`, so that it travels under another name. */
const DASH = '\u0000-';

function restoreDashes(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args)) {
    if (value === DASH) args[name] = '-';
    else if (Array.isArray(value)) args[name] = value.map((item) => (item === DASH ? '-' : item));
  }
}

/** Positionals that are lists, under both names that yargs gives them. */
const POSITIONAL_LISTS = ['_', 'input', 'file', 'search-id', 'searchId'];

/** But for those that are meant to, an option that comes twice is a slip. */
function refuseRepeats(args: Readonly<Record<string, unknown>>): void {
  const lists = new Set([...POSITIONAL_LISTS, ...REPEATABLE]);
  const repeated = Object.keys(args).find((name) => !lists.has(name) && Array.isArray(args[name]));
  if (repeated === undefined) return;
  throw new OptionError(`${flagOf(repeated)} is given more than once: leave one.`);
}

/** Options that may be fractions of a second, a day, a request or a size. */
const FRACTIONS = [
  ...['rate', 'timeout', 'max-outage', 'quiet-time', 'interval'],
  ...['max-expansion', 'older-than'],
];

/** yargs makes of `two` a number that is none, of nothing at all 0, and says nothing. */
function refuseNoNumbers(
  written: readonly string[],
): (args: Readonly<Record<string, unknown>>) => void {
  return (args) => {
    for (const [index, arg] of written.entries()) {
      const [flag = '', value = written[index + 1] ?? ''] = arg.split(/=(.*)/s);
      const name = /^--?(?=\D)/.test(flag) ? flag.replace(/^--?/, '') : '';
      const number = args[name];
      if (typeof number !== 'number' || !(Number.isNaN(number) || value.trim() === '')) continue;
      const expected = FRACTIONS.includes(name) ? 'a number' : 'a whole number';
      throw new OptionError(`${flag} is ${JSON.stringify(value)}; expected ${expected}.`);
    }
  };
}

function flagOf(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
