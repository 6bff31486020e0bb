#!/usr/bin/env node
import { systemFailure } from './system-failure.js';

// Everybody on a machine can read what a process was started with: no password stays there.
if (process.argv.some((argument) => /^--state(=|$)/.test(argument))) process.title = 'docferry';

// What follows may fail to load: no file can be opened, or the working folder is gone.
try {
  const { runCommandLine } = await import('./command-line.js');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} catch (error) {
  const failure = systemFailure(error);
  if (failure === undefined) throw error;
  process.stderr.write(`docferry: ${failure.message}\n`);
  process.exitCode = failure.exitCode;
}
