import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ServerSettings,
  unusableReason,
} from '../../../src/cluster/postgres/database/database.js';
import { Session } from '../../../src/cluster/postgres/session.js';
import { publishedWindow } from '../../../src/model/documents.js';
import type { RunDescription } from '../../../src/runs/description.js';
import type { LockRequest } from '../../../src/runs/store.js';
import { latestUnfinished } from '../../../src/runs/stored-run.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';
import { countsWith } from '../../report/fixtures.js';
import {
  beginHeld,
  beginRun,
  type Held,
  intentOf,
  openSession,
  openStore,
  reviewsOf,
  settlementOf,
  takeNext,
  takeShard,
} from './shared-run.js';

const SAFE: ServerSettings = {
  ...{ version: 150_000, readOnly: 'off', encoding: 'UTF8', fsync: 'on' },
  ...{ synchronous_commit: 'on', full_page_writes: 'on' },
};

describe('a Postgres server', () => {
  it.each<[Partial<ServerSettings>, RegExp]>([
    [{ version: 140_011 }, /is Postgres 14: docferry needs version 15 or newer/],
    [{ readOnly: 'on' }, /is read-only \(a replica\?\): give the address of the primary/],
    [
      { encoding: 'SQL_ASCII' },
      /has the encoding SQL_ASCII, .* create a database with ENCODING 'UTF8'/,
    ],
    [{ full_page_writes: 'off' }, /has full_page_writes off, so it may lose/],
  ])('is of no use with %j', (settings, reason) => {
    expect(unusableReason({ ...SAFE, ...settings }, false)).toMatch(reason);
  });

  it('is accepted from version 15 on, and with unsafe settings only on request', () => {
    expect(unusableReason({ ...SAFE, synchronous_commit: 'remote_apply' }, false)).toBe(undefined);
    expect(unusableReason({ ...SAFE, fsync: 'off' }, true)).toBe(undefined);
    expect(unusableReason({ ...SAFE, fsync: 'off', version: 140_000 }, true)).toMatch(
      /Postgres 14/,
    );
  });
});

describe.skipIf(!HAS.postgres)('the tables in Postgres', () => {
  longTest('of another version are refused and left unchanged', async () => {
    const url = await newDatabase();
    await openStore(url);
    const client = await clientOf(url);
    await client.query('UPDATE docferry.migrations SET number = 999');
    await expect(openStore(url)).rejects.toThrow(
      /was created by another version of docferry \(its tables have version 999, and this docferry needs \d+\): use/,
    );
  });
});

describe.skipIf(!HAS.postgres)('a run in Postgres', () => {
  longTest('stores facts and intents with all characters', async () => {
    const url = await newDatabase();
    const held = await beginHeld(await openStore(url), 'run');
    const ids = ['é', '日本語', '👍', 'a\0b', 'a\ud800b', '"\\', "'"];
    const published = '2024-06-03T16:30:00Z';
    const reviews = [...reviewsOf(ids), { text: 'nameless' }].map((one) => ({ ...one, published }));
    const intent = intentOf(reviews);
    const { number } = await held.stored.intend(intent);
    const message = 'no: \0 \ud800 👍 "';
    held.stored.recordOutcome({ ...settlementOf(number, 'rejected', 2, 3), message });
    held.stored.recordOutcome(settlementOf(number, 'accepted', 5, 8));
    await held.stored.flush();

    const again = await openStore(url);
    const stored = await again.openReadOnly('run');
    const read = await stored.intent(number);
    expect(read?.ids).toEqual([...ids, null]);
    const records = [{ input: 0, from: 1, to: 8 }];
    expect(read).toMatchObject({ records, published: publishedWindow(intent) });
    const [{ documents } = {}] = intent.ranges;
    expect(Buffer.from(read?.digests ?? [])).toEqual(Buffer.from(documents?.digests ?? []));
    const states = [...(await stored.states()).entries()].map(
      ([{ from, to }, { kind, message }]) => [from, to, kind, message],
    );
    expect(states).toEqual([
      [1, 1, 'sending', ''],
      [2, 3, 'rejected', message],
      [4, 4, 'sending', ''],
      [5, 8, 'accepted', ''],
    ]);
  });

  longTest('that is pruned meanwhile is passed over, and named where it is asked for', async () => {
    const store = await openStore(await newDatabase());
    await end(await beginHeld(store, 'run'));
    const looked = await store.openReadOnly('run');
    await store.removeDone(['run'], Date.now());
    const pruned = 'The run run was pruned meanwhile';
    await expect(looked.description()).rejects.toThrow(pruned);
    await expect(looked.facts()).rejects.toThrow(pruned);
    const list = async () => ['run'].filter(() => list.calls++ === 0);
    list.calls = 0;
    const late = Object.assign(Object.create(store), { list, look: async () => looked });
    const now = { options: {}, target: { service: 'x', monitoring: 1 } };
    expect(await latestUnfinished(late, now)).toBeUndefined();
  });

  longTest('leaves its claims when it is pruned', async () => {
    const store = await openStore(await newDatabase());
    const old = await beginHeld(store, 'old');
    const { number } = await old.stored.intend(intentOf(reviewsOf(['a', 'b', 'c'])));
    old.stored.recordOutcome(settlementOf(number, 'accepted', 1, 2));
    old.stored.recordOutcome(settlementOf(number, 'rejected', 3));
    await old.stored.flush();
    await end(old);
    expect(await store.removeDone(['old'], Date.parse('2025-12-31'))).toEqual([]);
    expect(await store.removeDone(['old'], Date.now())).toEqual(['old']);
    expect(await store.list()).toEqual([]);
    const held = await beginHeld(store, 'new');
    const { taken } = await held.stored.intend(intentOf(reviewsOf(['a', 'b', 'c'])));
    expect(taken).toEqual(
      new Map([
        [0, 'same'],
        [1, 'same'],
      ]),
    );
  });
});

