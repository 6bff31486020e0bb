import yargs, { type Argv } from 'yargs';
import { ownVersion } from '../api/transport/http-transport.js';
import { DocferryError } from '../model/errors.js';
import { OutputError } from '../outputs/output-file.js';
import { printable } from '../report/printable.js';
import { type Command, type CommandGroup, SENTENCES, toModule, usageError } from './command.js';
import { AUTHORS, CHART, CONTEXT, DOCUMENTS, INDICATORS } from './commands/documents.js';
import { FEED } from './commands/feed.js';
import { IMPORT, VALIDATE } from './commands/import.js';
import { GUESS } from './commands/mapping/guess.js';
import { MAPPING } from './commands/mapping/mapping.js';
import { PREVIEW } from './commands/mapping/preview.js';
import { STUDIO } from './commands/mapping/studio.js';
import { MONITORINGS } from './commands/monitorings.js';
import { REPORT, RUNS, VERIFY } from './commands/runs.js';
import { SANDBOX } from './commands/sandbox.js';
import { TARGET_SINGER } from './commands/target-singer.js';
import { WORKER } from './commands/worker.js';
import { programName } from './print.js';

/** All commands, in the order of `--help`. What they run is loaded when they run. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  IMPORT,
  VALIDATE,
  PREVIEW,
  GUESS,
  STUDIO,
  RUNS,
  REPORT,
  VERIFY,
  TARGET_SINGER,
  WORKER,
  MAPPING,
  MONITORINGS,
  DOCUMENTS,
  FEED,
  CONTEXT,
  AUTHORS,
  INDICATORS,
  CHART,
  SANDBOX,
];

/**
 * Runs one command line; the process then has its exit status (see the contract in
 * `docs/report.md`). A {@link DocferryError} becomes a sentence on stderr.
 * @throws any other error
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  heedOutputErrors();
  try {
    await parse(args);
  } catch (error) {
    // Tab shows no errors.
    if (asksForCompletion(args)) return;
    if (!(error instanceof DocferryError)) throw error;
    process.exitCode = explain(error);
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
      // yargs looks at how many parameters it has.
      async (
        current: string,
        _: unknown,
        byYargs: () => void,
        done: (values: string[]) => void,
      ) => {
        const { completeValue } = await import('./completion.js');
        const values = await completeValue(COMMANDS, current).catch(() => []);
        if (values === undefined) byYargs();
        else done(values);
      },
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
    .exitProcess(asksForCompletion(args))
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

/** Whether a shell's script asks what to offer at Tab. */
function asksForCompletion([first]: readonly string[]): boolean {
  return first === '--get-yargs-completions';
}

/**
 * Makes yargs answer in the form of the shell that asks or is named, whatever `$SHELL` is.
 * @returns the words that are left for yargs
 */
function chooseShell(args: readonly string[]): readonly string[] {
  const [first, shell = ''] = args;
  // Only zsh's script exports the line.
  if (asksForCompletion(args)) {
    process.env['SHELL'] = process.env['COMP_LINE'] === undefined ? 'bash' : 'zsh';
  }
  if (first !== 'completion' || !/^(bash|zsh)$/.test(shell)) return args;
  process.env['SHELL'] = shell;
  return [first, ...args.slice(2)];
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

/** A message may quote the service, or a name of a file. */
function explain({ message, exitCode }: DocferryError): number {
  const lines = message.split('\n').map(printable);
  process.stderr.write(`docferry: ${lines.join('\n')}\n`);
  return exitCode;
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
