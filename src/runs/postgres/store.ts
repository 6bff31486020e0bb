import { setTimeout as sleep } from 'node:timers/promises';
import { ResumeError } from '../../model/errors.js';
import { VERSION } from '../../model/version.js';
import { isRepeatable, type RunDescription, type RunTarget } from '../description.js';
import {
  type Ledger,
  type LockRequest,
  noSuchRun,
  type RunFacts,
  type RunJournal,
  type RunLock,
  type RunStore,
  type StoredDescription,
  shardOf,
  type TakenOver,
} from '../store.js';
import { StoredRun } from '../stored-run.js';
import { claimsLedger } from './claims.js';
import { Database, type RetryPolicy } from './database/database.js';
import { deleteClaims, deleteRun } from './delete-run.js';
import { Groups, ownerOf, TARGET } from './groups.js';
import { PostgresRun } from './postgres-run.js';
import { fenceExpired, readSettings, Session } from './session.js';
import { ShardRun } from './shard-run.js';

/** A run of this store. */
interface FoundRun {
  readonly run: number;
  readonly id: string;
  readonly target: number;
  /** Whether nothing is left to do in a shard. */
  readonly isDone: boolean;
}

export interface TakenShard {
  readonly journal: RunJournal;
  readonly shard: ShardRun;
}

const POLL_MS = 500;

export class PostgresStore implements RunStore, AsyncDisposable {
  readonly database: Database;
  /** Imports in shards, each of which is a run. */
  readonly groups: Groups;

  private constructor(database: Database) {
    this.database = database;
    this.groups = new Groups(database);
  }

  /** @throws OptionError, JournalError */
  static async open(state: string, retry?: RetryPolicy): Promise<PostgresStore> {
    return new PostgresStore(await Database.open(state, retry));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close();
  }

  /** Ends the runs of processes whose lease has expired. */
  async endExpired(): Promise<void> {
    await fenceExpired(this.database, await readSettings(this.database));
  }

  async list(): Promise<readonly string[]> {
    const ids = 'SELECT id FROM docferry.runs ORDER BY run';
    return (await this.database.rows<{ id: string }>(ids)).map(({ id }) => id);
  }

  async shardCounts(): Promise<ReadonlyMap<string, number>> {
    return await this.groups.counts();
  }

