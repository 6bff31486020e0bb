import type { ClientBase, Pool } from 'pg';
import { DocferryError, JournalError, OptionError } from '../../../model/errors.js';
import { type DatabaseAddress, readAddress } from '../../../runs/state-address.js';
import { isPassing, reasonOf, refusalOf } from './failures.js';
import { makeTables } from './schema.js';

/** How long to wait for a database that has gone away, unless said otherwise, in milliseconds. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
const CONNECT_MS = 10_000;
/** A connection that says nothing for so long is gone, though nobody has closed it. */
const ANSWER_MS = 60_000;
const MAX_CONNECTIONS = 12;

/** A value of a statement. */
export type SqlParameter = string | number | boolean | null | Uint8Array | readonly unknown[];

/**
 * Whether a statement is tried once more while the database is away; told why it failed the last time.
 * Default: for a minute.
 */
export type Patience = (failure: unknown) => boolean;

/** No further try: what is old when it comes is of no use, or a person waits. */
export const AT_ONCE: Patience = () => false;

/** Runs statements on one connection, within a transaction. */
export interface Transaction {
  rows<Row extends object>(sql: string, values?: readonly SqlParameter[]): Promise<readonly Row[]>;
}

/**
 * The database that runs are kept in. A statement that fails because the database went away is tried
 * anew until it is back: whoever gives one makes sure that it may be run twice.
 */
export class Database {
  readonly address: DatabaseAddress;
  readonly pool: Pool;
  /** Whether runs may have begun, which a refusal stops; before, it keeps them from beginning. */
  #isOpen = false;

  private constructor(address: DatabaseAddress, pool: Pool) {
    this.address = address;
    this.pool = pool;
  }

  /**
   * Connects, and makes sure that the database can be used and has docferry's tables.
   * @param patience for a database that isn't there yet; default: none
   * @throws OptionError, JournalError
   */
  static async open(state: string, patience: Patience = AT_ONCE): Promise<Database> {
    const address = readAddress(state);
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      connectionString: address.url,
      application_name: 'docferry',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      // A command ends without waiting for idle connections.
      allowExitOnIdle: true,
      onConnect: readCommitted,
      types: { getTypeParser: (oid, format) => typeParser(pg.types, oid, format) },
    });
    // What happens to an idle connection shows when the next one is asked for.
    pool.on('error', ignore);
    // One that breaks while a statement waits says so to that, and once more to nobody.
    pool.on('connect', (client) => client.on('error', ignore));
    const database = new Database(address, pool);
    try {
      await database.#patiently(() => database.#check(), patience);
      await makeTables(database);
      database.#isOpen = true;
      return database;
    } catch (error) {
      await pool.end();
      throw database.failure(error);
    }
  }

  async rows<Row extends object>(
    sql: string,
    values: readonly SqlParameter[] = [],
    patience?: Patience,
  ): Promise<readonly Row[]> {
    return await this.#patiently(() => rowsOf<Row>(this.pool, sql, values), patience);
  }

  /** Runs statements as one transaction; all of them anew if the database goes away meanwhile. */
  async transaction<T>(
    use: (transaction: Transaction) => Promise<T>,
    patience?: Patience,
  ): Promise<T> {
    return await this.#patiently(async () => {
      const client = await this.pool.connect();
      let isBroken = true;
      try {
        await client.query('BEGIN');
        const result = await use({ rows: (sql, values = []) => rowsOf(client, sql, values) });
        await client.query('COMMIT');
        isBroken = false;
        return result;
      } catch (error) {
        isBroken = !(error instanceof DocferryError);
        await client.query('ROLLBACK').catch(ignore);
        throw error;
      } finally {
        client.release(isBroken);
      }
    }, patience);
  }

  /** An error as a sentence that names the database, without its password. */
  failure(error: unknown): unknown {
    if (error instanceof DocferryError) return error;
    const { shown } = this.address;
    const refusal = refusalOf(error);
    const message = `The state ${shown} ${refusal ?? reasonOf(error)}.`;
    const Failure = refusal === undefined || this.#isOpen ? JournalError : OptionError;
    return new Failure(message, { cause: error });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async #patiently<T>(run: () => Promise<T>, goOn = goOnFor(PATIENCE_MS)): Promise<T> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs)) {
      try {
        return await run();
      } catch (error) {
        const failure = this.failure(error);
        if (!isPassing(error) || !goOn(failure)) throw failure;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** @throws OptionError if what it has committed may be lost, or it is of no use in another way */
  async #check(): Promise<void> {
    const { rows } = await this.pool.query(
      `SELECT current_setting('server_version_num')::integer AS version,
       current_setting('transaction_read_only') AS "readOnly",
       current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('full_page_writes') AS full_page_writes`,
    );
    const reason = uselessness(rows[0] as ServerSettings, this.address.mayLose);
    if (reason !== undefined) throw new OptionError(`The state ${this.address.shown} ${reason}.`);
  }
}

/** What decides whether a server can keep runs. */
export interface ServerSettings {
  /** As in `server_version_num`: 150004 is 15.4. */
  readonly version: number;
  readonly readOnly: 'on' | 'off';
  /** Of the database, as in `server_encoding`. */
  readonly encoding: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
}

/** Why a server can't keep runs, as half a sentence; `undefined`: it can. */
export function uselessness(
  { version, readOnly, encoding, ...durability }: ServerSettings,
  mayLose: boolean,
): string | undefined {
  if (version < MIN_VERSION * 10_000) {
    return `is Postgres ${Math.floor(version / 10_000)}: docferry needs version ${MIN_VERSION} or newer`;
  }
  if (readOnly === 'on') {
    return 'is read-only (a replica?): give the address of the server that is written to';
  }
  if (encoding !== 'UTF8') {
    return `has the encoding ${encoding}, and reviews can hold any character: create a database with ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, and give its address`;
  }
  const [unsafe] = Object.entries(durability).find(([, setting]) => setting === 'off') ?? [];
  if (unsafe === undefined || mayLose) return undefined;
  return `has ${unsafe} off, so it may lose what it has committed, and documents would be imported twice: switch it on, or add ?may_lose_commits=true to the address`;
}

const MIN_VERSION = 15;

/**
 * Sets the isolation level that all statements are written for, the queue's included. The role or
 * the database may default to another. A statement, since poolers refuse unknown startup options.
 */
async function readCommitted(client: ClientBase): Promise<void> {
  await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED');
}

/** `true` for so long. */
export function goOnFor(ms: number): Patience {
  const end = performance.now() + ms;
  return () => performance.now() < end;
}

async function rowsOf<Row extends object>(
  asked: Pick<ClientBase, 'query'> | Pool,
  sql: string,
  values: readonly SqlParameter[],
): Promise<readonly Row[]> {
  return (await asked.query(sql, values as unknown[])).rows as readonly Row[];
}

function ignore(): void {}

const INT8 = 20;

/** Numbers of 64 bits are what JavaScript holds exactly; a claim's content is asked for as text. */
function typeParser(
  types: typeof import('pg').types,
  oid: number,
  format: 'text' | 'binary' | undefined,
) {
  return oid === INT8 ? Number : types.getTypeParser(oid, format as 'text');
}
