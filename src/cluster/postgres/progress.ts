import type { Database } from './database/database.js';
import { COUNTED, type ShardCounts } from './shards.js';

/** How far a run's shards are. */
export interface ShardsProgress {
  /** Of shards that are processed now as their workers said last; of others what came of them. */
  readonly counts: ShardCounts;
  /** How many shards are in which state. */
  readonly shards: Readonly<Record<ShardState, number>>;
  readonly planned: boolean;
  readonly workers: readonly WorkerPresence[];
}

/** See `docferry.shards`. */
export type ShardState = 'open' | 'leased' | 'done' | 'stopped';

/** A process that has something of a run. */
export interface WorkerPresence {
  readonly name: string;
  readonly shards: number;
  /** Milliseconds since it said that it is there. */
  readonly silentMs: number;
}

export async function readProgress(database: Database, run: number): Promise<ShardsProgress> {
  const [sums] = await database.rows<ShardCounts & Record<ShardState, number>>(PROGRESS, [run]);
  const { open, leased, done, stopped, ...counts } = sums as ShardCounts &
    Record<ShardState, number>;
  const [inputs] = await database.rows<{ planned: boolean }>(
    'SELECT coalesce(bool_and(planned), true) AS planned FROM docferry.inputs WHERE run = $1',
    [run],
  );
  const workers = await database.rows<WorkerPresence>(
    `SELECT w.name, count(*)::integer AS shards,
         (extract(epoch FROM clock_timestamp() - max(w.seen)) * 1000)::double precision AS "silentMs"
       FROM docferry.shards AS s JOIN docferry.sessions AS w ON w.session = s.session
       WHERE s.run = $1 AND s.state = 'leased' GROUP BY w.session, w.name ORDER BY w.session`,
    [run],
  );
  const shards = { open, leased, done, stopped };
  return { counts, shards, planned: inputs?.planned ?? true, workers };
}

const STATES: readonly ShardState[] = ['open', 'leased', 'done', 'stopped'];

const PROGRESS = `SELECT
  ${COUNTED.map((name, at) => `coalesce(sum(counts[${at + 1}]), 0)::bigint AS "${name}"`).join(', ')},
  ${STATES.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')}
  FROM docferry.shards WHERE run = $1`;
