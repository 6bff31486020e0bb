import { Buffer } from 'node:buffer';
import type { RecordRange } from '../../model/record-ranges.js';
import { asBytes, asInteger, type DurableDatabase } from './database.js';
import { damaged } from './failures.js';
import { RecordStates } from './record-states.js';
import { rowCheck } from './row-check.js';

/**
 * Makes the table of what other runs brought in. They have no numbers, as entries have: a process
 * that goes on with this run may be writing entries just then.
 */
export const MENDED_TABLE = `
CREATE TABLE IF NOT EXISTS mended (
  input INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  run TEXT NOT NULL,
  row_check INTEGER NOT NULL,
  PRIMARY KEY (input, first, last)
) WITHOUT ROWID;`;

/** Writes down that another run imported these records, mended. Once is as good as twice. */
export function addMended(
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

interface MendedRow {
  readonly input: number;
  readonly first: number;
  readonly last: number;
  readonly run: ArrayBuffer;
  readonly row_check: number;
}

const ROWS = `SELECT ${asInteger('input')}, ${asInteger('first')}, ${asInteger('last')},
  ${asBytes('run')}, ${asInteger('row_check')} FROM mended ORDER BY 1, 2, 3`;

/**
 * For each record that another run imported, mended, that run's id.
 * @throws JournalError if a row isn't what was written
 */
export function readMended(database: DurableDatabase): RecordStates<string> {
  const mended = new RecordStates<string>();
  for (const row of database.all<MendedRow>(ROWS)) {
    const { input, first, last } = row;
    const run = Buffer.from(row.run);
    if (rowCheck([input, first, last, run]) !== row.row_check) {
      throw damaged(database.file, 'what it says of mended records is not what was written');
    }
    mended.set({ input, from: first, to: last }, run.toString());
  }
  return mended;
}
