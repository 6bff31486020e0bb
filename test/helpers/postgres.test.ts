import { existsSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cutProxy } from './cut-proxy.js';
import { HAS } from './needs.js';
import { newDatabase, startPostgres } from './postgres.js';

describe.skipIf(!HAS.postgres)('a database for a test', () => {
  it('is apart from that of another test', async () => {
    const [one, other] = [await connect(await newDatabase()), await connect(await newDatabase())];
    await one.query('CREATE TABLE kept (id int)');
    await expect(other.query('SELECT * FROM kept')).rejects.toThrow(/does not exist/);
  });
});

describe.skipIf(!HAS.ownPostgres)('a Postgres server of a test', () => {
  it('keeps what was committed when it is killed, and is gone once stopped', async () => {
    const server = await startPostgres();
    await server.query('CREATE TABLE kept (id int)');
    await server.query('INSERT INTO kept VALUES (7)');
    await server.kill9();
    await expect(server.query('SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    await server.restart();
    expect(await server.query('SELECT id FROM kept')).toEqual([{ id: 7 }]);
    expect(await server.query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await server.stop();
    expect(existsSync(server.dataDir)).toBe(false);
  });

  it('commits what a proxy passes on without the answer', async () => {
    const server = await startPostgres();
    await server.query('CREATE TABLE kept (id int)');
    const proxy = await cutProxy(server.port);
    const url = new URL(server.url);
    url.port = String(proxy.port);
    const client = await connect(url.href);
    proxy.stall('answers');
    const inserting = client.query('INSERT INTO kept VALUES (7)');
    await expect.poll(() => server.query('SELECT id FROM kept')).toEqual([{ id: 7 }]);
    proxy.cut();
    await expect(inserting).rejects.toThrow();
    await expect(connect(url.href)).rejects.toThrow();
    proxy.pass();
    const again = await connect(url.href);
    expect((await again.query('SELECT id FROM kept')).rows).toEqual([{ id: 7 }]);
    expect(proxy.open).toBe(1);
  });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}
