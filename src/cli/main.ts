#!/usr/bin/env node
import module from 'node:module';

// Hide the command line, which every user of the machine can read, if it may hold a password.
if (process.argv.some((argument) => /^--state(=|$)/.test(argument))) process.title = 'docferry';

// Node 22 and later; makes the next start faster.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EMFILE:
    'This process has reached its limit of open files: raise it (`ulimit -n`; 256 is enough).',
  ENFILE: 'The system has reached its limit of open files: end other programs, or raise it.',
  ENOMEM: 'The system has no memory left for this process.',
};

const NO_ADDRESS_SPACE =
  'There is not enough memory for WebAssembly, which docferry needs for its hashes: raise the limit of address space (`ulimit -v`, usually unlimited).';

try {
  const { runCommandLine } = await import('./command-line.js');
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  // Loading the module can fail, too: if no file can be opened, or the working folder is gone.
  const { message, exitCode } = systemFailure(error) ?? {
    message: `this is a bug in docferry, please report it.\n${stackOf(error)}`,
    exitCode: 70,
  };
  process.stderr.write(`docferry: ${message}\n`);
  if (process.argv.includes('--json')) {
    const error = { kind: 'Error', message, file: null, line: null, column: null, exitCode };
    process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
  }
  process.exitCode = exitCode;
}

/**
 * Recognises failures of the operating system, with an exit status of `docs/report.md`; `undefined`
 * for any other error.
 */
function systemFailure(error: unknown): { message: string; exitCode: number } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') {
    const message = 'The working folder no longer exists: change to another (`cd`).';
    return { message, exitCode: 2 };
  }
  const isWasm = error instanceof RangeError && /^WebAssembly\..*memory/i.test(error.message);
  const message = isWasm ? NO_ADDRESS_SPACE : SYSTEM_ERRORS[code];
  return message === undefined ? undefined : { message, exitCode: 4 };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
