import { readFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import yargs from '#yargs';
import { checkArguments, shieldDash } from './check-arguments.js';
import { ALIASES, type GroupedCommand, positionalsOf } from './command.js';
import { findCommand, type Named } from './find-command.js';
import { programName } from './program-name.js';
import { SENTENCES, usageMistake } from './usage-mistake.js';

/** What a command line asks for; gives the exit status. */
export type Work = () => Promise<number>;

/**
 * Reads a command line. Nothing is left to do when yargs itself has answered, as for `--help`.
 * @throws OptionError for arguments that no command takes
 */
export async function readCommandLine(args: readonly string[]): Promise<Work | undefined> {
  if (args[0] === COMPLETE_LINE) return complete;
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const named = await findCommand(asked);
  let work: Work | undefined;
  const parser = parserOf(named, (chosen) => {
    work = chosen;
  });
  if (asked.length === 0) return () => listCommands(parser);
  const { help } = await parser.parseAsync();
  if (help === true) process.stdout.write(await examplesOf(named.words));
  return work;
}

/** What the shells' scripts ask with, `completion/docferry.*`. */
const COMPLETE_LINE = '--complete-line';

async function complete(): Promise<number> {
  const { answerTab } = await import('./completion/answer-tab.js');
  return await answerTab();
}

/** A line without a command is a slip; what it needs is the list. */
async function listCommands(parser: Argv): Promise<number> {
  process.stderr.write(`${await parser.getHelp()}\n${await examplesOf([])}`);
  return 2;
}

/** The end of a help, apart from yargs: it forgets examples when it comes to a command. */
async function examplesOf(words: readonly string[]): Promise<string> {
  const { examplesFor } = await import('./examples.js');
  return `\n${examplesFor(words)}\n`;
}

/** A parser of the arguments of what is named; `start` is told what they ask for. */
function parserOf(named: Named, start: (work: Work) => void): Argv {
  const name = [programName(), ...named.words].join(' ');
  const parser = yargs(named.rest.map(shieldDash))
    .scriptName(name)
    .locale('en')
    // Its types don't know of sentences with a plural.
    .updateStrings(SENTENCES as Record<string, unknown> as Record<string, string>)
    .strict()
    .parserConfiguration({ 'parse-positional-numbers': false })
    .version(version())
    .alias(ALIASES)
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      // yargs has errors of its own kind for some wrong arguments, and messages for others.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw usageMistake(message ?? error?.message, parser, named);
    });
  const { command } = named;
  return command ? withCommand(parser, named, command, start) : withChoices(parser, named);
}

/** As yargs' default command: after any other it lays out the help, which takes longer than a run. */
function withCommand(
  parser: Argv,
  { rest }: Named,
  { positionals, describe, build, run }: GroupedCommand,
  start: (work: Work) => void,
): Argv {
  const command = ['$0', positionals].join(' ').trimEnd();
  const required = positionalsOf(positionals).map(({ name }) => name);
  const builder = (argv: Argv): Argv => build(argv).demandOption(required);
  const handler = (args: Record<string, unknown>): void => {
    checkArguments(args, rest);
    start(() => run(args));
  };
  return parser.command({ command, describe, builder, handler });
}

function withChoices(parser: Argv, { words, positionals, describe, choices }: Named): Argv {
  for (const { name, positionals, describe, commands } of choices) {
    const command = positionals === undefined ? name : `${name} ${positionals}`;
    const members = commands === undefined ? '' : `: ${commands.join(', ')}`;
    parser.command(command, describe + members);
  }
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' });
  const missing =
    words.length === 0
      ? 'Name a command first, then its options.'
      : `Say what to do: ${names.format(choices.map(({ name }) => name))}.`;
  return parser
    .usage(`${['$0', positionals].join(' ').trimEnd()}\n\n${describe}`)
    .demandCommand(1, missing);
}

/** The package's version. */
function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
