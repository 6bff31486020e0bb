import { setTimeout as sleep } from 'node:timers/promises';
import { ResumeError } from '../../model/errors.js';
import { VERSION } from '../../model/version.js';
import type { StopReport } from '../../outcomes/stop-conditions.js';
import {
  isRepeatable,
  type RunDescription,
  type RunTarget,
  sharesInput,
} from '../../runs/description.js';
import {
  type Ledger,
  type LockRequest,
  noSuchRun,
  type RunFacts,
  type RunJournal,
  type RunLock,
  type RunStore,
  type StoredDescription,
  type TakenOver,
} from '../../runs/store.js';
import { StoredRun } from '../../runs/stored-run.js';
import { claimsLedger } from './claims.js';
import { Database, NO_RETRY, type RetryPolicy, type Transaction } from './database/database.js';
import type { ShardKey } from './entries.js';
import { DELETE_REPORT, PostgresRun, WRITE_FACT } from './postgres-run.js';
import { fenceExpired, readSettings, Session } from './session.js';
import {
  REOPEN_SHARDS,
  readProgress,
  type ShardState,
  Shards,
  type ShardsProgress,
} from './shards.js';

export interface ActiveRun {
  readonly run: number;
  readonly id: string;
  readonly target: number;
  readonly state: 'active' | 'finishing' | 'held' | 'ended';
  readonly version: string;
  /** `RunPlan` as JSON; `null` for a run of a single process. */
  readonly plan: string;
  readonly stop: StopReport | null;
  /** Whether earlier runs have claimed documents of the same target. */
  readonly follows: boolean;
}

export interface RunProgress extends Pick<ActiveRun, 'state' | 'stop'>, ShardsProgress {}

export interface ShardResult extends ShardKey {
  readonly state: ShardState;
  readonly report: string | null;
  /** Requests since the run was begun or resumed. */
  readonly requests: number;
  readonly retries: number;
}

const POLL_MS = 500;

/** Advisory lock that serialises the start of runs. */
const BEGIN_LOCK = 0x64_66_62;

export class PostgresStore implements RunStore {
  readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  /** @throws OptionError, JournalError */
  static async open(state: string, retry?: RetryPolicy): Promise<PostgresStore> {
    return new PostgresStore(await Database.open(state, retry));
  }

  /** @throws OptionError, JournalError */
  static async use<T>(state: string, run: (store: PostgresStore) => Promise<T>): Promise<T> {
    const store = await PostgresStore.open(state);
    try {
      return await run(store);
    } finally {
      await store.close();
    }
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async list(): Promise<readonly string[]> {
    const ids = 'SELECT id FROM docferry.runs ORDER BY run';
    return (await this.database.rows<{ id: string }>(ids)).map(({ id }) => id);
  }

  async isRunning(id: string): Promise<boolean> {
    const { run, state } = await this.find(id);
    if (state !== 'held') return state !== 'ended';
    return (await this.#holderSeen(run)) !== undefined;
  }

  async descriptions(target: RunTarget): Promise<readonly StoredDescription[]> {
    const rows = await this.database.rows<{ id: string; value: string }>(
      `SELECT r.id, f.value FROM docferry.runs AS r JOIN docferry.targets AS t USING (target)
       JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'description'
       WHERE t.service = $1 AND t.monitoring = $2 AND t.run = '' ORDER BY r.run`,
      [target.service, target.monitoring],
    );
    return rows.map(({ id, value }) => ({ id, description: JSON.parse(value) as RunDescription }));
  }

  async openReadOnly(id: string): Promise<RunJournal> {
    return new PostgresRun(this.database, await this.find(id));
  }

  /**
   * If this process holds a run to the target itself, because it resumes it, only a process that held
   * its run before is in the way: else two could wait for each other.
   */
  async tryLockTarget({ run, target }: LockRequest): Promise<RunLock | string> {
    await fenceExpired(this.database, await readSettings(this.database));
    const [other] = await this.database.rows<{ id: string; name: string }>(
      `SELECT r.id, s.name FROM docferry.runs AS r JOIN docferry.sessions AS s USING (session)
       JOIN docferry.targets AS t USING (target)
       WHERE r.state = 'held' AND t.service = $1 AND t.monitoring = $2 AND session <> ALL ($3::integer[])
         AND r.id <> $4 AND NOT EXISTS (SELECT FROM docferry.runs AS own WHERE own.id = $4 AND own.session < s.session)
       ORDER BY r.run LIMIT 1`,
      [target.service, target.monitoring, [...Session.ownIds], run],
    );
    if (other === undefined) return { release: () => {} };
    return `The run ${other.id} (process ${other.name}) is importing into monitoring ${target.monitoring}, or was killed and its lease has not expired`;
  }

  async begin(id: string, description: RunDescription): Promise<RunJournal> {
    return await this.#holdWith((session) => this.beginRun(id, description, 'null', session));
  }

  async take(id: string): Promise<RunJournal> {
    const active = await this.find(id);
    // The holder is alive if its heartbeat changes; if it was killed, its lease expires.
    for (let before: string | undefined; ; ) {
      const seen = await this.#holderSeen(active.run);
      if (seen === undefined) break;
      if (before !== undefined && before !== seen) throw isRunning(id);
      before = seen;
      await sleep(POLL_MS);
    }
    return await this.#holdWith(async (session) => {
      if (!(await this.#hold(active.run, session))) throw isRunning(id);
      return active;
    });
  }

  /** Opens a run with a session of its own, which ends with it. */
  async #holdWith(hold: (session: Session) => Promise<ActiveRun>): Promise<RunJournal> {
    const session = await Session.open(this.database);
    // If the database is away, the lease expires.
    const onRelease = (): Promise<void> => session.close().catch(() => {});
    try {
      const { id, run, target } = await hold(session);
      return new PostgresRun(this.database, { id, run, target, session, onRelease });
    } catch (error) {
      await onRelease();
      throw error;
    }
  }

  async #hold(run: number, session: Session): Promise<boolean> {
    const held = await this.database.rows(
      `WITH own AS MATERIALIZED (
         SELECT session FROM docferry.sessions WHERE session = $2 AND NOT fenced FOR KEY SHARE
       )
       UPDATE docferry.runs AS r SET state = 'held', session = own.session FROM own
       WHERE run = $1 AND (state = 'ended' OR state = 'held' AND r.session = own.session)
       RETURNING run`,
      [run, session.id],
    );
    if (held.length === 0) await session.assertNotFenced();
    return held.length > 0;
  }

