import { createRequire } from 'node:module';
import type Database from 'libsql';
import { OptionError } from './errors.js';

const nodeRequire = createRequire(import.meta.url);

/**
 * Opens a SQLite database. The library is loaded on demand, so that everything else works where its
 * binary for this platform isn't installed.
 * @throws OptionError if it isn't installed; libsql's errors
 */
export function openSqlite(file: string, options: Database.Options): Database.Database {
  return new (loadSqlite())(file, options);
}

/**
 * Loads libsql. Called before worker threads start: libsql asks Node for a report of the process to
 * find the C library, which interrupts each thread.
 * @throws OptionError if it isn't installed, or can't be loaded here
 */
export function loadSqlite(): typeof Database {
  try {
    return nodeRequire('libsql');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const platform = `${process.platform}-${process.arch}`;
    if (code === 'ERR_DLOPEN_FAILED') {
      throw new OptionError(
        `SQLite's binary for ${platform} can't be loaded (${message}). docferry needs it for its ledger and sandbox: reinstall docferry on this machine, in an image with the libraries that the message names.`,
      );
    }
    if (code !== 'MODULE_NOT_FOUND') throw error;
    throw new OptionError(
      `SQLite isn't installed for ${platform}. docferry needs it for its ledger and sandbox. Its binary is an optional package: reinstall docferry on this platform without --omit=optional (npm install --include=optional).`,
    );
  }
}