  async isRunning(id: string): Promise<boolean> {
    const { run } = await this.find(id);
    return (await this.#holder(run)) !== undefined;
  }

  async descriptions(monitoring: number): Promise<readonly StoredDescription[]> {
    const rows = await this.database.rows<{ id: string; value: string }>(DESCRIPTIONS, [
      monitoring,
    ]);
    return rows.map(({ id, value }) => ({ id, description: JSON.parse(value) as RunDescription }));
  }

  async openReadOnly(id: string): Promise<RunJournal> {
    return new PostgresRun(this.database, await this.find(id));
  }

  /**
   * Shards of one group aren't in each other's way. If this process holds a run to the target itself,
   * because it resumes it, only a process that held its run before is in the way: else two could wait
   * for each other.
   */
  async tryLockTarget({ run, target }: LockRequest): Promise<RunLock | string> {
    await this.endExpired();
    const [other] = await this.database.rows<{ id: string; name: string }>(
      `SELECT r.id, s.name FROM docferry.runs AS r JOIN docferry.sessions AS s USING (session)
       JOIN docferry.targets AS t USING (target)
       WHERE r.state = 'held' AND t.service = $1 AND t.monitoring = $2 AND session <> ALL ($3::integer[])
         AND r.id <> $4 AND NOT EXISTS (SELECT FROM docferry.runs AS own WHERE own.id = $4
           AND (own.session < s.session OR own.group_number = r.group_number))
       ORDER BY r.run LIMIT 1`,
      [target.service, target.monitoring, [...Session.ownIds], run],
    );
    if (other === undefined) return { loss: () => undefined, release: () => {} };
    return `The run ${other.id} (process ${other.name}) is importing into monitoring ${target.monitoring}, or was killed and its lease has not expired`;
  }

  async begin(id: string, description: RunDescription): Promise<RunJournal> {
    const { target, options } = description;
    const owner = ownerOf(options, id);
    const session = await Session.open(this.database);
    const values = [id, VERSION, target.service, target.monitoring, owner, session.id];
    await this.database.transaction(async (transaction) => {
      await session.assertNotFenced(transaction);
      await transaction.rows(BEGIN_RUN, [...values, JSON.stringify(description)]);
    });
    const onRelease = (): Promise<void> => session.close().catch(() => {});
    return new PostgresRun(this.database, { ...(await this.find(id)), session, onRelease });
  }

  async take(id: string): Promise<RunJournal> {
    const { run } = await this.find(id);
    // The holder is alive if its heartbeat changes; if it was killed, its lease expires.
    for (let before: Holder | undefined; ; ) {
      const holder = await this.#holder(run);
      if (holder === undefined) break;
      if (before !== undefined && before.seen !== holder.seen) throw isRunning(id, holder);
      before = holder;
      await sleep(POLL_MS);
    }
    const taken = await this.#tryTake(id);
    if (taken === undefined) throw isRunning(id, { name: 'that was faster' });
    return taken.journal;
  }

  /**
   * Takes a shard once no other process has it.
   * @param onWait called with the name of each process that has it
   * @returns `undefined` if nothing is left to do in it
   * @throws the signal's reason; JournalError
   */
  async takeShard(
    id: string,
    { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: (name: string) => void },
  ): Promise<TakenShard | undefined> {
    for (let named: string | undefined; ; ) {
      const { run, isDone } = await this.find(id);
      const holder = await this.#holder(run);
      if (holder === undefined) {
        if (isDone) return undefined;
        const taken = await this.#tryTake(id, { unlessDone: true });
        if (taken !== undefined) return taken;
      } else if (holder.name !== named) onWait(holder.name);
      named = holder?.name;
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  /**
   * Takes a run; `undefined` if another process was faster.
   * @param unlessDone it may have finished the shard as well
   */
  async #tryTake(id: string, { unlessDone = false } = {}): Promise<TakenShard | undefined> {
    const session = await Session.open(this.database);
    const onRelease = (): Promise<void> => session.close().catch(() => {});
    try {
      const { run, target } = await this.find(id);
      if (!(await this.#hold(run, session, unlessDone))) {
        await onRelease();
        return undefined;
      }
      const scope = { id, run, target, session, onRelease };
      return {
        journal: new PostgresRun(this.database, scope),
        shard: new ShardRun(this.database, { run, session }),
      };
    } catch (error) {
      // If the database is away, the lease expires.
      await onRelease();
      throw error;
    }
  }

  /** Holds a run for a session; `false` if another process has it. */
  async #hold(run: number, session: Session, unlessDone: boolean): Promise<boolean> {
    const held = await this.database.rows(
      `WITH own AS MATERIALIZED (
         SELECT session FROM docferry.sessions WHERE session = $2 AND NOT fenced FOR KEY SHARE
       )
       UPDATE docferry.runs AS r SET state = 'held', session = own.session,
         -- A retry after a lost answer finds it taken; a verification isn't a start.
         starts = starts + (state = 'ended' AND $3)::integer,
         since = CASE WHEN state = 'ended' AND NOT done THEN clock_timestamp() ELSE since END
       FROM own
       WHERE run = $1 AND NOT (done AND $3)
         AND (state = 'ended' OR state = 'held' AND r.session = own.session)
       RETURNING run`,
      [run, session.id, unlessDone],
    );
    if (held.length === 0) await session.assertNotFenced();
    return held.length > 0;
  }

  /** Process that holds a run, and its last heartbeat; `undefined` if none does. */
  async #holder(run: number): Promise<Holder | undefined> {
    await this.endExpired();
    const [holder] = await this.database.rows<Holder>(
      `SELECT s.name, s.seen::text AS seen FROM docferry.runs JOIN docferry.sessions AS s USING (session)
       WHERE run = $1 AND state = 'held'`,
      [run],
    );
    return holder;
  }

  /** Returns whether runs outside the group of a shard have, or had, something to send to its target. */
  async followsOthers(id: string): Promise<boolean> {
    const others = await this.database.rows(
      `SELECT FROM docferry.runs AS own JOIN docferry.runs AS other USING (target)
       WHERE own.id = $1 AND other.group_number IS DISTINCT FROM own.group_number
         AND EXISTS (SELECT FROM docferry.entries AS e WHERE e.run = other.run) LIMIT 1`,
      [id],
    );
    return others.length > 0;
  }

  /** Empty: a run's states already leave out documents whose claims another run has taken over. */
  async takenOver(): Promise<ReadonlyMap<string, readonly TakenOver[]>> {
    return new Map();
  }

  async openLedger(_: RunTarget, id: string): Promise<Ledger | undefined> {
    const { run, target } = await this.find(id);
    return claimsLedger(this.database, target, run);
  }

  /** @throws ResumeError if there is no run with this id */
  async find(id: string): Promise<FoundRun> {
    const [found] = await this.database.rows<FoundRun>(
      'SELECT run, id, target, done AS "isDone" FROM docferry.runs WHERE id = $1',
      [id],
    );
    if (found !== undefined) return found;
    const isGroup = (await this.groups.find(id)) !== undefined;
    const remedy = `It is an import in shards: \`docferry runs show ${id}\` lists them.`;
    throw noSuchRun(
      id,
      this.database.address.shown,
      await this.list(),
      isGroup ? remedy : undefined,
    );
  }

  /** The claims of the removed runs stay, unless they were separate. */
  async removeDone(ids: readonly string[], beganBeforeMs: number): Promise<readonly string[]> {
    await this.endExpired();
    const removed: string[] = [];
    const keys = new Set<string>();
    for (const id of ids) {
      const shard = shardOf(id);
      if (shard !== undefined) keys.add(shard.key);
      else if (await this.#removeIfDone(id, beganBeforeMs)) removed.push(id);
    }
    for (const key of keys) removed.push(...(await this.groups.removeIfDone(key, beganBeforeMs)));
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
         LEFT JOIN docferry.targets AS t ON t.target = r.target AND t.owner = r.id
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
      if (own !== null) await deleteClaims(transaction, own);
      await deleteRun(transaction, run);
      return true;
    });
  }
}