  /** Last heartbeat of the process that holds a run; `undefined` if none does. */
  async #holderSeen(run: number): Promise<string | undefined> {
    await fenceExpired(this.database, await readSettings(this.database));
    const [holder] = await this.database.rows<{ seen: string }>(
      `SELECT seen::text AS seen FROM docferry.runs JOIN docferry.sessions USING (session)
       WHERE run = $1 AND state = 'held'`,
      [run],
    );
    return holder?.seen;
  }

  /** Opens a run, or one of its shards, for the session that holds it. */
  openRun({ id, run, target }: ActiveRun, session: Session, shard?: ShardKey): RunJournal {
    return new PostgresRun(this.database, { id, run, target, session, shard });
  }

  shards(session: Session): Shards {
    return new Shards(this.database, session);
  }

  /** Empty: a run's states already leave out documents whose claims another run has taken over. */
  async takenOver(): Promise<ReadonlyMap<string, TakenOver>> {
    return new Map();
  }

  async openLedger(_: RunTarget, id: string): Promise<Ledger | undefined> {
    const { run, target } = await this.find(id);
    return claimsLedger(this.database, target, run);
  }

  /** @throws ResumeError if there is no run with this id */
  async find(id: string): Promise<ActiveRun> {
    const found = await this.#findBy('id', id);
    if (found !== undefined) return found;
    throw noSuchRun(id, this.database.address.shown, await this.list());
  }

  async findByNumber(run: number): Promise<ActiveRun | undefined> {
    return await this.#findBy('run', run);
  }

  async #findBy(column: 'id' | 'run', value: string | number): Promise<ActiveRun | undefined> {
    const [row] = await this.database.rows<ActiveRunRow>(
      `SELECT ${ACTIVE_RUN} FROM docferry.runs WHERE ${column} = $1`,
      [value],
    );
    return row && activeRunOf(row);
  }

  /** Number of sessions that currently send to a target, counted once per run. */
  async sendersTo(target: number): Promise<number> {
    const [row] = await this.database.rows<{ senders: number }>(
      `SELECT count(DISTINCT (s.session, s.run)) AS senders FROM docferry.shards AS s
       JOIN docferry.runs AS r USING (run) WHERE s.state = 'leased' AND r.target = $1`,
      [target],
      NO_RETRY,
    );
    return row?.senders ?? 0;
  }

  /**
   * Runs that workers process, the oldest first, and whether each is at its end.
   * @param only the number of the only run wanted
   */
  async activeRuns(
    only: number | undefined,
    retry: RetryPolicy,
  ): Promise<readonly (ActiveRun & { readonly isAtEnd: boolean })[]> {
    const rows = await this.database.rows<ActiveRunRow & { readonly isAtEnd: boolean }>(
      `SELECT ${ACTIVE_RUN}, ${IS_AT_END} AS "isAtEnd" FROM docferry.runs AS r
       WHERE r.state = 'active' AND ($1::integer IS NULL OR r.run = $1) ORDER BY r.run`,
      [only ?? null],
      retry,
    );
    return rows.map((row) => ({ ...activeRunOf(row), isAtEnd: row.isAtEnd }));
  }

  /**
   * Begins a run for workers, or, with a `holder`, for that session alone. Idempotent.
   * @param plan as in {@link ActiveRun}
   * @throws ResumeError if the same inputs are being sent to the same target
   */
  async beginRun(
    id: string,
    description: RunDescription,
    plan: string,
    holder?: Session,
  ): Promise<ActiveRun> {
    const { target, options, inputs } = description;
    const hasOwnClaims = options['ledger'] === false || options['skipKnown'] === false;
    await this.database.transaction(async (transaction) => {
      await transaction.rows('SELECT pg_advisory_xact_lock($1)', [BEGIN_LOCK]);
      await holder?.assertNotFenced(transaction);
      await checkTwins(transaction, id, description);
      await transaction.rows(BEGIN_RUN, [
        ...[id, VERSION, plan, target.service, target.monitoring, hasOwnClaims ? id : ''],
        ...[holder?.id ?? null, JSON.stringify(description), inputs.length],
      ]);
    });
    return await this.find(id);
  }

  /**
   * Reopens a run that has ended. Does nothing if workers process it.
   * @throws ResumeError if another process holds it
   */
  async resumeRun({ run, id }: ActiveRun, plan: string, retryRejected = false): Promise<void> {
    await fenceExpired(this.database, await readSettings(this.database));
    await this.database.transaction(async (transaction) => {
      const [row] = await transaction.rows<HeldState>(
        `SELECT r.state, s.name FROM docferry.runs AS r LEFT JOIN docferry.sessions AS s USING (session)
         WHERE r.run = $1 FOR NO KEY UPDATE OF r`,
        [run],
      );
      if (row?.state === 'held') throw isHeld(id, row);
      if (row?.state !== 'ended') return;
      await transaction.rows(RESUME_RUN, [run, plan]);
      await transaction.rows(REOPEN_SHARDS, [run, retryRejected]);
    });
  }

  /** Stops a run on all workers. The first reason wins. */
  async stopRun({ run }: Pick<ActiveRun, 'run'>, { kind, message }: StopReport): Promise<void> {
    await this.database.rows(
      `UPDATE docferry.runs SET stop = $2
       WHERE run = $1 AND state IN ('active', 'finishing') AND stop IS NULL`,
      [run, JSON.stringify({ kind, message })],
    );
  }

  async stopOf({ run }: Pick<ActiveRun, 'run'>): Promise<StopReport | undefined> {
    const stops = 'SELECT stop FROM docferry.runs WHERE run = $1 AND stop IS NOT NULL';
    const [stopped] = await this.database.rows<{ stop: string }>(stops, [run]);
    return stopped && (JSON.parse(stopped.stop) as StopReport);
  }

  /**
   * Takes a run whose shards are all done, to finish it; `false` if shards are left or another
   * session took it.
   */
  async takeToFinish(run: number, session: Session): Promise<boolean> {
    const taken = await this.database.rows(
      `UPDATE docferry.runs AS r SET state = 'finishing', session = $2
       WHERE r.run = $1
       -- A retry after a lost answer finds it taken.
       AND (${IS_AT_END} OR r.state = 'finishing' AND r.session = $2)
       AND EXISTS (SELECT FROM docferry.sessions WHERE session = $2 AND NOT fenced)
       RETURNING r.run`,
      [run, session.id],
    );
    return taken.length > 0;
  }

  /** Ends a run and stores its report, unless another session is finishing it. */
  async finishRun(run: number, session: Session, report: RunFacts['report']): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const ended = await transaction.rows(
        `UPDATE docferry.runs SET state = 'ended', session = NULL
         WHERE run = $1 AND state = 'finishing' AND session = $2 RETURNING run`,
        [run, session.id],
      );
      if (ended.length === 0) return;
      await transaction.rows(WRITE_FACT, [run, 'report', JSON.stringify(report)]);
    });
  }

  /** Results ordered by input and part. Read one by one, since reports can be large. */
  async *shardResults(run: number): AsyncGenerator<ShardResult, void, undefined> {
    for (let after = [-1, -1]; ; ) {
      const [row] = await this.database.rows<ShardResult>(
        `SELECT input, part, state, report, requests, retries FROM docferry.shards
         WHERE run = $1 AND (input, part) > ($2, $3) ORDER BY input, part LIMIT 1`,
        [run, ...after],
      );
      if (row === undefined) return;
      yield row;
      after = [row.input, row.part];
    }
  }

  /** For each input whether it was cut, and the error that ended it early. */
  async inputs(run: number): Promise<readonly { planned: boolean; problem: string | null }[]> {
    const inputs = 'SELECT planned, problem FROM docferry.inputs WHERE run = $1 ORDER BY input';
    return await this.database.rows(inputs, [run]);
  }

  /** Rejected records as lines of JSON, ordered by input, part and record. */
  async *rejects(run: number): AsyncGenerator<string, void, undefined> {
    for (let after = [-1, -1, -1]; ; ) {
      const [row] = await this.database.rows<ShardKey & { number: number; lines: string }>(
        `SELECT r.input, r.part, r.number, r.lines FROM docferry.rejects AS r
         JOIN docferry.shards AS s ON s.run = r.run AND s.input = r.input AND s.part = r.part
           AND s.epoch = r.epoch
         WHERE r.run = $1 AND (r.input, r.part, r.number) > ($2, $3, $4)
         ORDER BY r.input, r.part, r.number LIMIT 1`,
        [run, ...after],
      );
      if (row === undefined) return;
      yield row.lines;
      after = [row.input, row.part, row.number];
    }
  }

  async progress(run: number): Promise<RunProgress> {
    const { state, stop } = (await this.findByNumber(run)) as ActiveRun;
    return { state, stop, ...(await readProgress(this.database, run)) };
  }

  /** The claims of the removed runs stay, unless they were separate. */
  async removeDone(ids: readonly string[], beganBeforeMs: number): Promise<readonly string[]> {
    await fenceExpired(this.database, await readSettings(this.database));
    const removed: string[] = [];
    for (const id of ids) if (await this.#removeIfDone(id, beganBeforeMs)) removed.push(id);
    return removed;
  }

  /**
   * Returns whether a run holds no claim of an unconfirmed document. Those without a sourceId have
   * none.
   */
  async #isConfirmed(id: string): Promise<boolean> {
    const run = await StoredRun.of(this, await this.openReadOnly(id));
    for await (const { documents } of run.sent(['sending', 'unknown'])) {
      if (documents.some(({ sourceId }) => sourceId !== null)) return false;
    }
    return true;
  }

  async #removeIfDone(id: string, moment: number): Promise<boolean> {
    return await this.database.transaction(async (transaction) => {
      const [row] = await transaction.rows<{
        readonly run: number;
        readonly report: string | null;
        readonly description: string;
        /** Target whose claims are separate from those of other runs. */
        readonly own: number | null;
      }>(
        `SELECT r.run, f.value AS report, d.value AS description, t.target AS own FROM docferry.runs AS r
         LEFT JOIN docferry.targets AS t ON t.target = r.target AND t.run = r.id
         LEFT JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'report'
         JOIN docferry.facts AS d ON d.run = r.run AND d.name = 'description'
         WHERE r.id = $1 AND r.state = 'ended' FOR UPDATE OF r`,
        [id],
      );
      if (row === undefined) return false;
      const { run, own } = row;
      const description = JSON.parse(row.description) as RunDescription;
      if (Date.parse(description.started) > moment) return false;
      const report = JSON.parse(row.report ?? 'null') as RunFacts['report'] | null;
      // A run that can't be resumed is over once later runs have reconciled its documents: without
      // its intents, its claims count as accepted.
      const isOver = isRepeatable(description)
        ? report?.resumable === false
        : await this.#isConfirmed(id);
      if (!isOver) return false;
      if (own !== null) await deleteInPieces(transaction, 'docferry.claims', ['target', 'id'], own);
      await deleteInPieces(transaction, 'docferry.entries', ['run', 'number'], run);
      await deleteInPieces(transaction, 'docferry.intents', ['run', 'intent'], run);
      for (const table of ['rejects', 'runs']) {
        await transaction.rows(`DELETE FROM docferry.${table} WHERE run = $1`, [run]);
      }
      return true;
    });
  }
}

