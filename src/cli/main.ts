#!/usr/bin/env node
import { existsSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import path from 'node:path';
import { systemFailure } from './system-failure.js';

// Everybody on a machine can read what a process was started with: no password stays there.
if (process.argv.some((argument) => /^--state(=|$)/.test(argument))) process.title = 'docferry';

keepCompiledCode(process.env);

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

/**
 * Has Node keep what V8 has compiled for the next start, from Node 22 on, among the user's caches.
 * In the system's temporary folder, Node's default, others could put code that this user would run.
 * `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` are obeyed.
 */
function keepCompiledCode({ XDG_CACHE_HOME, HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => object };
  const caches = XDG_CACHE_HOME || (HOME ? path.join(HOME, '.cache') : LOCALAPPDATA);
  if (enableCompileCache === undefined || !caches) return;
  const folder = path.join(caches, 'docferry');
  try {
    // One by one: to make several at once, Node tries for ever on a file system like /proc.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Without it, docferry starts a little later.
  }
}
