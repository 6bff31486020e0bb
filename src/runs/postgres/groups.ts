import { VERSION } from '../../model/version.js';
import type { RunDescription } from '../description.js';
import { shardId } from '../store.js';
import type { Database } from './database/database.js';
import { deleteClaims, deleteRun } from './delete-run.js';
import { COUNTED, type ShardCounts } from './shard-run.js';

/** An import in shards, named by the key that its processes are given. */
export interface Group {
  readonly number: number;
  readonly key: string;
  readonly started: Date;
  /** `undefined` until a process has read the inputs. */
  readonly defined: GroupDefinition | undefined;
}

export interface GroupDefinition {
  /** Number of shards. */
  readonly shards: number;
  readonly version: string;
  readonly description: RunDescription;
  /** In the format of `operations/shards/`. */
  readonly plan: string;
}

/** A definition before it is stored. */
export type PlannedGroup = Omit<GroupDefinition, 'version'>;

/** State of one shard. */
export interface ShardState {
  /** Number from 1. */
  readonly shard: number;
  /** `waiting` before its first process; `stopped` if its last one ended or was killed too early. */
  readonly state: 'waiting' | 'running' | 'stopped' | 'done';
  /** Name of the process that has it; `null` if none does. */
  readonly process: string | null;
  /** Time since which it has this state, in milliseconds since 1970; `null` before its first process. */
  readonly sinceMs: number | null;
  /** Number of processes that took it. */
  readonly starts: number;
  readonly counts: ShardCounts;
}

/** Figures and state that a shard's processes have stored. */
export interface StoredShard extends Pick<ShardState, 'shard'> {
  /** Id of its run. */
  readonly id: string;
  /** Figures of its last process; `null` if that was cut off or is running. */
  readonly figures: string | null;
}

/** Interval at which a process that plans shows that it is alive. */
const ALIVE_MS = 5_000;

export class Groups {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Finds a group, or makes it. One that was never defined begins anew. */
  async open(key: string): Promise<Group> {
    await this.#database.rows(
      `WITH abandoned AS (
         SELECT key FROM docferry.groups WHERE key = $1 AND plan IS NULL
           AND started < clock_timestamp() - interval '10 minutes' FOR UPDATE SKIP LOCKED
       ), begun AS (
         UPDATE docferry.groups SET started = date_trunc('milliseconds', clock_timestamp())
         WHERE key IN (SELECT key FROM abandoned)
       )
       INSERT INTO docferry.groups (key) VALUES ($1) ON CONFLICT DO NOTHING`,
      [key],
    );
    return (await this.find(key)) as Group;
  }

  async find(key: string): Promise<Group | undefined> {
    const [row] = await this.#database.rows<GroupRow>(
      `SELECT group_number AS number, key, started, shards, version, description, plan
       FROM docferry.groups WHERE key = $1`,
      [key],
    );
    if (row === undefined) return undefined;
    const { number, started, shards, version, description, plan } = row;
    const defined = description === null ? undefined : { shards, version, plan };
    return {
      number,
      key,
      started,
      defined: defined && { ...defined, description: JSON.parse(description as string) },
    };
  }

  /** Numbers of shards by the groups' keys, the latest last. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.rows<{ key: string; shards: number }>(
      'SELECT key, shards FROM docferry.groups WHERE plan IS NOT NULL ORDER BY group_number',
    );
    return new Map(rows.map(({ key, shards }) => [key, shards]));
  }

  /**
   * Defines a group, unless it is defined. One process at a time does, whose transaction lasts as long
   * as it plans: if it is killed, or paused for half a minute, a different process may.
   * @returns `false` if another process is at it
   */
  async define({ number, key }: Group, plan: () => Promise<PlannedGroup>): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const [locked] = await transaction.rows<{ isDefined: boolean }>(
        `SELECT plan IS NOT NULL AS "isDefined" FROM docferry.groups
         WHERE group_number = $1 FOR UPDATE SKIP LOCKED`,
        [number],
      );
      if (locked === undefined || locked.isDefined) return locked !== undefined;
      const timer = setInterval(() => void transaction.rows('SELECT').catch(() => {}), ALIVE_MS);
      const { shards, description, plan: text } = await plan().finally(() => clearInterval(timer));
      const { target, options } = description;
      await transaction.rows(DEFINE, [
        ...[key, VERSION, target.service, target.monitoring, ownerOf(options, key)],
        ...[number, shards, JSON.stringify(description), text, description.started],
      ]);
      return true;
    });
  }

  /**
   * Makes a shard's run, unless there is one.
   * @returns its id
   */
  async addShard({ number, key }: Group, index: number): Promise<string> {
    const id = shardId({ key, index });
    await this.#database.rows(
      `INSERT INTO docferry.runs (id, target, state, version, group_number, shard)
       SELECT $1, target, 'ended', version, group_number, $3 FROM docferry.groups
       WHERE group_number = $2 ON CONFLICT DO NOTHING`,
      [id, number, index],
    );
    return id;
  }

  /** States of all shards, in their order. */
  async states({ number }: Group): Promise<readonly ShardState[]> {
    return await this.#database.rows<ShardState>(STATES, [number]);
  }

  /** Reads the figures of the shards, in their order; one by one, since they can be large. */
  async *stored({ number }: Group): AsyncGenerator<StoredShard, void, undefined> {
    for (let after = 0; ; ) {
      const [row] = await this.#database.rows<StoredShard>(
        `SELECT r.shard, r.id, f.value AS figures FROM docferry.runs AS r
         LEFT JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'figures'
         WHERE r.group_number = $1 AND r.shard > $2 ORDER BY r.shard LIMIT 1`,
        [number, after],
      );
      if (row === undefined) return;
      yield row;
      after = row.shard;
    }
  }

  /** Rejected records as lines of JSON, in the order of the inputs. */
  async *rejects({ number }: Group): AsyncGenerator<string, void, undefined> {
    for (let after = [0, -1]; ; ) {
      const [row] = await this.#database.rows<{ shard: number; number: number; lines: string }>(
        `SELECT r.shard, j.number, j.lines FROM docferry.runs AS r
         JOIN docferry.rejects AS j ON j.run = r.run
         WHERE r.group_number = $1 AND (r.shard, j.number) > ($2, $3)
         ORDER BY r.shard, j.number LIMIT 1`,
        [number, ...after],
      );
      if (row === undefined) return;
      yield* row.lines.split('\n');
      after = [row.shard, row.number];
    }
  }

  /**
   * Removes a group that began by a given time, if all of its shards are done.
   * @returns the ids of the removed runs
   */
  async removeIfDone(key: string, beganBeforeMs: number): Promise<readonly string[]> {
    return await this.#database.transaction(async (transaction) => {
      const runs = await transaction.rows<DoneRun>(
        `SELECT r.run, r.id, t.target AS own, g.shards, r.done AND r.state = 'ended'
           AND g.started <= to_timestamp($2::double precision / 1000) AS removable
         FROM docferry.runs AS r JOIN docferry.groups AS g USING (group_number)
         LEFT JOIN docferry.targets AS t ON t.target = r.target AND t.owner = g.key
         WHERE g.key = $1 FOR UPDATE OF r, g`,
        [key, beganBeforeMs],
      );
      if (runs.length !== runs[0]?.shards || !runs.every(({ removable }) => removable)) return [];
      const [{ own }] = runs as [DoneRun];
      if (own !== null) await deleteClaims(transaction, own);
      for (const { run } of runs) await deleteRun(transaction, run);
      await transaction.rows('DELETE FROM docferry.groups WHERE key = $1', [key]);
      return runs.map(({ id }) => id);
    });
  }
}