type ActiveRunRow = Omit<ActiveRun, 'stop'> & { readonly stop: string | null };

const ACTIVE_RUN = 'run, id, target, state, version, plan, stop, follows';

function activeRunOf(row: ActiveRunRow): ActiveRun {
  return { ...row, stop: row.stop === null ? null : (JSON.parse(row.stop) as StopReport) };
}

/** SQL condition for run `r`: all its work is done, or it was stopped and no shard is leased. */
const IS_AT_END = `r.state = 'active'
  AND NOT EXISTS (SELECT FROM docferry.shards AS s WHERE s.run = r.run
    AND (s.state = 'leased' OR (s.state = 'open' AND r.stop IS NULL)))
  AND (r.stop IS NOT NULL
    OR NOT EXISTS (SELECT FROM docferry.inputs AS i WHERE i.run = r.run AND NOT i.planned))`;

const MAX_DELETED = 20_000;

/**
 * Deletes the rows of a run or target from a table in the order of their keys, in several
 * statements: one that takes a minute counts as unanswered.
 */
async function deleteInPieces(
  transaction: Transaction,
  table: string,
  [owner, key]: readonly [owner: string, key: string],
  of: number,
): Promise<void> {
  const left = `FROM ${table} WHERE ${owner} = $1 AND (${key} > $2 OR $2 IS NULL)`;
  const statement = `WITH last AS (
      SELECT key FROM (SELECT ${key} AS key ${left} ORDER BY key LIMIT ${MAX_DELETED}) AS piece
      ORDER BY key DESC LIMIT 1
    ), deleted AS (DELETE ${left} AND ${key} <= (SELECT key FROM last))
    SELECT key FROM last`;
  for (let last: string | number | null = null; ; ) {
    const [piece]: readonly { readonly key: string | number }[] = await transaction.rows(
      statement,
      [of, last],
    );
    if (piece === undefined) return;
    last = piece.key;
  }
}

