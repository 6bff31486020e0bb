import yargs from 'yargs';
import { DocferryError, MappingError, SourceError } from '../model/errors.js';
import { VERSION } from '../model/version.js';
import { OutputError } from '../outputs/output-file.js';
import type { Command, CommandGroup } from './command.js';
import { API } from './commands/api.js';
import { IMPORT, VALIDATE } from './commands/import.js';
import { JOBS } from './commands/jobs.js';
import { GUESS } from './commands/mapping/guess.js';
import { MAPPING } from './commands/mapping/mapping.js';
import { PREVIEW } from './commands/mapping/preview.js';
import { STUDIO } from './commands/mapping/studio.js';
import { MONITORINGS } from './commands/monitorings.js';
import { REPORT } from './commands/report.js';
import { RUNS, VERIFY } from './commands/runs.js';
import { SANDBOX } from './commands/sandbox.js';
import { TARGET_SINGER } from './commands/target-singer.js';
import { helpWidth, withHelp } from './help.js';
import { jsonText, logError, print, withoutSecrets } from './print.js';
import { toYargsModule } from './register-command.js';
import { usageError, YARGS_MESSAGES } from './usage-error.js';

/** All commands, in the order of `--help`. Each loads its implementation when it runs. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  IMPORT,
  VALIDATE,
  PREVIEW,
  GUESS,
  STUDIO,
  JOBS,
  RUNS,
  REPORT,
  VERIFY,
  TARGET_SINGER,
  MAPPING,
  MONITORINGS,
  API,
  SANDBOX,
];

/**
 * Runs one command line and sets the exit status of the process (see `docs/report.md`). Prints a
 * {@link DocferryError} as a sentence on stderr.
 * @throws any other error
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  handleOutputErrors();
  try {
    await parse(args);
  } catch (error) {
    // Errors during completion are ignored: they would disturb the line being typed.
    if (isCompletionRequest(args)) return;
    if (!(error instanceof DocferryError)) throw error;
    process.exitCode = printError(error);
    if (asksForJson(args)) printErrorAsJson(error);
  }
}

/** Returns whether stdout is for one JSON value. The words may be wrong, so they aren't parsed. */
function asksForJson(args: readonly string[]): boolean {
  return /(^| )--json(=true)?( |$)/.test(args.join(' '));
}

async function parse(args: readonly string[]): Promise<void> {
  // yargs answers in the format of $SHELL, which a bash below a zsh has from it. Only zsh's script
  // exports the line.
  if (isCompletionRequest(args)) {
    process.env['SHELL'] = process.env['COMP_LINE'] === undefined ? 'bash' : 'zsh';
  }
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const parser = withHelp(yargs([...asked]), HELP)
    // Shells complete lines that start with docferry; elsewhere, rows would repeat the name.
    .scriptName(args[0] === 'completion' ? 'docferry' : '')
    .locale('en')
    // yargs' types lack messages with a plural.
    .updateStrings(YARGS_MESSAGES as Record<string, unknown> as Record<string, string>)
    .command(COMMANDS.map((command) => toYargsModule(command, args)))
    .completion('completion', 'Print a script that lets the shell complete commands with Tab')
    .demandCommand(1, `Name a command. Example: \`docferry ${HELP.examples[0]}\``)
    .recommendCommands()
    .strictCommands()
    .strictOptions()
    .parserConfiguration({ 'parse-positional-numbers': false })
    .alias({ h: 'help', v: 'version' })
    .version(VERSION)
    .wrap(helpWidth())
    .exitProcess(isCompletionRequest(args))
    .fail((message, error) => {
      throw usageError(message, error, { path: [], usage: '<command>' });
    });
  if (args.length > 0) {
    await parser.parseAsync();
    return;
  }
  // Without a command, list all commands.
  process.stderr.write(`${await parser.getHelp()}\n`);
  process.exitCode = 2;
}

/** Returns whether a shell's completion script asks for words to offer. */
function isCompletionRequest([first]: readonly string[]): boolean {
  return first === '--get-yargs-completions';
}

const HELP = {
  usage: '<command>',
  describe: 'Bring review exports into a social listening platform.',
  examples: [
    'guess reviews.csv -o mapping.yaml',
    'validate reviews.csv -m mapping.yaml',
    'import reviews.csv -m mapping.yaml --monitoring 1 --sandbox',
  ],
};

function printError({ message, exitCode }: DocferryError): number {
  logError(message);
  return exitCode;
}

/** Prints an error as a command's only JSON value, for programs that read its stdout. */
function printErrorAsJson(error: DocferryError): void {
  const { name: kind, exitCode } = error;
  const message = withoutSecrets(error.message);
  const isOfFile = error instanceof MappingError || error instanceof SourceError;
  const file = isOfFile && error.file !== undefined ? withoutSecrets(error.file) : null;
  const [first] = error instanceof MappingError ? error.mistakes : [];
  const { line = null, column = null } = first ?? {};
  print(jsonText({ error: { kind, message, file, line, column, exitCode } }));
}

/**
 * Ignores a closed pipe, as after `docferry … | head`; any other error, for example a full disk, is
 * fatal.
 */
function handleOutputErrors(): void {
  for (const [name, stream] of Object.entries({ stdout: process.stdout, stderr: process.stderr })) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exit(printError(new OutputError(name, error)));
    });
  }
}
