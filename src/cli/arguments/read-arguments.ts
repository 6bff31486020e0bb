import type { Argv } from 'yargs';
import yargs from 'yargs';
import { ownVersion } from '../../operations/cluster/version.js';
import { ALIASES, type GroupedCommand, helpWidth, positionalsOf } from '../command.js';
import { examplesFor } from '../examples.js';
import type { Named } from '../find-command.js';
import { programName } from '../program-name.js';
import type { Work } from '../read-command-line.js';
import { checkArguments, shieldPositionals } from './check-arguments.js';
import { SENTENCES, usageMistake } from './usage-mistake.js';

/**
 * Reads a command's arguments. Nothing is left to do when yargs itself has answered, as for `--help`.
 * @throws OptionError for those that the command doesn't take
 */
export async function readArguments(
  named: Named,
  command: GroupedCommand,
): Promise<Work | undefined> {
  let work: Work | undefined;
  const parser = parserOf(named, command, (chosen) => {
    work = chosen;
  });
  const { help } = await parser.parseAsync();
  // Apart from yargs: it forgets examples when it comes to a command.
  if (help === true) process.stdout.write(`\n${examplesFor(named.words)}\n`);
  return work;
}

/**
 * A parser with the command as yargs' default: after any other it lays out the help, which takes
 * longer than a run.
 * @param start is told what the arguments ask for
 */
function parserOf(
  named: Named,
  { positionals, describe, build, run }: GroupedCommand,
  start: (work: Work) => void,
): Argv {
  const parser: Argv = yargs([...shieldPositionals(named.rest)])
    .scriptName([programName(), ...named.words].join(' '))
    .locale('en')
    // Its types don't know of sentences with a plural.
    .updateStrings(SENTENCES as Record<string, unknown> as Record<string, string>)
    .strict()
    .parserConfiguration({ 'parse-positional-numbers': false })
    .version(ownVersion())
    .alias(ALIASES)
    .wrap(helpWidth())
    .exitProcess(false)
    .fail((message, error) => {
      // yargs has errors of its own kind for some wrong arguments, and messages for others.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw usageMistake(message ?? error?.message, named, parser);
    });
  const required = positionalsOf(positionals).map(({ name }) => name);
  return parser.command({
    command: ['$0', positionals].join(' ').trimEnd(),
    describe,
    builder: (argv: Argv) => build(argv).demandOption(required),
    handler: (args: Record<string, unknown>) => {
      checkArguments(args, named.rest);
      start(() => run(args));
    },
  });
}
