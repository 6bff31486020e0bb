import { setTimeout as sleep } from 'node:timers/promises';
import { ownVersion } from '../../api/transport/http-transport.js';
import { InterruptedError, ResumeError } from '../../model/errors.js';
import { countStates } from '../../model/record-ranges.js';
import type { StopReport } from '../../outcomes/stop-conditions.js';
import {
  isRepeatable,
  type RunDescription,
  type RunTarget,
  sharesInput,
} from '../../runs/description.js';
import type {
  Ledger,
  LockRequest,
  PruneChoice,
  Pruned,
  RunFacts,
  RunLock,
  RunStore,
  StoredRun,
  TakenOver,
} from '../../runs/store.js';
import { claimsLedger } from './claims.js';
import { AT_ONCE, Database, type Patience, type Transaction } from './database/database.js';
import { readStates, type ShardPlace } from './entries.js';
import { PostgresRun, WRITE_FACT } from './postgres-run.js';
import { addFinishAtEnd, addJobsOf, addMissingJobs, IS_AT_END, removeJobsOf } from './queue.js';
import { fenceExpired, readSettings, Session } from './session.js';
import { readProgress, type ShardState, Shards, type ShardsProgress } from './shards.js';

/** A run that workers process. */
export interface ActiveRun {
  readonly run: number;
  readonly id: string;
  readonly target: number;
  readonly state: 'active' | 'finishing' | 'held' | 'ended';
  readonly version: string;
  readonly plan: string;
  readonly stop: StopReport | null;
  /** Whether earlier runs have claimed anything of the same target. */
  readonly follows: boolean;
}

/** What a worker needs to process a run. */
interface PlannedRun {
  /** As JSON. */
  readonly plan: string;
  /** docferry's own. */
  readonly version: string;
}

/** A run that is to begin. */
export interface NewRun extends PlannedRun {
  readonly description: RunDescription;
  /** Whether what it claims concerns no other run, and what others have claimed not it. */
  readonly alone: boolean;
  /** Number of inputs. */
  readonly inputs: number;
}

/** How far a run is. */
export interface RunProgress extends Pick<ActiveRun, 'state' | 'stop'>, ShardsProgress {}

/** What came of a shard. */
export interface ShardResult extends ShardPlace {
  readonly state: ShardState;
  readonly report: string | null;
  /** Made for it since the run was begun or resumed. */
  readonly requests: number;
  readonly retries: number;
}

/** How often it is looked whether another process still has what is wanted, in milliseconds. */
const LOOK_MS = 500;

/** A number of our own, so that two processes don't begin runs at once. */
const BEGIN_LOCK = 0x64_66_62;

/** Of its tables, each run has a part of its own, which goes with it. */
const PARTITIONED = ['entries', 'intents'];

/** All runs of a Postgres database. */
export class PostgresStore implements RunStore {
  readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  /** @throws OptionError, JournalError */
  static async open(state: string, patience?: Patience): Promise<PostgresStore> {
    return new PostgresStore(await Database.open(state, patience));
  }

  /** @throws OptionError, JournalError */
  static async lend<T>(state: string, use: (store: PostgresStore) => Promise<T>): Promise<T> {
    const store = await PostgresStore.open(state);
    try {
      return await use(store);
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
    return (await this.find(id)).state !== 'ended';
  }

  async look<T>(id: string, look: (run: StoredRun) => Promise<T>): Promise<T> {
    return await look(new PostgresRun(this.database, await this.find(id)));
  }

  async lockTarget(request: LockRequest): Promise<RunLock> {
    const { target, signal, timeoutMs = Number.POSITIVE_INFINITY } = request;
    const untilMs = performance.now() + timeoutMs;
    for (let named: string | undefined; ; ) {
      const other = await this.#otherHolder(target);
      if (other === undefined) return { release: () => {} };
      const { id, name } = other;
      const busy = `The run ${id} (process ${name}) is importing into monitoring ${target.monitoring}`;
      if (performance.now() >= untilMs) {
        throw new ResumeError(
          `${busy}. Start this import again when that has ended; without --lock-timeout (lockTimeoutMs) it waits for as long as that takes.`,
        );
      }
      if (named !== id) {
        request.notice(
          `${busy}. Waiting for it to end, or, if it was killed, for its lease to expire; Ctrl-C ends the wait, --lock-timeout limits it.`,
        );
      }
      named = id;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {
        throw new InterruptedError(signal);
      });
    }
  }

