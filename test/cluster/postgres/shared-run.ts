import { onTestFinished } from 'vitest';
import { Session } from '../../../src/cluster/postgres/session.js';
import type { Shard } from '../../../src/cluster/postgres/shards.js';
import { type ActiveRun, PostgresStore } from '../../../src/cluster/postgres/store.js';
import type { Batch } from '../../../src/model/documents.js';
import type { RunDescription } from '../../../src/runs/description.js';
import type { JournaledOutcome, RunJournal } from '../../../src/runs/store.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';

/** Opens a store, as a separate process would. */
export async function openStore(url: string): Promise<PostgresStore> {
  const store = await PostgresStore.open(url);
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

export async function openSession(store: PostgresStore): Promise<Session> {
  const session = await Session.open(store.database);
  onTestFinished(() => session.close().catch(() => {}));
  return session;
}

/** Begins a run of one input with `parts` shards. */
export async function beginRun(
  store: PostgresStore,
  id: string,
  { monitoring = 1, alone = false, parts = 1 } = {},
): Promise<ActiveRun> {
  const target = { service: 'https://api.example.com/5.0', monitoring };
  const description = {
    started: '2026-01-01T00:00:00.000Z',
    inputs: [{ name: id, path: `/data/${id}`, size: 1, modifiedMs: 1 }],
    inputKey: null,
    mapping: { name: 'm', hash: 'm' },
    target,
    options: { skipKnown: !alone },
  } as unknown as RunDescription;
  const active = await store.beginRun(id, description, '{}');
  const shards = store.shards(await openSession(store));
  for (let part = 0; part < parts; part += 1) await shards.add(active.run, 0, { part, span: null });
  await shards.planned(active.run, 0, null);
  return active;
}

export interface Held {
  readonly store: PostgresStore;
  readonly active: ActiveRun;
  readonly session: Session;
  readonly shard: Shard;
  readonly stored: RunJournal;
}

export async function takeShard(
  store: PostgresStore,
  active: ActiveRun,
  held?: Session,
): Promise<Held> {
  const session = held ?? (await openSession(store));
  const shard = await takeNext(store, active, session);
  if (shard === undefined) throw new Error('No shard is left.');
  return { store, active, session, shard, stored: store.openRun(active, session, shard) };
}

/** Takes the first open shard of a run. */
export async function takeNext(
  store: PostgresStore,
  { run }: Pick<ActiveRun, 'run'>,
  session: Session,
): Promise<Shard | undefined> {
  return await store.shards(session).takeNext({ runs: [run], unreadable: [] });
}

/** Begins a run of one shard and takes it. */
export async function beginHeld(
  store: PostgresStore,
  id: string,
  how?: Parameters<typeof beginRun>[2],
): Promise<Held> {
  return await takeShard(store, await beginRun(store, id, how));
}

type Review = Parameters<typeof documentsOf>[0][number];

/** A request for these documents; their records are numbered from `first`. */
export function intentOf(reviews: readonly Review[], first = 1): Batch {
  return batchOf({ documents: documentsOf(reviews, first), from: 0, to: reviews.length });
}

export function reviewsOf(ids: readonly string[], text = 'Good'): readonly Review[] {
  return ids.map((sourceId) => ({ sourceId, text }));
}

/** Settles records `from` to `to`. */
export function settlementOf(
  intent: number,
  outcome: JournaledOutcome['outcome'],
  from = 1,
  to = from,
): JournaledOutcome {
  return { intent, records: [{ input: 0, from, to }], outcome, message: '' };
}