interface HeldState extends Pick<ActiveRun, 'state'> {
  /** Name of the process; `null` if that is just changing. */
  readonly name: string | null;
}

/** Creates the error for a run of workers that a single process holds. */
function isHeld(id: string, { name }: HeldState): ResumeError {
  const by = name === null ? 'another process' : `the process ${name}`;
  return new ResumeError(
    `The run ${id} is being verified or resolved by ${by}: resume it when that has ended.`,
  );
}

/** Creates the error for a run that another process has. */
function isRunning(id: string): ResumeError {
  return new ResumeError(
    `The run ${id} is running: wait until it ends, or end it (\`docferry runs cancel\` if workers process it).`,
  );
}

/** @throws ResumeError */
async function checkTwins(
  transaction: Transaction,
  id: string,
  description: RunDescription,
): Promise<void> {
  const rows = await transaction.rows<{ id: string; value: string }>(
    `SELECT r.id, f.value FROM docferry.runs AS r
     JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'description'
     WHERE r.state IN ('active', 'finishing') AND r.id <> $1`,
    [id],
  );
  const twin = rows.find(({ value }) =>
    sharesInput(JSON.parse(value) as RunDescription, description),
  );
  if (twin === undefined) return;
  throw new ResumeError(
    `The run ${twin.id} is sending the same input to the same monitoring: wait until it ends, follow it with \`docferry runs resume ${twin.id}\`, or end it with \`docferry runs cancel ${twin.id}\`.`,
  );
}

