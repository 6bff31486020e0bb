import { describe, expect } from 'vitest';
import type { RunDescription } from '../../../src/runs/description.js';
import type { PostgresStore, TakenShard } from '../../../src/runs/postgres/store.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';
import { countsWith } from '../../report/fixtures.js';
import { openStore } from './shared-run.js';

const DESCRIPTION = {
  started: '2026-01-01T00:00:00.000Z',
  inputs: [{ name: 'a', path: '/data/a', size: 1, modifiedMs: 1 }],
  inputKey: null,
  mapping: { name: 'm', hash: 'm' },
  target: { service: 'https://api.example.com/5.0', monitoring: 1 },
  options: {},
} as unknown as RunDescription;

const COUNTS = { ...countsWith({ read: 3, accepted: 2, invalid: 1 }), bytesRead: 30 };

/** Defines a group of so many shards. */
async function groupOf(store: PostgresStore, shards: number) {
  const group = await store.groups.open('nightly');
  await store.groups.define(group, async () => ({ shards, description: DESCRIPTION, plan: '{}' }));
  return group;
}

async function take(store: PostgresStore, index: number): Promise<TakenShard | undefined> {
  const id = await store.groups.addShard(await store.groups.open('nightly'), index);
  const { signal } = new AbortController();
  return await store.takeShard(id, { signal, onWait: () => {} });
}

async function finish(taken: TakenShard | undefined): Promise<void> {
  await taken?.shard.begin();
  await taken?.shard.addRejects(0, 'a reject');
  await taken?.shard.finish('{}', COUNTS, true);
  await taken?.journal.release();
}

async function rejectsOf(store: PostgresStore): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of store.groups.rejects(await store.groups.open('nightly'))) {
    lines.push(line);
  }
  return lines;
}

describe.skipIf(!HAS.postgres)('a shard in Postgres', () => {
  longTest('that is done stays done, with its rejects, when its run is verified', async () => {
    const store = await openStore(await newDatabase());
    const group = await groupOf(store, 2);
    await finish(await take(store, 1));
    await (await store.take('nightly/1')).release();
    const [first, second] = await store.groups.states(group);
    expect(first).toMatchObject({ state: 'done', counts: COUNTS });
    expect(second).toMatchObject({ state: 'waiting', starts: 0 });
    expect(await rejectsOf(store)).toEqual(['a reject']);
    expect(await take(store, 1)).toBeUndefined();
  });

  longTest('stores nothing once another process has taken it over', async () => {
    const state = await newDatabase();
    const [one, other] = [await openStore(state), await openStore(state)];
    await groupOf(one, 1);
    const late = await take(one, 1);
    // As if its lease had expired, which its heartbeat prevents here.
    await one.database.rows('UPDATE docferry.sessions SET fenced = true');
    await one.database.rows("UPDATE docferry.runs SET state = 'ended', session = NULL");
    const taken = await take(other, 1);
    await late?.shard.addRejects(0, 'late');
    await expect(late?.shard.finish('{"late":1}', COUNTS, true)).rejects.toThrow(/taken over/);
    expect(await rejectsOf(other)).toEqual([]);
    await finish(taken);
    expect(await rejectsOf(other)).toEqual(['a reject']);
    await late?.journal.release();
  });

  longTest('is pruned with its group, once all of that is done', async () => {
    const store = await openStore(await newDatabase());
    await groupOf(store, 2);
    await finish(await take(store, 1));
    expect(await store.removeDone(await store.list(), Date.now())).toEqual([]);
    await finish(await take(store, 2));
    expect(await store.removeDone(await store.list(), Date.parse(DESCRIPTION.started) - 1)).toEqual(
      [],
    );
    const removed = await store.removeDone(await store.list(), Date.now());
    expect(removed).toEqual(['nightly/1', 'nightly/2']);
    expect(await store.groups.find('nightly')).toBeUndefined();
  });
});
