/** Creates what is in `sql/`, and recognises what another version has created. */
import { readFile } from 'node:fs/promises';
import { OptionError } from '../../../model/errors.js';
import type { DatabaseAddress } from '../../state-address.js';
import type { Transaction } from './transaction.js';

/** What the tables and functions are made with, in order. */
const SCRIPTS = ['1-tables.sql', '2-write.sql'];

export const VERSION = 12;

/** The last version whose imports were processed by workers. */
const LAST_OF_WORKERS = 10;

/** Advisory lock that serialises the creation of tables. */
const MIGRATION_LOCK = 0x64_66_6d;

/** The part of a database that creating its tables needs. */
interface NewDatabase extends Transaction {
  readonly address: Pick<DatabaseAddress, 'shown'>;
  transaction(use: (transaction: Transaction) => Promise<void>): Promise<void>;
}

/**
 * Creates docferry's tables, unless they exist.
 * @throws OptionError if the tables have another version
 */
export async function createTables(database: NewDatabase): Promise<void> {
  if ((await versionOf(database)) === VERSION) return;
  await database.transaction(async (transaction) => {
    await transaction.rows('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await versionOf(transaction);
    if (version === VERSION) return;
    if (version !== 0) throw wrongVersion(database.address.shown, version);
    for (const name of SCRIPTS) {
      await transaction.rows(await readFile(new URL(`sql/${name}`, import.meta.url), 'utf8'));
    }
    await transaction.rows(
      `CREATE TABLE docferry.migrations AS SELECT ${VERSION} AS number, clock_timestamp() AS at`,
    );
  });
}

function wrongVersion(place: string, version: number): OptionError {
  const reason =
    version <= LAST_OF_WORKERS
      ? 'by a docferry whose imports were processed by workers: finish them with that docferry, and name an empty database here, which does not know what was imported before: import only new files with it'
      : `by another version of docferry (its tables have version ${version}, and this docferry needs ${VERSION}): use that version here, too, or name another database`;
  return new OptionError(`The state ${place} was created ${reason}.`);
}

/**
 * Version of the tables, or 0 if there are none. Reads `pg_class` because `to_regclass` may answer
 * from the connection's cache, which misses tables created while it waited for the lock.
 */
async function versionOf(reader: Transaction): Promise<number> {
  const found = await reader.rows(
    `SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = 'docferry' AND c.relname = 'migrations'`,
  );
  if (found.length === 0) return 0;
  const [row] = await reader.rows<{ version: number }>(
    'SELECT coalesce(max(number), 0)::integer AS version FROM docferry.migrations',
  );
  return row?.version ?? 0;
}
