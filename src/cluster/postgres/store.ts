import { JournalError, ResumeError } from '../../model/errors.js';
import type { RecordState, RecordStates } from '../../model/record-ranges.js';
import type { RunTarget } from '../../runs/description.js';
import type { Ledger, RunFacts, RunStore, StoredRun } from '../../runs/store.js';
import { beginRun, type NewRun } from './begin-run.js';
import { ClaimsLedger } from './claims-ledger.js';
import { AT_ONCE, Database, type Patience, type Transaction } from './database/database.js';
import { readStates, type ShardPlace } from './entries.js';
import { readProgress, type ShardState, type ShardsProgress } from './progress.js';
import { pruneRuns } from './prune.js';
import {
  addFinishAtEnd,
  addJobsOf,
  addMissingJobs,
  IS_AT_END,
  makeQueue,
  removeJobsOf,
} from './queue.js';
import { Session } from './session.js';
import { type RunStop, type Shard, Shards } from './shards.js';
import { PostgresRun } from './stored-run.js';

/** A run that workers process. */
export interface ActiveRun {
  readonly run: number;
  readonly id: string;
  readonly target: number;
  readonly state: 'active' | 'finishing' | 'held' | 'ended';
  readonly version: string;
  readonly plan: string;
  readonly stop: RunStop | null;
  /** Whether earlier runs have claimed anything of the same target. */
  readonly follows: boolean;
  /** Whether what was unknown was reconciled for all shards together. */
  readonly resolved: boolean;
}

