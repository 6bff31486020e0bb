import { Buffer } from 'node:buffer';
import type { RecordRange } from '../../model/record-ranges.js';
import { RecordStates } from '../../model/record-ranges.js';
import { damaged, rowCheck } from './damage.js';
import { asBytes, asInteger, type DurableDatabase } from './database.js';

/**
 * Makes the tables of what there is to say of a whole run, as JSON by name, and of records that
 * other runs imported once they were fixed. The latter have no numbers, as entries have: another
 * process may be writing entries just then.
 */
export const FACTS_TABLES = `
CREATE TABLE IF NOT EXISTS facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  row_check INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mended (
  input INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  run TEXT NOT NULL,
  row_check INTEGER NOT NULL,
  PRIMARY KEY (input, first, last)
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

/** Writes down that another run imported these records. Once is as good as twice. */
export function addFixed(
  database: DurableDatabase,
  records: readonly RecordRange[],
  run: string,
): void {
  const sql =
    'INSERT OR REPLACE INTO mended (input, first, last, run, row_check) VALUES (?, ?, ?, ?, ?)';
  database.transaction(() => {
    for (const { input, from, to } of records) {
      const values = [input, from, to, run];
      database.run(sql, [...values, rowCheck(values)]);
    }
  });
}

interface FixedRow {
  readonly input: number;
  readonly first: number;
  readonly last: number;
  readonly run: ArrayBuffer;
  readonly row_check: number;
}

const FIXED = `SELECT ${asInteger('input')}, ${asInteger('first')}, ${asInteger('last')},
  ${asBytes('run')}, ${asInteger('row_check')} FROM mended ORDER BY 1, 2, 3`;

/**
 * For each record that another run imported once it was fixed, that run's id.
 * @throws JournalError if a row isn't what was written
 */
export function readFixed(database: DurableDatabase): RecordStates<string> {
  const fixed = new RecordStates<string>();
  for (const row of database.all<FixedRow>(FIXED)) {
    const { input, first, last } = row;
    const run = Buffer.from(row.run);
    if (rowCheck([input, first, last, run]) !== row.row_check) {
      throw damaged(database.file, 'what it says of fixed records is not what was written');
    }
    fixed.set({ input, from: first, to: last }, run.toString());
  }
  return fixed;
}
