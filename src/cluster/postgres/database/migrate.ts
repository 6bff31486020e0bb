import { OptionError } from '../../../model/errors.js';
import type { Database, Transaction } from './database.js';
import { FUNCTIONS, MIGRATIONS, QUEUE_SCHEMA, SCHEMA } from './schema.js';

/** A number of our own, so that two processes don't do this at once. */
const LOCK = 0x64_66_6d;

/**
 * Brings the tables to this version's form, each migration once, and the queue's own with them.
 * @throws OptionError if they are of a newer version
 */
export async function migrate(database: Database): Promise<void> {
  if ((await versionOf(database)) === MIGRATIONS.length) return;
  await database.transaction(async (transaction) => {
    await transaction.rows('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const version = await versionOf(transaction);
    if (version === MIGRATIONS.length) return;
    if (version > MIGRATIONS.length) {
      throw new OptionError(
        `The state ${database.address.shown} is of a newer docferry (its tables have version ${version}, and this docferry knows ${MIGRATIONS.length}): use that version here, too.`,
      );
    }
    if (version === 0) await transaction.rows(BEGIN);
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < version) continue;
      await transaction.rows(migration);
      await transaction.rows('INSERT INTO docferry.migrations (number) VALUES ($1)', [index + 1]);
    }
    await transaction.rows(FUNCTIONS);
    // In transactions of its own: if this one isn't committed, it finds them made the next time.
    const { Logger, runMigrations } = await import('graphile-worker');
    const logger = new Logger(() => () => {});
    await runMigrations({ pgPool: database.pool, schema: QUEUE_SCHEMA, logger });
  });
}

const BEGIN = `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
  CREATE TABLE IF NOT EXISTS docferry.migrations (
    number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())`;

/**
 * Version of the tables; 0: there are none yet. Reads `pg_class`, since `to_regclass` answers from
 * the connection's cache, which misses tables that were made while it waited for the lock.
 */
async function versionOf(reader: Pick<Transaction, 'rows'>): Promise<number> {
  const found = await reader.rows(
    `SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = 'migrations'`,
    [SCHEMA],
  );
  if (found.length === 0) return 0;
  const [row] = await reader.rows<{ version: number }>(
    'SELECT coalesce(max(number), 0)::integer AS version FROM docferry.migrations',
  );
  return row?.version ?? 0;
}