interface Holder {
  /** Name of its process. */
  readonly name: string;
  /** Time of its last heartbeat. */
  readonly seen: string;
}

function isRunning(id: string, { name }: Pick<Holder, 'name'>): ResumeError {
  return new ResumeError(
    `The run ${id} is running in the process ${name}: wait until it ends. If that was killed, its lease expires within a minute.`,
  );
}

/** A group is described once, for all of its shards. */
const DESCRIPTIONS = `SELECT id, value FROM (
    SELECT r.id, r.run AS place, f.value, r.target FROM docferry.runs AS r
    JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'description'
    UNION ALL
    SELECT g.key, (SELECT min(run) FROM docferry.runs AS r WHERE r.group_number = g.group_number), g.description, g.target
    FROM docferry.groups AS g WHERE g.description IS NOT NULL
  ) AS described JOIN docferry.targets AS t USING (target)
  WHERE t.monitoring = $1 AND t.owner = '' ORDER BY place NULLS LAST`;

const BEGIN_RUN = `WITH target AS (${TARGET}), begun AS (
    INSERT INTO docferry.runs (id, target, state, session, version, starts)
    SELECT $1, target, 'held', $6, $2, 1
    FROM target ON CONFLICT DO NOTHING RETURNING run
  )
  INSERT INTO docferry.facts (run, name, value) SELECT run, 'description', $7 FROM begun`;
