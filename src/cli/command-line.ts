import yargs, { type Argv } from 'yargs';
import { ownVersion } from '../api/transport/http-transport.js';
import { DocferryError } from '../model/errors.js';
import { OutputError } from '../outputs/output-file.js';
import { printable } from '../report/printable.js';
import { SENTENCES, toModule, usageError } from './command.js';
import { COMMANDS } from './commands.js';
import { chooseShell, complete, isCompletion } from './completion.js';
import { programName } from './print.js';
import { systemFailure } from './system-failure.js';

/**
 * Runs one command line; the process then has its exit status (see the contract in
 * `docs/report.md`). Every error ends here, as a sentence on stderr; a stack trace only ever shows a
 * mistake of docferry's own.
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  heedOutputErrors();
  try {
    await parse(args);
  } catch (error) {
    // Tab shows no errors.
    if (!isCompletion(args)) process.exitCode = explain(error);
  }
}

async function parse(args: readonly string[]): Promise<void> {
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : chooseShell(args);
  const parser = yargs(shieldPositionals(asked))
    // Shells complete lines that start with docferry, however it was called here.
    .scriptName(args[0] === 'completion' ? 'docferry' : programName())
    .usage('$0 <command>\n\nBring review exports into a social listening platform.')
    .locale('en')
    // Its types don't know of sentences with a plural.
    .updateStrings(SENTENCES as Record<string, unknown> as Record<string, string>)
    .command(COMMANDS.map((command) => toModule(command)))
    .completion(
      'completion',
      'Print a script with which bash or zsh completes commands at Tab',
      complete,
    )
    .example(EXAMPLES.map((line): [string, string] => [`$0 ${line}`, '']))
    .demandCommand(1, 'Name a command first, then its options.')
    .recommendCommands()
    .strictCommands()
    .strict()
    .parserConfiguration({ 'parse-positional-numbers': false })
    .middleware(unshield, true)
    .alias({ h: 'help', v: 'version' })
    .version(ownVersion())
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(isCompletion(args))
    .fail((message, error) => {
      throw usageError(message, error, { path: [], usage: '<command>' });
    });
  // It would lay out a command's help each time the command runs, in a tenth of a start's time.
  usageOf(parser).cacheHelpMessage = () => {};
  if (args.length > 0) {
    await parser.parseAsync();
    return;
  }
  // What a line without a command needs is the list.
  process.stderr.write(`${await parser.getHelp()}\n`);
  process.exitCode = 2;
}

/** Of yargs' internals, which its types leave out. */
function usageOf(parser: Argv): { cacheHelpMessage: () => void } {
  const internals = parser as Argv & {
    getInternalMethods(): { getUsageInstance(): { cacheHelpMessage: () => void } };
  };
  return internals.getInternalMethods().getUsageInstance();
}

const EXAMPLES = [
  'guess reviews.csv -o guessed.yaml',
  'validate reviews.csv -m mapping.yaml',
  'import reviews.csv -m mapping.yaml --monitoring 1 --sandbox',
];

/** Marks words that yargs would drop or take for flags. */
const SHIELD = '\u0000';

/** Words so that yargs takes them for positionals: a `-`, and everything behind a `--`. */
function shieldPositionals(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const behind = end < 0 ? [] : words.slice(end + 1);
  return [
    ...before.map((word) => (word === '-' ? `${SHIELD}-` : word)),
    ...behind.map((word) => (word.startsWith('-') ? `${SHIELD}${word}` : word)),
  ];
}

function unshield(args: Record<string, unknown>): void {
  const plain = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(SHIELD) ? value.slice(1) : value;
  for (const [name, value] of Object.entries(args)) {
    args[name] = Array.isArray(value) ? value.map(plain) : plain(value);
  }
}

function explain(error: unknown): number {
  if (error instanceof DocferryError) {
    // A message may quote the service, or a name of a file.
    const lines = error.message.split('\n').map(printable);
    process.stderr.write(`docferry: ${lines.join('\n')}\n`);
    return error.exitCode;
  }
  const failure = systemFailure(error);
  if (failure !== undefined) {
    process.stderr.write(`docferry: ${failure.message}\n`);
    return failure.exitCode;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `docferry: this is a mistake in docferry itself, please report it.\n${trace}\n`,
  );
  return 70;
}

/** `docferry … | head` must not end with an error when `head` has seen enough; a full disk must. */
function heedOutputErrors(): void {
  for (const [name, stream] of Object.entries({ stdout: process.stdout, stderr: process.stderr })) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exit(explain(new OutputError(name, error)));
    });
  }
}
