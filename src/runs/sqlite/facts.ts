import { Buffer } from 'node:buffer';
import { damaged, rowCheck } from './damage.js';
import { asBytes, asInteger, type DurableDatabase } from './database.js';

/** Makes the table of facts about a whole run, as JSON by name. */
export const FACTS_TABLES = `
CREATE TABLE IF NOT EXISTS facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  row_check INTEGER NOT NULL
) WITHOUT ROWID;`;

/**
 * `undefined`: nobody has said so.
 * @throws JournalError if it isn't what was written
 */
export function readFact<T>(database: DurableDatabase, name: string): T | undefined {
  const sql = `SELECT ${asBytes('value')}, ${asInteger('row_check')} FROM facts WHERE name = ?`;
  const [row] = database.all<{ value: ArrayBuffer; row_check: number }>(sql, [name]);
  if (row === undefined) return undefined;
  const value = Buffer.from(row.value);
  if (rowCheck([name, value]) !== row.row_check) {
    throw damaged(database.file, `its ${name} is not what was written`);
  }
  return JSON.parse(value.toString()) as T;
}

/** Says so, whatever was said before. */
export function writeFact(database: DurableDatabase, name: string, value: unknown): void {
  const text = JSON.stringify(value);
  const sql = 'INSERT OR REPLACE INTO facts (name, value, row_check) VALUES (?, ?, ?)';
  database.run(sql, [name, text, rowCheck([name, text])]);
}

/** Nothing is said any more. */
export function removeFact(database: DurableDatabase, name: string): void {
  database.run('DELETE FROM facts WHERE name = ?', [name]);
}