const BEGIN_RUN = `WITH target AS (
    INSERT INTO docferry.targets (service, monitoring, run) VALUES ($4, $5, $6)
    ON CONFLICT (service, monitoring, run) DO UPDATE SET service = excluded.service
    RETURNING target
  ), begun AS (
    INSERT INTO docferry.runs (id, target, state, session, version, plan, follows)
    SELECT $1, target, CASE WHEN $7::integer IS NULL THEN 'active' ELSE 'held' END, $7, $2, $3,
      EXISTS (SELECT FROM docferry.claims AS c WHERE c.target = target.target)
    FROM target ON CONFLICT DO NOTHING RETURNING run
  ), described AS (
    INSERT INTO docferry.facts (run, name, value) SELECT run, 'description', $8 FROM begun
  ), inputs AS (
    INSERT INTO docferry.inputs (run, input) SELECT run, generate_series(0, $9 - 1) FROM begun
    WHERE $7 IS NULL
  )
  SELECT FROM begun`;

const RESUME_RUN = `WITH withdrawn AS (
    ${DELETE_REPORT}
  ), recut AS (
    UPDATE docferry.inputs SET planned = planned AND problem IS NULL, problem = NULL, session = NULL
    WHERE run = $1
  )
  UPDATE docferry.runs SET state = 'active', session = NULL, stop = NULL, plan = $2 WHERE run = $1`;
