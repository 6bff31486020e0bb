import yargs from 'yargs';
import { DocferryError, OptionError } from '../errors.js';
import { OutputError } from '../report/output-file.js';
import { printable } from '../report/printable.js';
import { authorsCommand } from './commands/authors.js';
import { chartCommand } from './commands/chart.js';
import { contextCommand } from './commands/context.js';
import { documentsCommand } from './commands/documents.js';
import { feedCommand } from './commands/feed.js';
import { importCommand } from './commands/import.js';
import { indicatorsCommand } from './commands/indicators.js';
import { mappingCommand } from './commands/mapping.js';
import { monitoringsCommand } from './commands/monitorings.js';
import { previewCommand } from './commands/preview.js';
import { sandboxCommand } from './commands/sandbox.js';
import { validateCommand } from './commands/validate.js';
import { REPEATABLE } from './repeatable.js';
import { version } from './version.js';

/**
 * Runs one command line and gives its exit status (see the contract in `docs/report.md`).
 * Every error ends here, as a sentence on stderr; a stack trace only ever shows a mistake of
 * docferry's own.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  heedOutputErrors();
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
    .command(monitoringsCommand(finish))
    .command(documentsCommand(finish))
    .command(feedCommand(finish))
    .command(contextCommand(finish))
    .command(authorsCommand(finish))
    .command(indicatorsCommand(finish))
    .command(chartCommand(finish))
    .command(sandboxCommand(finish))
    .demandCommand(
      1,
      'Say what to do: import, validate, preview or mapping for files; monitorings, documents, ' +
        'feed, context, authors, indicators or chart for what the service holds; or sandbox.',
    )
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

/** Positionals that are lists, under both names that yargs gives them. */
const POSITIONAL_LISTS = ['_', 'input', 'file', 'search-id', 'searchId'];

/** But for those that are meant to, an option that comes twice is a slip. */
function refuseRepeats(args: Readonly<Record<string, unknown>>): void {
  const lists = new Set([...POSITIONAL_LISTS, ...REPEATABLE]);
  const repeated = Object.keys(args).find((name) => !lists.has(name) && Array.isArray(args[name]));
  if (repeated === undefined) return;
  const flag = repeated.length === 1 ? `-${repeated}` : `--${repeated}`;
  throw new OptionError(`${flag} is given more than once: leave one.`);
}

function explain(error: unknown): number {
  if (error instanceof DocferryError) {
    // A message may quote the service, or a name of a file.
    const lines = error.message.split('\n').map(printable);
    process.stderr.write(`docferry: ${lines.join('\n')}\n`);
    return error.exitCode;
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