/** How far a run is. */
export interface RunProgress extends Pick<ActiveRun, 'state' | 'stop'>, ShardsProgress {}

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

  async close(): Promise<void> {
    await this.database.close();
  }

  async openSession(version: string): Promise<Session> {
    await makeQueue(this.database);
    return await Session.open(this.database, version);
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

  shards(session: Session): Shards {
    return new Shards(this.database, session);
  }

  async list(): Promise<readonly string[]> {
    const rows = await this.database.rows<{ id: string }>(
      'SELECT id FROM docferry.runs ORDER BY run',
    );
    return rows.map(({ id }) => id);
  }

  async isRunning(id: string): Promise<boolean> {
    return (await this.find(id)).state !== 'ended';
  }

  async look<T>(id: string, look: (run: StoredRun) => Promise<T>): Promise<T> {
    return await look(this.#opened(await this.find(id)));
  }

  /** For this process alone, to look at what became of its documents; nothing new is sent. */
  async take(id: string): Promise<StoredRun> {
    const found = await this.find(id);
    const session = await this.openSession('');
    const held = await this.database.rows(
      `UPDATE docferry.runs SET state = 'held', session = $2, touched = clock_timestamp()
       WHERE run = $1 AND (state = 'ended' OR state = 'held' AND session = $2) RETURNING run`,
      [found.run, session.id],
    );
    if (held.length === 0) {
      await session.close();
      throw new ResumeError(
        `The run ${id} is running: wait until it ends, or end it with \`docferry runs cancel\`.`,
      );
    }
    return this.#opened(found, { session, onRelease: () => session.close() });
  }

  async openLedger(_: RunTarget, run: string): Promise<Ledger | undefined> {
    const { run: number, target } = await this.find(run);
    return new ClaimsLedger(this.database, target, number);
  }

  /** @throws ResumeError if there is none of this name */
  async find(id: string): Promise<ActiveRun> {
    const [row] = await this.database.rows<RunRow>(`${RUN} WHERE id = $1`, [id]);
    if (row !== undefined) return runOf(row);
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
    const [row] = await this.database.rows<RunRow>(`${RUN} WHERE run = $1`, [run]);
    return row && runOf(row);
  }

  /**
   * Begins a run that workers process from now on.
   * @throws ResumeError if one of the same inputs to the same target is running
   */
  async beginRun(id: string, run: NewRun): Promise<ActiveRun> {
    await beginRun(this.database, id, run);
    return await this.find(id);
  }

  /** Adds jobs for what there is to do of a run and has none that is being done or due. */
  async addMissingJobs(run: number): Promise<void> {
    await this.database.transaction((transaction) => addMissingJobs(transaction, run));
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

  /** Smaller ones than this aren't worth what it costs to take them. */
  async minShardBytes(): Promise<number> {
    const [settings] = await this.database.rows<{ bytes: number }>(
      'SELECT min_shard_bytes AS bytes FROM docferry.settings',
    );
    if (settings === undefined) throw new JournalError('The state has lost its settings.');
    return settings.bytes;
  }

  async isPlanned(run: number, input: number): Promise<boolean> {
    const [row] = await this.database.rows<{ planned: boolean }>(
      'SELECT planned FROM docferry.inputs WHERE run = $1 AND input = $2',
      [run, input],
    );
    return row?.planned ?? true;
  }

  /**
   * Lets workers process a run that has ended once more: what is left of it.
   * @param plan as it is to be processed from now on
   * @param reopen which of its shards, from what came of them; those that were stopped are in any case
   */
  async resumeRun(
    { run }: ActiveRun,
    { plan, version }: Pick<NewRun, 'plan' | 'version'>,
    reopen: (report: string) => boolean,
  ): Promise<void> {
    const shards = await this.shardReports(run);
    const open = shards.filter(
      ({ state, report }) => state === 'stopped' || (report !== null && reopen(report)),
    );
    await makeQueue(this.database);
    await this.database.transaction(async (transaction) => {
      const resumed = await transaction.rows(
        `UPDATE docferry.runs SET state = 'active', session = NULL, stop = NULL, plan = $2, version = $3,
           resolved = false
         WHERE run = $1 AND state = 'ended' RETURNING run`,
        [run, plan, version],
      );
      if (resumed.length === 0) return;
      await transaction.rows("DELETE FROM docferry.facts WHERE run = $1 AND name = 'report'", [
        run,
      ]);
      await transaction.rows(
        'UPDATE docferry.shards SET requests = 0, retries = 0 WHERE run = $1',
        [run],
      );
      await openShards(transaction, run, open);
      await transaction.rows(
        'UPDATE docferry.inputs SET planned = planned AND problem IS NULL, problem = NULL WHERE run = $1',
        [run],
      );
      await addJobsOf(transaction, run);
    });
  }

  /** Ends a run early, for all who process it. The first reason stands. */
  async stopRun({ run }: Pick<ActiveRun, 'run'>, stop: RunStop): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.rows(
        `UPDATE docferry.runs SET stop = $2
         WHERE run = $1 AND state IN ('active', 'finishing') AND stop IS NULL`,
        [run, JSON.stringify(stop)],
      );
      await addFinishAtEnd(transaction, run);
    });
  }

  /** What a run is stopped for; `undefined`: nothing has. */
  async stopOf({ run }: Pick<ActiveRun, 'run'>): Promise<RunStop | undefined> {
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

  /** What became of all of a run's documents, for the session that finishes it. */
  openWhole(run: ActiveRun, session: Session): StoredRun {
    return this.#opened(run, { session });
  }

  /**
   * What was unknown is reconciled, as far as it can be: its shards are processed once more, to send
   * what is missing.
   */
  async reopenRun(run: number, session: Session, shards: readonly ShardPlace[]): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const reopened = await transaction.rows(
        `UPDATE docferry.runs SET state = 'active', session = NULL, resolved = true
         WHERE run = $1 AND state = 'finishing' AND session = $2 RETURNING run`,
        [run, session.id],
      );
      if (reopened.length === 0) return;
      await openShards(transaction, run, shards);
      await addJobsOf(transaction, run);
    });
  }

  /** The run has ended with this report, unless another session finishes it. */
  async finishRun(run: number, session: Session, report: RunFacts['report']): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const ended = await transaction.rows(
        `UPDATE docferry.runs SET state = 'ended', session = NULL, touched = clock_timestamp()
         WHERE run = $1 AND state = 'finishing' AND session = $2 RETURNING run`,
        [run, session.id],
      );
      if (ended.length === 0) return;
      await removeJobsOf(transaction, run);
      await transaction.rows(
        `INSERT INTO docferry.facts (run, name, value) VALUES ($1, 'report', $2)
         ON CONFLICT (run, name) DO UPDATE SET value = excluded.value`,
        [run, JSON.stringify(report)],
      );
    });
  }

  /** What came of each shard, in the order of inputs and parts. */
  async shardReports(run: number): Promise<readonly ShardResult[]> {
    return await this.database.rows<ShardResult>(
      `SELECT input, part, state, report, requests, retries FROM docferry.shards WHERE run = $1
       ORDER BY input, part`,
      [run],
    );
  }

  /** Why inputs could not be cut to their end. */
  async planningProblems(run: number): Promise<readonly string[]> {
    const rows = await this.database.rows<{ problem: string }>(
      `SELECT problem FROM docferry.inputs WHERE run = $1 AND problem IS NOT NULL ORDER BY input`,
      [run],
    );
    return rows.map(({ problem }) => problem);
  }

  /** Rejected records as they were told, in the order of inputs and parts, and in that of each. */
  async *rejects(run: number): AsyncGenerator<string, void, undefined> {
    let after = [-1, -1, -1];
    for (;;) {
      const [row] = await this.database.rows<RejectsRow>(
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

  /** A shard of a run, to be written to by who has it. */
  openShard(run: ActiveRun, shard: Shard, session: Session): StoredRun {
    const { input, part } = shard;
    return this.#opened(run, { session, shard: { input, part } });
  }

  /**
   * Removes runs that have nothing left to do and began by some moment. What they claimed stays.
   * @param moment in milliseconds since 1970
   */
  async prune(
    moment: number,
  ): Promise<{ readonly removed: readonly string[]; readonly kept: number }> {
    return await pruneRuns(this.database, await this.list(), moment);
  }

  #opened(
    { id, run, target }: Pick<ActiveRun, 'id' | 'run' | 'target'>,
    held: {
      readonly session?: Session;
      readonly shard?: ShardPlace;
      readonly onRelease?: () => Promise<void>;
    } = {},
  ): PostgresRun {
    return new PostgresRun(this.database, { id, run, target, ...held });
  }

  /** What became of the records of a shard that nobody has told of. */
  async statesOf(run: number, shard: ShardPlace): Promise<RecordStates<RecordState>> {
    return await readStates(this.database, run, shard);
  }
}

/** What came of a shard. */
export interface ShardResult extends ShardPlace {
  readonly state: ShardState;
  readonly report: string | null;
  /** Made for it since the run was begun or resumed. */
  readonly requests: number;
  readonly retries: number;
}

const RUN = `SELECT run, id, target, state, version, plan, stop, follows, resolved FROM docferry.runs`;

type RunRow = Omit<ActiveRun, 'stop'> & {
  readonly stop: string | null;
};

interface RejectsRow extends ShardPlace {
  readonly number: number;
  readonly lines: string;
}

function runOf(row: RunRow): ActiveRun {
  return { ...row, stop: row.stop === null ? null : (JSON.parse(row.stop) as RunStop) };
}

async function openShards(
  transaction: Transaction,
  run: number,
  shards: readonly ShardPlace[],
): Promise<void> {
  await transaction.rows(
    `UPDATE docferry.shards AS s SET state = 'open'
     FROM unnest($2::integer[], $3::integer[]) AS o(input, part)
     WHERE s.run = $1 AND s.input = o.input AND s.part = o.part`,
    [run, shards.map(({ input }) => input), shards.map(({ part }) => part)],
  );
}