  /** A run that another process has to itself and that goes to a target. */
  async #otherHolder(
    target: RunTarget,
  ): Promise<{ readonly id: string; readonly name: string } | undefined> {
    await fenceExpired(this.database, await readSettings(this.database));
    const [other] = await this.database.rows<{ id: string; name: string }>(
      `SELECT r.id, s.name FROM docferry.runs AS r JOIN docferry.sessions AS s USING (session)
       JOIN docferry.targets AS t USING (target)
       WHERE r.state = 'held' AND t.service = $1 AND t.monitoring = $2 AND session <> ALL ($3::integer[])
       ORDER BY r.run LIMIT 1`,
      [target.service, target.monitoring, [...Session.own]],
    );
    return other;
  }

  async begin(id: string, description: RunDescription): Promise<StoredRun> {
    const { options } = description;
    const alone = options['ledger'] === false || options['skipKnown'] === false;
    const session = await Session.open(this.database);
    try {
      const run = { description, plan: 'null', version: ownVersion(), alone, inputs: 0 };
      return this.#held(await this.beginRun(id, run, session), session);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async take(id: string): Promise<StoredRun> {
    const active = await this.find(id);
    const session = await Session.open(this.database);
    try {
      for (let seen: string | undefined; ; ) {
        if (await this.#hold(active.run, session)) return this.#held(active, session);
        const before = seen;
        seen = await this.#holderSeen(active.run);
        if (seen === undefined || (before ?? seen) !== seen) {
          throw new ResumeError(
            `The run ${id} is running: wait until it ends, or end it (\`docferry runs cancel\` ends one of workers).`,
          );
        }
        // Either it says soon that it is there, or it was killed, and its lease expires.
        await sleep(LOOK_MS);
      }
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #hold(run: number, session: Session): Promise<boolean> {
    await fenceExpired(this.database, session.times);
    const held = await this.database.rows(
      `UPDATE docferry.runs SET state = 'held', session = $2
       WHERE run = $1 AND (state = 'ended' OR state = 'held' AND session = $2) RETURNING run`,
      [run, session.id],
    );
    return held.length > 0;
  }

  /** When the process that has a run to itself said last that it is there; `undefined`: none has. */
  async #holderSeen(run: number): Promise<string | undefined> {
    const [holder] = await this.database.rows<{ seen: string }>(
      `SELECT seen::text AS seen FROM docferry.runs JOIN docferry.sessions USING (session)
       WHERE run = $1 AND state = 'held'`,
      [run],
    );
    return holder?.seen;
  }

  #held({ id, run, target }: ActiveRun, session: Session): StoredRun {
    const onRelease = (): Promise<void> => session.close();
    return new PostgresRun(this.database, { id, run, target, session, onRelease });
  }

  /** For who has the run, or one of its shards. */
  openRun({ id, run, target }: ActiveRun, session: Session, shard?: ShardPlace): StoredRun {
    return new PostgresRun(this.database, { id, run, target, session, shard });
  }

  shards(session: Session): Shards {
    return new Shards(this.database, session);
  }

  /** Runs of a shared state leave to each other what is unconfirmed. */
  async takenOver(): Promise<TakenOver> {
    return { sending: 0, unknown: 0 };
  }

  async openLedger(_: RunTarget, id: string): Promise<Ledger | undefined> {
    const { run, target } = await this.find(id);
    return claimsLedger(this.database, target, run);
  }

  /** @throws ResumeError if there is none of this name */
  async find(id: string): Promise<ActiveRun> {
    const found = await this.#findBy('id', id);
    if (found !== undefined) return found;
    const latest = (await this.list()).at(-1);
    const hint =
      latest === undefined
        ? 'there are none'
        : `the latest is ${latest}, and \`docferry runs list\` shows all`;
    throw new ResumeError(
      `There is no run ${JSON.stringify(id)} in ${this.database.address.shown}: ${hint}.`,
    );
  }

  async findByNumber(run: number): Promise<ActiveRun | undefined> {
    return await this.#findBy('run', run);
  }

  async #findBy(column: 'id' | 'run', value: string | number): Promise<ActiveRun | undefined> {
    const [row] = await this.database.rows<ActiveRun & { readonly stop: string | null }>(
      `SELECT run, id, target, state, version, plan, stop, follows FROM docferry.runs
       WHERE ${column} = $1`,
      [value],
    );
    return row && { ...row, stop: row.stop && (JSON.parse(row.stop) as StopReport) };
  }

  /** How many workers send to a target now, each counted once for each of its runs. */
  async sendersTo(target: number): Promise<number> {
    const [row] = await this.database.rows<{ senders: number }>(
      `SELECT count(DISTINCT (s.session, s.run)) AS senders FROM docferry.shards AS s
       JOIN docferry.runs AS r USING (run) WHERE s.state = 'leased' AND r.target = $1`,
      [target],
      AT_ONCE,
    );
    return row?.senders ?? 0;
  }

  /** Runs that are being processed, but for one. */
  async activeBesides(run: number): Promise<readonly number[]> {
    const rows = await this.database.rows<{ run: number }>(
      "SELECT run FROM docferry.runs WHERE state IN ('active', 'finishing') AND run <> $1",
      [run],
      AT_ONCE,
    );
    return rows.map((row) => row.run);
  }

  /**
   * Begins a run that workers process from now on, once; or, with a session, one that has it to itself.
   * @throws ResumeError if one of the same inputs to the same target is running
   */
  async beginRun(id: string, run: NewRun, holder?: Session): Promise<ActiveRun> {
    const { service, monitoring } = run.description.target;
    await this.database.transaction(async (transaction) => {
      await transaction.rows('SELECT pg_advisory_xact_lock($1)', [BEGIN_LOCK]);
      await checkTwins(transaction, id, run.description);
      const [begun] = await transaction.rows<{ run: number }>(
        `WITH target AS (
           INSERT INTO docferry.targets (service, monitoring, run) VALUES ($4, $5, $6)
           ON CONFLICT (service, monitoring, run) DO UPDATE SET service = excluded.service
           RETURNING target
         )
         INSERT INTO docferry.runs (id, target, state, session, version, plan, follows)
         SELECT $1, target, CASE WHEN $7::integer IS NULL THEN 'active' ELSE 'held' END, $7, $2, $3,
           EXISTS (SELECT FROM docferry.claims AS c WHERE c.target = target.target)
         FROM target ON CONFLICT DO NOTHING RETURNING run`,
        [
          ...[id, run.version, run.plan, service, monitoring, run.alone ? id : ''],
          holder?.id ?? null,
        ],
      );
      // It is there already if the answer was lost.
      if (begun === undefined) return;
      const { run: number } = begun;
      const description = JSON.stringify(run.description);
      await transaction.rows(WRITE_FACT, [number, 'description', description]);
      for (const table of PARTITIONED) await partition(transaction, table, number);
      await transaction.rows(
        'INSERT INTO docferry.inputs (run, input) SELECT $1, generate_series(0, $2 - 1)',
        [number, run.inputs],
      );
      await addJobsOf(transaction, number);
    });
    return await this.find(id);
  }

  /** Adds jobs for what there is to do of a run and has none that is being done or due. */
  async addMissingJobs(run: number): Promise<void> {
    await this.database.transaction((transaction) => addMissingJobs(transaction, run));
  }

  /**
   * Lets workers process a run that has ended once more: what is left of it.
   * @param reopen which of the shards that were done, from what came of them
   */
  async resumeRun(
    { run }: ActiveRun,
    { plan, version }: PlannedRun,
    reopen: (report: string) => boolean,
  ): Promise<void> {
    const shards = await this.shardResults(run);
    const open = shards.filter(({ report }) => report !== null && reopen(report));
    await this.database.transaction(async (transaction) => {
      const resumed = await transaction.rows(
        `UPDATE docferry.runs SET state = 'active', session = NULL, stop = NULL, plan = $2, version = $3
         WHERE run = $1 AND state = 'ended' RETURNING run`,
        [run, plan, version],
      );
      if (resumed.length === 0) return;
      for (const statement of RESUME) await transaction.rows(statement, [run]);
      await transaction.rows(
        `UPDATE docferry.shards AS s SET state = 'open'
         FROM unnest($2::integer[], $3::integer[]) AS o(input, part)
         WHERE s.run = $1 AND s.input = o.input AND s.part = o.part`,
        [run, open.map(({ input }) => input), open.map(({ part }) => part)],
      );
      await addJobsOf(transaction, run);
    });
  }

  /** Ends a run early, for all who process it. The first reason stands. */
  async stopRun({ run }: Pick<ActiveRun, 'run'>, { kind, message }: StopReport): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.rows(
        `UPDATE docferry.runs SET stop = $2
         WHERE run = $1 AND state IN ('active', 'finishing') AND stop IS NULL`,
        [run, JSON.stringify({ kind, message })],
      );
      await addFinishAtEnd(transaction, run);
    });
  }

  /** What a run is stopped for; `undefined`: nothing has. */
  async stopOf({ run }: Pick<ActiveRun, 'run'>): Promise<StopReport | undefined> {
    return (await this.findByNumber(run))?.stop ?? undefined;
  }

  /** Takes a run at its end, to finish it; `false`: it isn't at its end, or somebody has taken it. */
  async takeToFinish(run: number, session: Session): Promise<boolean> {
    const taken = await this.database.rows(
      `UPDATE docferry.runs AS r SET state = 'finishing', session = $2
       WHERE r.run = $1
       -- It has it already if the answer was lost.
       AND (${IS_AT_END} OR r.state = 'finishing' AND r.session = $2)
       AND EXISTS (SELECT FROM docferry.sessions WHERE session = $2 AND NOT fenced)
       RETURNING r.run`,
      [run, session.id],
    );
    return taken.length > 0;
  }

  /** The run has ended with this report, unless another session finishes it. */
  async finishRun(run: number, session: Session, report: RunFacts['report']): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const ended = await transaction.rows(
        `UPDATE docferry.runs SET state = 'ended', session = NULL
         WHERE run = $1 AND state = 'finishing' AND session = $2 RETURNING run`,
        [run, session.id],
      );
      if (ended.length === 0) return;
      await removeJobsOf(transaction, run);
      await transaction.rows(WRITE_FACT, [run, 'report', JSON.stringify(report)]);
    });
  }

  /** What came of each shard, in the order of inputs and parts. */
  async shardResults(run: number): Promise<readonly ShardResult[]> {
    return await this.database.rows<ShardResult>(
      `SELECT input, part, state, report, requests, retries FROM docferry.shards WHERE run = $1
       ORDER BY input, part`,
      [run],
    );
  }

  /** For each input whether it was cut, and why not to its end. */
  async inputs(run: number): Promise<readonly { planned: boolean; problem: string | null }[]> {
    const inputs = 'SELECT planned, problem FROM docferry.inputs WHERE run = $1 ORDER BY input';
    return await this.database.rows(inputs, [run]);
  }

  /** Rejected records as they were told, in the order of inputs and parts, and in that of each. */
  async *rejects(run: number): AsyncGenerator<string, void, undefined> {
    let after = [-1, -1, -1];
    for (;;) {
      const [row] = await this.database.rows<ShardPlace & { number: number; lines: string }>(
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

  /** How far a run is. */
  async progress(run: number): Promise<RunProgress> {
    const { state, stop } = (await this.findByNumber(run)) as ActiveRun;
    return { state, stop, ...(await readProgress(this.database, run)) };
  }

  /** What the runs claimed stays, unless it concerned no other run. */
  async prune(moment: number, { inputs, keepLatest = 0 }: PruneChoice = {}): Promise<Pruned> {
    await fenceExpired(this.database, await readSettings(this.database));
    const ids = await this.list();
    const chosen = inputs === undefined ? ids : await this.#idsOf(inputs);
    const removed: string[] = [];
    for (const id of chosen.slice(0, Math.max(0, chosen.length - keepLatest))) {
      if (await this.#removeIfDone(id, moment)) removed.push(id);
    }
    return { removed, kept: ids.length - removed.length };
  }

  /** The runs that have an input of one of these names, the latest last. */
  async #idsOf(inputs: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.rows<{ id: string; value: string }>(
      `SELECT r.id, f.value FROM docferry.runs AS r JOIN docferry.facts AS f USING (run)
       WHERE f.name = 'description' ORDER BY r.run`,
    );
    return rows.flatMap(({ id, value }) => {
      const description = JSON.parse(value) as RunDescription;
      return description.inputs.some(({ name }) => inputs.includes(name)) ? [id] : [];
    });
  }

  /** Whether no document that a run has sent is unconfirmed, unless another run has taken it over. */
  async #isConfirmed(run: number): Promise<boolean> {
    const { sending, unknown } = countStates(await readStates(this.database, run));
    return sending + unknown === 0;
  }

  /** Whether it was. */
  async #removeIfDone(id: string, moment: number): Promise<boolean> {
    return await this.database.transaction(async (transaction) => {
      const [row] = await transaction.rows<{
        readonly run: number;
        readonly report: string | null;
        readonly description: string;
      }>(
        `SELECT r.run, f.value AS report, d.value AS description FROM docferry.runs AS r
         LEFT JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'report'
         JOIN docferry.facts AS d ON d.run = r.run AND d.name = 'description'
         WHERE r.id = $1 AND r.state = 'ended' FOR UPDATE OF r`,
        [id],
      );
      if (row === undefined) return false;
      const { run } = row;
      const description = JSON.parse(row.description) as RunDescription;
      if (Date.parse(description.started) > moment) return false;
      const report = JSON.parse(row.report ?? 'null') as RunFacts['report'] | null;
      // Nobody can resume it, and others have found out about what it has left.
      const isOver = async (): Promise<boolean> =>
        !isRepeatable(description) && (await this.#isConfirmed(run));
      if (report === null ? !(await isOver()) : report.resumable) return false;
      await transaction.rows(
        'DELETE FROM docferry.claims WHERE target IN (SELECT target FROM docferry.targets WHERE run = $1)',
        [id],
      );
      for (const table of PARTITIONED)
        await transaction.rows(`DROP TABLE docferry.${table}_${run}`);
      for (const table of ['rejects', 'shards', 'runs']) {
        await transaction.rows(`DELETE FROM docferry.${table} WHERE run = $1`, [run]);
      }
      return true;
    });
  }
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

/** A run's own part of a table. It is made apart, as making it in its place locks the table for all. */
async function partition(transaction: Transaction, table: string, run: number): Promise<void> {
  const own = `docferry.${table}_${run}`;
  await transaction.rows(
    `CREATE TABLE ${own} (LIKE docferry.${table} INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)`,
  );
  await transaction.rows(
    `ALTER TABLE docferry.${table} ATTACH PARTITION ${own} FOR VALUES IN (${run})`,
  );
}

/** What no longer holds of a run that is resumed. */
const RESUME = [
  "DELETE FROM docferry.facts WHERE run = $1 AND name = 'report'",
  'UPDATE docferry.shards SET requests = 0, retries = 0 WHERE run = $1',
  `UPDATE docferry.inputs SET planned = planned AND problem IS NULL, problem = NULL WHERE run = $1`,
];