interface GroupRow
  extends Pick<Group, 'number' | 'key' | 'started'>,
    Omit<GroupDefinition, 'description'> {
  readonly description: string | null;
}

interface DoneRun {
  readonly run: number;
  readonly id: string;
  /** Target whose claims are the group's own. */
  readonly own: number | null;
  readonly shards: number;
  readonly removable: boolean;
}

/** Owner of a target's claims: empty if they are shared with other imports. */
export function ownerOf(options: RunDescription['options'], id: string): string {
  return options['skipKnown'] === false ? id : '';
}

/** Creates the target for `$3`, `$4` and `$5`, unless it exists. */
export const TARGET = `INSERT INTO docferry.targets (service, monitoring, owner) VALUES ($3, $4, $5)
  ON CONFLICT (service, monitoring, owner) DO UPDATE SET service = excluded.service
  RETURNING target`;

const DEFINE = `WITH target AS (${TARGET})
  UPDATE docferry.groups AS g SET target = target.target, version = $2, shards = $7, description = $8,
    plan = $9, started = $10
  FROM target WHERE g.group_number = $6 AND g.key = $1`;

const COUNTS = COUNTED.map((name, at) => `'${name}', coalesce(r.counts[${at + 1}], 0)`).join(', ');

const STATES = `SELECT n.shard, CASE WHEN r.state = 'held' THEN 'running' WHEN r.done THEN 'done'
      WHEN r.starts > 0 THEN 'stopped' ELSE 'waiting' END AS state,
    s.name AS process, coalesce(r.starts, 0) AS starts,
    (extract(epoch FROM r.since) * 1000)::double precision AS "sinceMs",
    json_build_object(${COUNTS}) AS counts
  FROM docferry.groups AS g CROSS JOIN generate_series(1, g.shards) AS n(shard)
  LEFT JOIN docferry.runs AS r ON r.group_number = g.group_number AND r.shard = n.shard
  LEFT JOIN docferry.sessions AS s ON s.session = r.session AND r.state = 'held'
  WHERE g.group_number = $1 ORDER BY n.shard`;
