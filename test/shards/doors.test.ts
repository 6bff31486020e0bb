/** Who may import a shard, with what, and when. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { NO_COUNTS } from '../../src/model/record.js';
import { PostgresStore } from '../../src/runs/postgres/store.js';
import { deferred } from '../helpers/deferred.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { queryOf } from '../helpers/postgres.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { holdImports, watchService } from '../helpers/watched-service.js';
import { lines, reviews } from '../reliability/job.js';
import { importInProcess, KEY, shardsJob } from './shards-job.js';

const DONE = 'This shard had already finished, so nothing was sent.';

const PATIENT = { timeout: 20_000 };

const BAD = { id: 'bad', text: '', at: 'never' };

describe.runIf(HAS.postgres)('a shard', () => {
  longTest('that another process has is waited for, and is then done', async () => {
    const sandbox = await startWithMonitoring();
    const service = await holdImports(sandbox, 1);
    const { shard, merge } = await shardsJob(reviews(20), {
      ...{ sandbox, baseUrl: service.baseUrl, shards: 1 },
    });
    const first = shard(1);
    await service.held;
    const second = shard(1);
    const told: string[] = [];
    const watch = async (): Promise<void> => {
      for await (const event of second) if (event.type === 'notice') told.push(event.message);
    };
    void watch();
    await expect
      .poll(() => told, PATIENT)
      .toContainEqual(
        expect.stringMatching(/^Shard 1\/1 of nightly is with the process .*Waiting/),
      );
    expect(await merge()).toMatchObject({ exitCode: 4, stop: { kind: 'shards' } });
    service.letGo();
    expect(await first).toMatchObject({ exitCode: 0, counts: { accepted: 20 } });
    expect((await second).notices).toContain(DONE);
    expect(service.imports).toHaveLength(4);
    expect(await merge()).toMatchObject({ exitCode: 0, counts: { read: 20, accepted: 20 } });
  });

  longTest('that is done sends nothing if the array is submitted again', async () => {
    const sandbox = await startWithMonitoring();
    const { baseUrl, imports } = await watchService(sandbox);
    const { shard, merge } = await shardsJob([...reviews(20), BAD], { sandbox, baseUrl });
    const numbers = [1, 2];
    for (const index of numbers) expect((await shard(index)).resumable).toBe(false);
    const sent = imports.length;
    const report = await merge();
    for (const index of numbers) expect((await shard(index)).notices).toContain(DONE);
    expect(imports).toHaveLength(sent);
    expect(await merge()).toEqual(report);
    expect(report).toMatchObject({ exitCode: 1, counts: { read: 21, accepted: 20, invalid: 1 } });
  });

  longTest('of which anything differs is refused, and nothing is sent', async () => {
    const sandbox = await startWithMonitoring();
    const { baseUrl, imports } = await watchService(sandbox);
    const { shard, state, file } = await shardsJob(reviews(20), { sandbox, baseUrl });
    await shard(1);
    const sent = imports.length;
    const more = put(newFolder(), 'more.jsonl', lines(reviews(1)));
    const mapping = { name: 'Other', profile: 'minimal', document: { text: '{text}' } } as const;
    const other = [
      [{ mapping }, /the mapping "Other" has changed, and its rule for sourceId/],
      [{ shard: { index: 2, count: 3 } }, /it has 2 shards, and --shard is 2\/3/],
      [{ input: [file, more] }, /there are 2 inputs instead of 1/],
      [{ monitoring: 2 }, /the monitoring is 2 instead of 1/],
      [{ skipKnown: false }, /--no-skip-known \(skipKnown\) isn't the same/],
    ] as const;
    for (const [options, message] of other) {
      const refused = shard(2, options as Parameters<typeof shard>[1]);
      await expect(refused, String(message)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(message),
      });
    }
    await (await queryOf(state))("UPDATE docferry.groups SET version = '0.9.0'");
    await expect(shard(2)).rejects.toThrow(/it began with docferry 0\.9\.0, and this is docferry/);
    expect(imports).toHaveLength(sent);
  });

  longTest('whose file has changed and kept its size is refused, done or not', async () => {
    const sandbox = await startWithMonitoring();
    const { baseUrl, imports } = await watchService(sandbox);
    const { shard, file } = await shardsJob(reviews(20), { sandbox, baseUrl });
    await shard(1);
    const sent = imports.length;
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Review', 'Rating'));
    for (const index of [1, 2]) {
      await expect(shard(index)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(/differs from the file that this import began with/),
      });
    }
    expect(imports).toHaveLength(sent);
  });

  longTest('stops when all shards together have too many errors', async () => {
    const sandbox = await startWithMonitoring();
    const released = deferred();
    const service = await watchService(sandbox, async ({ ids }, pass) => {
      if (ids.includes('r-1')) await released.promise;
      return await pass();
    });
    const bad = Array.from({ length: 30 }, (_, at) => ({ ...BAD, id: `bad-${at}` }));
    const good = reviews(60);
    const records = [...bad.slice(0, 15), ...good, ...bad.slice(15)];
    const { state, shard, merge } = await shardsJob(records, { sandbox, baseUrl: service.baseUrl });
    const limited = { maxErrors: 20, concurrency: 1 } as const;
    const [stop, exitCode] = [{ kind: 'too-many-errors' }, 4];
    const first = shard(1, limited);
    await expect.poll(() => first.progress()?.counts.invalid, PATIENT).toBeGreaterThan(10);
    // What it has published.
    const query = await queryOf(state);
    const written = () => query("SELECT xmin::text FROM docferry.runs WHERE id = 'nightly/1'");
    const exchange = async (): Promise<void> => {
      const before = await written();
      await expect.poll(written, PATIENT).not.toEqual(before);
    };
    await exchange();
    const second = await shard(2, limited);
    expect(second).toMatchObject({ exitCode, stop });
    expect(second.counts.invalid).toBeLessThan(20);
    await exchange();
    await exchange();
    released.resolve();
    expect(await first).toMatchObject({ exitCode, stop, resumable: true });
    expect(await merge()).toMatchObject({ exitCode, stop: { kind: 'shards' } });
  });

  longTest(
    'waits for an import without shards into its monitoring, and that for a shard',
    async () => {
      for (const isFirst of [true, false]) {
        const sandbox = await startWithMonitoring();
        const service = await holdImports(sandbox, 1);
        const { options, shard, whole } = await shardsJob(reviews(10), {
          ...{ sandbox, baseUrl: service.baseUrl, shards: 1 },
        });
        const own = isFirst ? options.whole : options.shard;
        const part = isFirst ? undefined : '1/1';
        const holding = isFirst ? shard(1) : whole();
        await service.held;
        const { code, stderr } = await importInProcess({ ...own, lockTimeoutMs: 0 }, part).ended;
        expect(stderr).toMatch(/The run .* is importing into monitoring 1/);
        expect(code).not.toBe(0);
        const waiting = importInProcess(own, part);
        await waiting.says(/Waiting for it to end/);
        service.letGo();
        await holding;
        const ended = await waiting.ended;
        expect(ended.code, ended.stderr).toBe(0);
        expect(await shownDocuments(sandbox)).toHaveLength(10);
      }
    },
  );

  longTest('whose end can’t be stored is to be started again', async () => {
    const { state, shard, merge } = await shardsJob(reviews(20));
    const query = await queryOf(state);
    await shard(1);
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501'; END $$`);
    await query(`CREATE TRIGGER refuse BEFORE INSERT ON docferry.facts FOR EACH ROW
      WHEN (NEW.name = 'figures') EXECUTE FUNCTION refuse()`);
    expect(await shard(2)).toMatchObject({ exitCode: 4, resumable: true });
    expect(await merge()).toMatchObject({ exitCode: 4, stop: { kind: 'shards' } });
    await query('DROP TRIGGER refuse ON docferry.facts');
    expect(await shard(2)).toMatchObject({ exitCode: 0, resumable: false });
    expect(await merge()).toMatchObject({ exitCode: 0, counts: { read: 20, accepted: 20 } });
  });

  longTest('counts those that send at the same time, which share the rate', async () => {
    const { state, shard } = await shardsJob(reviews(20));
    await shard(1);
    const store = await PostgresStore.open(state);
    await store.database.rows('UPDATE docferry.runs SET done = false');
    const group = await store.groups.open(KEY);
    const take = async (index: number) => {
      const id = await store.groups.addShard(group, index);
      const { signal } = new AbortController();
      return await store.takeShard(id, { signal, onWait: () => {} });
    };
    const counts = { ...NO_COUNTS, bytesRead: 0 };
    const [one, other] = [await take(1), await take(2)];
    expect(await one?.shard.exchange(counts)).toMatchObject({ senders: 2 });
    await other?.journal.release();
    expect(await one?.shard.exchange(counts)).toMatchObject({ senders: 1 });
    await one?.journal.release();
    await store[Symbol.asyncDispose]();
  });
});
