#!/usr/bin/env node
import module from 'node:module';

// Everybody on a machine can read what a process was started with: no password stays there.
if (process.argv.some((argument) => /^--state(=|$)/.test(argument))) process.title = 'docferry';

// From Node 22 on, the next start needs less time.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

/** By the system's own code. */
const REFUSALS: Readonly<Record<string, string>> = {
  EMFILE:
    'The system lets this process open no more files: raise the limit (`ulimit -n`; 256 will do).',
  ENFILE: 'The system can open no more files: end other programs, or raise its limit.',
  ENOMEM: 'The system has no memory left for this process.',
};

try {
  const { runCommandLine } = await import('./command-line.js');
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  // Loading it can fail, too: no file can be opened, or the working folder is gone.
  const { message, exitCode } = systemFailure(error) ?? {
    message: `this is a mistake in docferry itself, please report it.\n${stackOf(error)}`,
    exitCode: 70,
  };
  process.stderr.write(`docferry: ${message}\n`);
  process.exitCode = exitCode;
}

/** What the system refused to the process: the message, and the exit status of `docs/report.md`. */
interface SystemFailure {
  readonly message: string;
  readonly exitCode: number;
}

/** What an error says that the system refused; `undefined`: it is about something else. */
function systemFailure(error: unknown): SystemFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') {
    return {
      message: 'The folder that this was started in is gone: change to one that is there (`cd`).',
      exitCode: 2,
    };
  }
  const message =
    error instanceof RangeError && /^WebAssembly\..*memory/i.test(error.message)
      ? 'There is not enough memory for WebAssembly, which docferry needs for its hashes: raise the limit of address space (`ulimit -v`; unlimited is usual).'
      : REFUSALS[code ?? ''];
  return message === undefined ? undefined : { message, exitCode: 4 };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
