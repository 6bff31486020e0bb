import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publishedWindow } from '../../../src/model/documents.js';
import type { RunDescription } from '../../../src/runs/description.js';
import { latestUnfinished } from '../../../src/runs/find-run.js';
import {
  type ServerSettings,
  unusableReason,
} from '../../../src/runs/postgres/database/database.js';
import { Session } from '../../../src/runs/postgres/session.js';
import type { LockRequest } from '../../../src/runs/store.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';
import {
  beginHeld,
  type Held,
  intentOf,
  openStore,
  reviewsOf,
  settlementOf,
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
    [{ fsync: 'off' }, /has fsync off, so it may lose committed data/],
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
    await client.query('UPDATE docferry.migrations SET number = 10');
    await expect(openStore(url)).rejects.toThrow(
      /was created by a docferry whose imports were processed by workers: finish them with that docferry, and name an empty database/,
    );
    const { rows } = await client.query('SELECT number FROM docferry.migrations');
    expect(rows).toEqual([{ number: 10 }]);
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
    const { number } = await held.stored.writeIntent(intent);
    const message = 'no: \0 \ud800 👍 "';
    held.stored.settle({ ...settlementOf(number, 'rejected', 2, 3), message });
    held.stored.settle(settlementOf(number, 'accepted', 5, 8));
    await held.stored.flush();

    const again = await openStore(url);
    const stored = await again.openReadOnly('run');
    const read = await stored.readIntent(number);
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
    const { number } = await old.stored.writeIntent(intentOf(reviewsOf(['a', 'b', 'c'])));
    old.stored.settle(settlementOf(number, 'accepted', 1, 2));
    old.stored.settle(settlementOf(number, 'rejected', 3));
    await old.stored.flush();
    await end(old);
    expect(await store.removeDone(['old'], Date.parse('2025-12-31'))).toEqual([]);
    expect(await store.removeDone(['old'], Date.now())).toEqual(['old']);
    expect(await store.list()).toEqual([]);
    const held = await beginHeld(store, 'new');
    const { elsewhere } = await held.stored.writeIntent(intentOf(reviewsOf(['a', 'b', 'c'])));
    expect(elsewhere).toEqual(
      new Map([
        [0, 'same'],
        [1, 'same'],
      ]),
    );
  });
});

/** Ends a run that has nothing left to do. */
async function end({ stored }: Held): Promise<void> {
  await stored.writeReport({ resumable: false });
  await stored.release();
}

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
    const { number } = await run.writeIntent(batch);
    run.settle(settlementOf(number, 'unknown'));
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
    await run.writeIntent(intentOf([{ text: 'Good' }]));
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

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}
