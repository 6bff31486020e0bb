import pg from 'pg';
import { describe, expect } from 'vitest';
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

/** Documents that are already claimed. */
async function claim(held: Held, ids: readonly string[], text?: string) {
  return await held.stored.writeIntent(intentOf(reviewsOf(ids, text)));
}

/** Tables that every request writes to. */
const JOURNAL = "schemaname = 'docferry' AND relname IN ('intents', 'entries')";

describe.skipIf(!HAS.postgres)('claims in Postgres', () => {
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
      const { number } = await held.stored.writeIntent(intentOf(reviewsOf(ids), 2 * request + 1));
      const from = 2 * request + 1;
      if (request % 3 === 0) held.stored.settle(settlementOf(number, 'accepted', from, from + 1));
      else held.stored.settle(settlementOf(number, 'rejected', from));
    }
    await held.stored.flush();
    await held.stored.release();
    await earlier.stored.release();
    // A connection tells what it has read when it ends.
    await store[Symbol.asyncDispose]();
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
      one.stored.settle(settlementOf(number, outcome as 'rejected', index + 1));
    await one.stored.flush();
    expect((await claim(other, ids)).elsewhere).toEqual(
      new Map([
        [2, 'unconfirmed'],
        [3, 'same'],
      ]),
    );
    // What others have taken meanwhile is theirs, whoever releases it once more.
    one.stored.settle(settlementOf(number, 'rejected', 1));
    await one.stored.flush();
    expect((await claim(one, ['rejected'])).elsewhere).toEqual(new Map([[0, 'unconfirmed']]));
  });
});
