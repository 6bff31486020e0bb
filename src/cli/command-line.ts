import yargs from 'yargs';
import { DocferryError, OptionError } from '../errors.js';
import { importCommand } from './commands/import.js';
import { mappingCommand } from './commands/mapping.js';
import { previewCommand } from './commands/preview.js';
import { sandboxCommand } from './commands/sandbox.js';
import { validateCommand } from './commands/validate.js';
import { version } from './version.js';

/**
 * Runs one command line and gives its exit status (see the contract in `docs/report.md`).
 * Every error ends here, as a sentence on stderr; a stack trace only ever shows a mistake of
 * docferry's own.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  let status = 0;
  const finish = (code: number): void => {
    status = code;
  };
  const parser = yargs(args.map((arg) => (arg === '-' ? DASH : arg)))
    .scriptName('docferry')
    .usage('$0 <command>\n\nBring review exports into a social listening platform.')
    .command(importCommand(finish))
    .command(validateCommand(finish))
    .command(previewCommand(finish))
    .command(mappingCommand(finish))
    .command(sandboxCommand(finish))
    .demandCommand(1, 'Say what to do: import, validate, preview, mapping or sandbox.')
    .recommendCommands()
    .strict()
    .parserConfiguration({ 'parse-positional-numbers': false })
    .middleware([restoreDashes, refuseRepeats])
    .version(version())
    .alias({ h: 'help' })
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      // yargs has errors of its own kind for some wrong arguments, and messages for others.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new OptionError(`${message ?? error?.message}\nSee docferry --help.`);
    });
  try {
    await parser.parseAsync();
    return status;
  } catch (error) {
    return explain(error);
  }
}

/** yargs drops a positional `-`, so that it travels under another name. */
const DASH = '\u0000-';

function restoreDashes(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args)) {
    if (value === DASH) args[name] = '-';
    else if (Array.isArray(value)) args[name] = value.map((item) => (item === DASH ? '-' : item));
  }
}

/** What may be given several times are positionals; an option that comes twice is a slip. */
function refuseRepeats(args: Readonly<Record<string, unknown>>): void {
  const lists = new Set(['_', 'input', 'file']);
  const repeated = Object.keys(args).find((name) => !lists.has(name) && Array.isArray(args[name]));
  if (repeated === undefined) return;
  const flag = repeated.length === 1 ? `-${repeated}` : `--${repeated}`;
  throw new OptionError(`${flag} is given more than once: leave one.`);
}

function explain(error: unknown): number {
  if (error instanceof DocferryError) {
    process.stderr.write(`docferry: ${error.message}\n`);
    return error.exitCode;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `docferry: this is a mistake in docferry itself, please report it.\n${trace}\n`,
  );
  return 70;
}

/** `docferry … | head` must not end with an error when `head` has seen enough. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
