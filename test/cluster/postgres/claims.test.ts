import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest, runs } from '../../helpers/runs.js';
import {
  beginHeld,
  beginRun,
  type Held,
  intentOf,
  openStore,
  reviewsOf,
  settlementOf,
  takeShard,
} from './shared-run.js';

/** Documents that are already claimed. */
async function claim(held: Held, ids: readonly string[], text?: string) {
  return await held.stored.intend(intentOf(reviewsOf(ids, text)));
}

/** Tables that every request writes to. */
const JOURNAL = "schemaname = 'docferry' AND relname IN ('intents', 'entries')";

describe.skipIf(!HAS.postgres)('claims in Postgres', () => {
  it('leave documents claimed by others unsent, even if the process was killed before recording it', async () => {
    const store = await openStore(await newDatabase());
    const active = await beginRun(store, 'run', { parts: 2 });
    const [one, other] = [await takeShard(store, active), await takeShard(store, active)];
    await claim(one, ['a', 'b']);
    const { number, taken } = await other.stored.intend(
      intentOf([{ text: 'no id' }, ...reviewsOf(['a', 'c'], 'Bad')], 11),
    );
    expect(taken).toEqual(new Map([[1, 'repeat-changed']]));
    // Its session ends, and nothing more is written.
    await other.session.close();
    const next = await takeShard(store, active);
    expect(next.shard.part).toBe(other.shard.part);
    const states = await next.stored.states();
    expect([11, 12, 13].map((record) => states.get(0, record))).toMatchObject([
      { kind: 'sending', intent: number },
      { kind: 'unsent', intent: number },
      { kind: 'sending', intent: number },
    ]);
  });

  longTest('go to one of two requests written together', async () => {
    const held = await beginHeld(await openStore(await newDatabase()), 'run');
    const [one, other] = await Promise.all([claim(held, ['a', 'b']), claim(held, ['b', 'c'])]);
    expect([one.taken.size, other.taken]).toEqual([0, new Map([[0, 'repeat']])]);
  });

  longTest('are written and settled with a constant number of reads', async () => {
    const url = await newDatabase();
    const store = await openStore(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const earlier = await beginHeld(store, 'earlier');
    for (let request = 0; request < 60; request += 1) await claim(earlier, [`earlier-${request}`]);
    // A table that was analysed while it was this small is best scanned, until it has grown.
    for (const table of ['intents', 'entries']) {
      await client.query(`ALTER TABLE docferry.${table} SET (autovacuum_enabled = false)`);
      await client.query(`ANALYZE docferry.${table}`);
    }
    const held = await beginHeld(store, 'run');
    for (let request = 0; request < 400; request += 1) {
      const ids = [`${request}`, `taken-${request % 100}`];
      const { number } = await held.stored.intend(intentOf(reviewsOf(ids), 2 * request + 1));
      const from = 2 * request + 1;
      if (request % 3 === 0)
        held.stored.recordOutcome(settlementOf(number, 'accepted', from, from + 1));
      else held.stored.recordOutcome(settlementOf(number, 'rejected', from));
    }
    await held.stored.flush();
    await held.session.close();
    await earlier.session.close();
    // A connection tells what it has read when it ends.
    await store.close();
    const { rows } = await client.query<{ read: number }>(
      `SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_user_tables WHERE ${JOURNAL}`,
    );
    await client.end();
    expect(rows[0]?.read).toBeLessThan(400 * 5);
  });

  longTest('can be taken once released, but not while unknown', async () => {
    const store = await openStore(await newDatabase());
    const [one, other] = [await beginHeld(store, 'one'), await beginHeld(store, 'other')];
    const ids = ['rejected', 'unsent', 'unknown', 'accepted'];
    const { number } = await claim(one, ids);
    for (const [index, outcome] of ids.entries())
      one.stored.recordOutcome(settlementOf(number, outcome as 'rejected', index + 1));
    await one.stored.flush();
    expect((await claim(other, ids)).taken).toEqual(
      new Map([
        [2, 'unconfirmed'],
        [3, 'same'],
      ]),
    );
    // What others have taken meanwhile is theirs, whoever releases it once more.
    one.stored.recordOutcome(settlementOf(number, 'rejected', 1));
    await one.stored.flush();
    expect((await claim(one, ['rejected'])).taken).toEqual(new Map([[0, 'unconfirmed']]));
  });

  longTest(
    'are separate for other monitorings, separate runs, and documents without an id',
    async () => {
      const store = await openStore(await newDatabase());
      const one = await beginHeld(store, 'one');
      await claim(one, ['a']);
      for (const held of [
        await beginHeld(store, 'elsewhere', { monitoring: 2 }),
        await beginHeld(store, 'alone', { alone: true }),
      ]) {
        expect((await claim(held, ['a'])).taken.size).toBe(0);
      }
      const nameless = [{ text: 'a' }, { text: 'a' }];
      expect((await one.stored.intend(intentOf(nameless))).taken.size).toBe(0);
      expect((await one.stored.intend(intentOf(nameless))).taken.size).toBe(0);
    },
  );

  longTest('pass to a waiting request when they are released', { timeout: 120_000 }, async () => {
    const url = await newDatabase();
    const [one, other] = await Promise.all([openStore(url), openStore(url)]);
    const [first, second] = [await beginHeld(one, 'one'), await beginHeld(other, 'other')];
    for (let round = 0; round < runs(60); round += 1) {
      const names = Array.from({ length: 20 }, (_, index) => `${round}-${index}`);
      const { number } = await claim(first, names);
      first.stored.recordOutcome(settlementOf(number, 'rejected', 1, 20));
      const [, { taken }] = await Promise.all([
        first.stored.flush(),
        sleep(Math.random() * 3).then(() => claim(second, names)),
      ]);
      // All or nothing: they are released in one transaction.
      expect([0, 20]).toContain(taken.size);
      const left = names.filter((_, index) => taken.has(index));
      if (left.length > 0) expect((await claim(second, left)).taken.size).toBe(0);
    }
  });
});
