import type { ClientBase, Pool } from 'pg';
import { DocferryError, JournalError, OptionError } from '../../../model/errors.js';
import { type DatabaseAddress, readAddress } from '../../state-address.js';
import { isDriverError, isTransient, reasonOf, refusalOf } from './failures.js';
import { createTables } from './schema.js';
import type { SqlParameter, Transaction } from './transaction.js';

/** Default time to retry while the database is away, in milliseconds. */
const RETRY_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Time after which a silent connection is considered dead, in milliseconds. */
const QUERY_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 12;

/** Decides after a transient failure whether to try again. Default: for a minute. */
export type RetryPolicy = (failure: unknown) => boolean;

/** Doesn't retry: a late result would be useless, or the user is waiting. */
export const NO_RETRY: RetryPolicy = () => false;

/**
 * Connection pool of the state. Statements that fail because the database went away are retried, so
 * they must be idempotent.
 */
export class Database {
  readonly address: DatabaseAddress;
  readonly pool: Pool;
  /**
   * Once opened, a refusal interrupts a run (JournalError); before that, it's a configuration error
   * (OptionError).
   */
  #isOpen = false;
  /** Errors that ended connections, as the server reported them. */
  readonly #ended = new WeakMap<ClientBase, Error>();

  private constructor(address: DatabaseAddress, pool: Pool) {
    this.address = address;
    this.pool = pool;
  }

  /**
   * Connects, checks the server's settings, and creates docferry's tables if they are missing.
   * @param retry for a database that isn't available yet; default: none
   * @throws OptionError, JournalError
   */
  static async open(state: string, retry: RetryPolicy = NO_RETRY): Promise<Database> {
    const address = readAddress(state);
    const { default: pg } = await import('pg');
    const types = new pg.TypeOverrides();
    // All stay below 2^53, except claim contents, which are read as text.
    types.setTypeParser(pg.types.builtins.INT8, Number);
    const pool = new pg.Pool({
      connectionString: address.url,
      application_name: 'docferry',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      // Lets the process exit while connections are idle.
      allowExitOnIdle: true,
      onConnect: prepareConnection,
      types,
    });
    // Errors of idle connections surface on their next use.
    pool.on('error', ignore);
    const database = new Database(address, pool);
    // The statement itself rejects; the client's additional error event needs a listener.
    pool.on('connect', (client) =>
      client.on('error', (error) => database.#ended.set(client, error)),
    );
    try {
      await database.#withRetries(() => database.#check(), retry);
      await createTables(database);
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
    retry?: RetryPolicy,
  ): Promise<readonly Row[]> {
    return await this.#withRetries(() => rowsOf<Row>(this.pool, sql, values), retry);
  }

  /**
   * Runs statements as one transaction, and repeats all of them if the database goes away
   * meanwhile.
   */
  async transaction<T>(
    use: (transaction: Transaction) => Promise<T>,
    retry?: RetryPolicy,
  ): Promise<T> {
    return await this.#withRetries(async () => {
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
        // After the server has ended a connection, statements fail for a reason of the driver's own.
        throw isDriverError(error) ? (this.#ended.get(client) ?? error) : error;
      } finally {
        client.release(isBroken);
      }
    }, retry);
  }

  /** Wraps an error in a DocferryError that names the database without its password. */
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

  async #withRetries<T>(run: () => Promise<T>, shouldRetry = retryFor(RETRY_MS)): Promise<T> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs)) {
      try {
        return await run();
      } catch (error) {
        const failure = this.failure(error);
        if (!isTransient(error) || !shouldRetry(failure)) throw failure;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** @throws OptionError if the server can't store runs, or may lose commits */
  async #check(): Promise<void> {
    const { rows } = await this.pool.query(
      `SELECT current_setting('server_version_num')::integer AS version,
       current_setting('transaction_read_only') AS "readOnly",
       current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('full_page_writes') AS full_page_writes`,
    );
    const reason = unusableReason(rows[0] as ServerSettings, this.address.mayLose);
    if (reason !== undefined) throw new OptionError(`The state ${this.address.shown} ${reason}.`);
  }
}

export interface ServerSettings {
  /** As in `server_version_num`: 150004 is 15.4. */
  readonly version: number;
  readonly readOnly: 'on' | 'off';
  readonly encoding: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
}

/** Explains in a clause why a server can't store runs; `undefined` if it can. */
export function unusableReason(
  { version, readOnly, encoding, ...durability }: ServerSettings,
  mayLose: boolean,
): string | undefined {
  if (version < MIN_VERSION * 10_000) {
    return `is Postgres ${Math.floor(version / 10_000)}: docferry needs version ${MIN_VERSION} or newer`;
  }
  if (readOnly === 'on') {
    return 'is read-only (a replica?): give the address of the primary';
  }
  if (encoding !== 'UTF8') {
    return `has the encoding ${encoding}, and reviews can hold any character: create a database with ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, and give its address`;
  }
  const [unsafe] = Object.entries(durability).find(([, setting]) => setting === 'off') ?? [];
  if (unsafe === undefined || mayLose) return undefined;
  return `has ${unsafe} off, so it may lose committed data, and documents would be imported twice: switch it on, or add ?may_lose_commits=true to the address`;
}

const MIN_VERSION = 15;

/**
 * Sets the isolation level that all statements are written for: the role or the database may default
 * to another. Lets the server end the transaction of a process that was paused, or whose machine is
 * gone, as it holds locks. Statements, since poolers refuse unknown startup options.
 */
async function prepareConnection(client: ClientBase): Promise<void> {
  await client.query(`SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
    SELECT set_config('idle_in_transaction_session_timeout', '30s', false)
    WHERE current_setting('idle_in_transaction_session_timeout') = '0'`);
}

export function retryFor(ms: number): RetryPolicy {
  const end = performance.now() + ms;
  return () => performance.now() < end;
}

async function rowsOf<Row extends object>(
  client: Pick<ClientBase, 'query'> | Pool,
  sql: string,
  values: readonly SqlParameter[],
): Promise<readonly Row[]> {
  return (await client.query(sql, values as unknown[])).rows as readonly Row[];
}

function ignore(): void {}