/** Releases all shards of a run and finishes it. */
async function end({ store, active, session, shard }: Held): Promise<void> {
  await store.shards(session).release(shard, LEFT);
  expect(await store.takeToFinish(active.run, session)).toBe(true);
  await store.finishRun(active.run, session, { resumable: false });
}

const COUNTS = { ...countsWith({ read: 3, accepted: 3 }), bytesRead: 30 };

const LEFT = {
  isDone: true,
  report: '{}',
  counts: COUNTS,
  requests: 1,
  retries: 0,
  readToEnd: true,
};

describe.skipIf(!HAS.postgres)('a run that one process has to itself', () => {
  const target = { service: 'https://api.example.com/5.0', monitoring: 1 };
  const description = {
    started: '2026-01-01T00:00:00.000Z',
    inputs: [{ name: 'stdin', path: null, size: null, modifiedMs: null }],
    inputKey: null,
    target,
    options: {},
  } as unknown as RunDescription;

  function request(run: string): LockRequest {
    return { run, target };
  }

  longTest('is not pruned while its documents are unconfirmed, whatever it reported', async () => {
    const store = await openStore(await newDatabase());
    const run = await store.begin('a', description);
    const batch = intentOf(reviewsOf(['x']));
    const { number } = await run.intend(batch);
    run.recordOutcome(settlementOf(number, 'unknown'));
    await run.flush();
    await run.writeReport({ resumable: false });
    await run.release();
    expect(await store.removeDone(['a'], Date.now())).toEqual([]);
    const next = await store.begin('b', description);
    const ledger = await store.openLedger(target, 'b');
    expect(await ledger?.lookUp(batch.ranges[0]!)).toEqual(new Map([[0, 'left-unconfirmed']]));
    await next.release();
  });

  longTest('is pruned if all its unconfirmed documents lack a sourceId', async () => {
    const store = await openStore(await newDatabase());
    const run = await store.begin('a', description);
    await run.intend(intentOf([{ text: 'Good' }]));
    await run.release();
    expect(await store.removeDone(['a'], Date.now())).toEqual(['a']);
  });

  longTest('waits for those that were held before, and no two wait for each other', async () => {
    const url = await newDatabase();
    const [one, other] = [await openStore(url), await openStore(url)];
    for (const id of ['a', 'b']) await (await one.begin(id, description)).release();
    const held = [await one.take('b'), await other.take('a')];
    // As if each were held by a process of its own.
    Session.ownIds.clear();
    expect(await one.tryLockTarget(request('b'))).not.toBeTypeOf('string');
    expect(await other.tryLockTarget(request('a'))).toMatch(/The run b .* is importing/);
    for (const run of held) await run.release();
  });
});

describe.skipIf(!HAS.postgres)('a session', () => {
  it('a stopped run isn’t finished while a shard is being taken', async () => {
    const url = await newDatabase();
    const stores = await Promise.all([openStore(url), openStore(url)]);
    const [one, other] = stores as [Held['store'], Held['store']];
    const active = await beginRun(one, 'run');
    // Between what a taker has read and its commit.
    const client = await clientOf(url);
    await client.query(`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN new; END $$`);
    await client.query(
      'CREATE TRIGGER slowly BEFORE UPDATE ON docferry.shards FOR EACH ROW EXECUTE FUNCTION slowly()',
    );
    await client.query('SELECT pg_advisory_lock(1)');
    const taking = takeNext(one, active, await openSession(one));
    await sleep(300);
    const session = await openSession(other);
    const finishing = other
      .stopRun(active, { kind: 'interrupted', message: 'it was interrupted' })
      .then(() => other.takeToFinish(active.run, session));
    await sleep(300);
    await client.query('SELECT pg_advisory_unlock(1)');
    expect(await taking).toMatchObject({ part: 0 });
    expect(await finishing).toBe(false);
  });

  longTest('sessions that finish the same input concurrently don’t deadlock', async () => {
    const url = await newDatabase();
    const store = await openStore(url);
    const { run } = await beginRun(store, 'run');
    const shards = store.shards(await openSession(store));
    const failing = Array.from({ length: 40 }, () => shards.planned(run, 0, 'it changed'));
    await Promise.all(failing);
    await store.close();
    const { rows } = await (await clientOf(url)).query(
      'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });

  longTest(
    'one of two sessions that release the last shards concurrently finishes the run',
    async () => {
      const url = await newDatabase();
      const stores = await Promise.all([openStore(url), openStore(url)]);
      const [one, other] = stores as [Held['store'], Held['store']];
      for (let round = 0; round < 20; round += 1) {
        const active = await beginRun(one, `run-${round}`, { parts: 2 });
        const both = [await takeShard(one, active), await takeShard(other, active)];
        const finished = await Promise.all(
          both.map(async ({ store, session, shard }) => {
            await store.shards(session).release(shard, LEFT);
            return await store.takeToFinish(active.run, session);
          }),
        );
        expect(finished.filter(Boolean)).toHaveLength(1);
        const [{ session }] = both.filter((_, index) => finished[index]) as [Held];
        await one.finishRun(active.run, session, { resumable: false });
        expect(await one.findByNumber(active.run)).toMatchObject({ state: 'ended' });
        for (const { session } of both) await session.close();
      }
    },
  );
});

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}
