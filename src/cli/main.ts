#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { StartCache } from './start-cache.js';
import { startFile } from './start-file.js';
import { systemFailure } from './system-failure.js';

// Everybody on a machine can read what a process was started with: no password stays there.
if (process.argv.some((argument) => /^--state(=|$)/.test(argument))) process.title = 'docferry';

/** The exit code of a line that can't be done, as it may name no command. */
const MISUSED = 2;
/** Later, V8 has thrown away what it compiled for the start, in seconds. */
const EARLY_S = 5;

const [, , command] = process.argv;
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = new StartCache(startFile(here, command, process.env));

void start();

async function start(): Promise<void> {
  try {
    const program = cache.load(new URL('./command-line.cjs', import.meta.url)) as Program;
    program.recallZones(cache.answers);
    process.exitCode = await program.runCommandLine(process.argv.slice(2));
    if (process.exitCode !== MISUSED && process.uptime() < EARLY_S) {
      cache.keep(program.zonesAsText());
    }
  } catch (error) {
    // Even to load it may fail: no file can be opened, or the working folder is gone.
    const failure = systemFailure(error);
    if (failure === undefined) throw error;
    process.stderr.write(`docferry: ${failure.message}\n`);
    process.exitCode = failure.exitCode;
  }
}

type Program = typeof import('./command-line.js');
