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
 * @throws OptionError if it isn't installed
 */
export function loadSqlite(): typeof Database {
  try {
    return nodeRequire('libsql');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new OptionError(
      `SQLite isn't installed for ${process.platform}-${process.arch}. docferry needs it for its ledger and sandbox. Its binary is an optional package: reinstall docferry on this platform without --omit=optional (npm install --include=optional).`,
    );
  }
}
