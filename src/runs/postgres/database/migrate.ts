import { OptionError } from '../../../model/errors.js';
import type { Database, Transaction } from './database.js';
import { FUNCTIONS, MIGRATIONS, SCHEMA } from './schema.js';

/** A number of our own, so that two processes don't do this at once. */
const LOCK = 0x64_66_6d;

/**
 * Brings the tables to this version's form, each migration once.
 * @throws OptionError if they are of a newer version
 */
export async function migrate(database: Database): Promise<void> {
  if ((await versionOf(database)) === MIGRATIONS.length) return;
  await database.transaction(async (transaction) => {
    await transaction.rows('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const version = await versionOf(transaction);
    if (version > MIGRATIONS.length) {
      throw new OptionError(
        `The state ${database.address.shown} is of a newer docferry (its tables have version ${version}, and this docferry knows ${MIGRATIONS.length}): use that version here, too.`,
      );
    }
    if (version === 0) await begin(transaction);
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < version) continue;
      await transaction.rows(migration);
      await transaction.rows('INSERT INTO docferry.migrations (number) VALUES ($1)', [index + 1]);
    }
    await transaction.rows(FUNCTIONS);
  });
}

async function begin(transaction: Transaction): Promise<void> {
  await transaction.rows(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await transaction.rows(
    `CREATE TABLE IF NOT EXISTS docferry.migrations (
      number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())`,
  );
}

/** 0: there is nothing yet. */
async function versionOf(reader: Pick<Transaction, 'rows'>): Promise<number> {
  const [found] = await reader.rows<{ there: string | null }>(
    "SELECT to_regclass('docferry.migrations')::text AS there",
  );
  if (found?.there == null) return 0;
  const [row] = await reader.rows<{ version: number }>(
    'SELECT coalesce(max(number), 0)::integer AS version FROM docferry.migrations',
  );
  return row?.version ?? 0;
}
