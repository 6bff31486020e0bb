import { describe, expect, it, onTestFinished } from 'vitest';
import { Session } from '../../../src/cluster/postgres/session.js';
import { type ActiveRun, PostgresStore } from '../../../src/cluster/postgres/store.js';
import type { RunDescription } from '../../../src/runs/description.js';
import { type CutProxy, cutProxy } from '../../helpers/cut-proxy.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase, sharedPostgres } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';

/** Another process, with a reliable connection. */
let other: PostgresStore;

/** A process whose answers can be cut off. */
interface Unheard {
  readonly store: PostgresStore;
  readonly proxy: CutProxy;
}

async function openBoth(): Promise<Unheard> {
  const url = new URL(await newDatabase());
  const proxy = await cutProxy(Number(new URL((await sharedPostgres()).url).port));
  other = await PostgresStore.open(url.href);
  url.port = String(proxy.port);
  const store = await PostgresStore.open(url.href);
  onTestFinished(() => other.close());
  onTestFinished(() => store.close());
  return { store, proxy };
}

async function beginRun(parts: number): Promise<ActiveRun> {
  const description = {
    ...{
      started: '2026-01-01T00:00:00.000Z',
      inputs: [{ path: 'a' }],
      inputKey: null,
      options: {},
    },
    target: { service: 'https://api.example.com/5.0', monitoring: 1 },
  } as unknown as RunDescription;
  const active = await other.beginRun('a-run', description, '{}');
  const session = await Session.open(other.database);
  const shards = other.shards(session);
  for (let part = 0; part < parts; part += 1) await shards.add(active.run, 0, { part, span: null });
  await shards.planned(active.run, 0, null);
  await session.close();
  return active;
}

/** Runs an action and drops the answer to one committed statement. */
async function unheard<T>(
  { store, proxy }: Unheard,
  statement: RegExp,
  run: () => Promise<T>,
  isDone: () => Promise<boolean>,
): Promise<T> {
  let isLost = false;
  store.database.pool.on('acquire', (client) => {
    const { query } = client;
    client.query = ((sql: string, ...rest: readonly unknown[]) => {
      if (!isLost && statement.test(sql)) {
        isLost = true;
        proxy.stall('answers');
      }
      return Reflect.apply(query, client, [sql, ...rest]);
    }) as typeof query;
  });
  const running = run();
  running.catch(() => {});
  await expect.poll(isDone).toBe(true);
  proxy.cut();
  proxy.pass();
  return await running;
}

describe.runIf(HAS.postgres)('a commit whose answer is lost', () => {
  it('takes a shard', async () => {
    const unsure = await openBoth();
    const { store } = unsure;
    const { run } = await beginRun(2);
    const session = await Session.open(store.database);
    const leased = async () => (await other.progress(run)).shards.leased;
    const shard = await unheard(
      unsure,
      /'leased', session/,
      () => store.shards(session).takeNext({ runs: [run], unreadable: [] }),
      async () => (await leased()) === 1,
    );
    expect(shard).toMatchObject({ part: 0, epoch: 1 });
    expect(await leased()).toBe(1);
    await session.close();
  });

  longTest('takes a run to finish it', async () => {
    const unsure = await openBoth();
    const { store } = unsure;
    const { run } = await beginRun(0);
    const session = await Session.open(store.database);
    const isFinishing = async () => (await other.findByNumber(run))?.state === 'finishing';
    const taken = await unheard(
      unsure,
      /'finishing'/,
      () => store.takeToFinish(run, session),
      isFinishing,
    );
    expect(taken).toBe(true);
    const rival = await Session.open(other.database);
    expect(await other.takeToFinish(run, rival)).toBe(false);
    await Promise.all([session.close(), rival.close()]);
  });

  longTest('holds a run that has ended', async () => {
    const unsure = await openBoth();
    const { store } = unsure;
    const { run, id } = await beginRun(0);
    await other.database.rows("UPDATE docferry.runs SET state = 'ended'");
    const isHeld = async () => (await other.findByNumber(run))?.state === 'held';
    const stored = await unheard(unsure, /SET state = 'held'/, () => store.take(id), isHeld);
    expect(stored.id).toBe(id);
    await stored.release();
    expect((await other.find(id)).state).toBe('ended');
  });
});
