import { DocferryError } from '../model/errors.js';
import { OutputError } from '../outputs/output-file.js';
import { printable } from '../report/printable.js';
import { readCommandLine } from './read-command-line.js';
import { systemFailure } from './system-failure.js';

/**
 * Runs one command line and gives its exit status (see the contract in `docs/report.md`).
 * Every error ends here, as a sentence on stderr; a stack trace only ever shows a mistake of
 * docferry's own.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  heedOutputErrors();
  try {
    const work = await readCommandLine(args);
    return work === undefined ? 0 : await work();
  } catch (error) {
    return explain(error);
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
