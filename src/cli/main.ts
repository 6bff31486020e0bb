#!/usr/bin/env node
import module from 'node:module';
import { systemFailure } from './system-failure.js';

// Everybody on a machine can read what a process was started with: no password stays there.
if (process.argv.some((argument) => /^--state(=|$)/.test(argument))) process.title = 'docferry';

// From Node 22 on, the next start needs less time.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

try {
  const { runCommandLine } = await import('./command-line.js');
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  // Loading it can fail, too: no file can be opened, or the working folder is gone.
  const failure = systemFailure(error);
  if (failure === undefined) throw error;
  process.stderr.write(`docferry: ${failure.message}\n`);
  process.exitCode = failure.exitCode;
}
