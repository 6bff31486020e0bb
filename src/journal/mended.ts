import type { RecordRange } from '../record-ranges.js';
import type { DurableDatabase } from './database.js';
import { RecordStates } from './record-states.js';

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
  PRIMARY KEY (input, first, last)
) WITHOUT ROWID;`;

/** Writes down that another run imported these records, mended. Once is as good as twice. */
export function addMended(
  database: DurableDatabase,
  records: readonly RecordRange[],
  run: string,
): void {
  const sql = 'INSERT OR REPLACE INTO mended (input, first, last, run) VALUES (?, ?, ?, ?)';
  database.transaction(() => {
    for (const { input, from, to } of records) database.run(sql, [input, from, to, run]);
  });
}

interface MendedRow {
  readonly input: number;
  readonly first: number;
  readonly last: number;
  readonly run: string;
}

/** For each record that another run imported, mended, that run's id. */
export function readMended(database: DurableDatabase): RecordStates<string> {
  const mended = new RecordStates<string>();
  const rows = database.all<MendedRow>('SELECT * FROM mended ORDER BY input, first, last');
  for (const { input, first, last, run } of rows) mended.set({ input, from: first, to: last }, run);
  return mended;
}
