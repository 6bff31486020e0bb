import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { importDocuments, type Report } from '../../src/index.js';
import { PostgresStore } from '../../src/runs/postgres/store.js';
import { cutProxy } from '../helpers/cut-proxy.js';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase, queryOf, sharedPostgres, startPostgres } from '../helpers/postgres.js';
import { MAPPING } from '../helpers/reviews.js';
import { type Ended, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  hasReport,
  type Job,
  makeJob,
  reportIn,
  reviews,
  SHORT_LEASES,
  shownIds,
  startJob,
} from '../reliability/job.js';

/** An import of a few records, in a folder of its own. */
async function jobOf({ records = 40, baseUrl = undefined as string | undefined } = {}) {
  const sandbox = await startWithMonitoring();
  const folder = newFolder();
  return await makeJob({ folder, sandbox, records, ...(baseUrl && { baseUrl }) });
}

async function importTo(job: Job, state: string, ...more: readonly string[]): Promise<Ended> {
  return await startJob(job, more, { env: { DOCFERRY_STATE: state } }).ended;
}

/** An import that can't begin with a state, in a sentence without the password. */
async function expectRefused(state: string, exitCode: number, reason: RegExp): Promise<void> {
  const connection = await startWithMonitoring();
  const options = { input: reviews(1), mapping: MAPPING, monitoring: 1, connection, state };
  const error: unknown = await importDocuments(options).then(
    () => expect.fail('it was accepted'),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ exitCode, message: expect.stringMatching(reason) });
  const { message } = error as Error;
  expect(message).toMatch(/^[^\n]+[^.?!]\.$/);
  expect(message).not.toContain('secretpassword');
}

/** The same of a command. */
function expectRefusal(ended: Ended, status: number, message: RegExp): void {
  const { code, stderr } = ended;
  expect(stderr).toMatch(message);
  expect({ code, told: hasReport(ended) }).toEqual({ code: status, told: false });
  expect(stderr).toMatch(/^docferry: [^\n]+[^.?!]\.\n$/);
  expect(stderr).not.toMatch(/secretpassword|bug in docferry/);
}

/** One that stopped with a report of this, which can be resumed. */
function expectStop(ended: Ended, message: RegExp): Report {
  const report = reportIn(ended);
  expect(report).toMatchObject({ exitCode: 4, resumable: true, stop: { kind: 'output' } });
  expect(report.stop?.message).toMatch(message);
  expect(ended.code).toBe(4);
  expect(ended.stderr).toContain(`docferry runs resume ${report.run}`);
  expect(ended.stderr + ended.stdout).not.toMatch(/secretpassword|bug in docferry/);
  return report;
}

/** The address with other parts. */
function changed(url: string, parts: Partial<URL>): string {
  const other = Object.assign(new URL(url), parts);
  return other.href;
}

describe.skipIf(!HAS.postgres)('a shared state that can’t be used is told with the remedy', () => {
  longTest.each<[string, (url: string) => string, number, RegExp]>([
    [
      'nothing is listening there',
      (url) => changed(url, { port: '1', password: 'secretpassword' }),
      4,
      /127\.0\.0\.1:1\/\w+ can't be reached: nothing is listening there\. Start Postgres, or c/,
    ],
    [
      'the password is wrong',
      (url) => changed(url, { password: 'secretpassword' }),
      2,
      /docferry@127.* refuses the password: check user and password in the address/,
    ],
    [
      'there is no such database',
      (url) => changed(url, { pathname: '/missing' }),
      2,
      /\/missing has no such database: create it, or name a different one/,
    ],
    [
      'its address has another scheme, which is no name of a folder',
      () => 'postgers://docferry:secretpassword@127.0.0.1/d',
      2,
      /address of the state can't be read; expected postgres:\/\/.*%40/,
    ],
  ])('%s', async (_, state, status, message) => {
    await expectRefused(state((await sharedPostgres()).url), status, message);
  });

  longTest('it may lose what it has committed, unless told that it may', async () => {
    const job = await jobOf();
    const state = await newDatabase();
    const settings = `ALTER DATABASE ${new URL(state).pathname.slice(1)} SET`;
    await (await sharedPostgres()).query(`${settings} synchronous_commit = off`);
    const refused = await importTo(job, state);
    expectRefusal(refused, 2, /has synchronous_commit off.*switch it on, or add \?may_lose/);
    const ended = await importTo(job, `${state}?may_lose_commits=true`);
    expect(ended.code, ended.stderr).toBe(0);
  });

  longTest('its user may not make a schema, or not use the one of others', async () => {
    const state = await newDatabase();
    const url = await addressOf(state, '');
    await expectRefused(url, 2, /lacks a right \(.*\): .*grant CONNECT and CREATE on/);
    await (await PostgresStore.open(state))[Symbol.asyncDispose]();
    await expectRefused(url, 2, /lacks a right \(.*\): .*rights on docferry\)/);
  });

  longTest('it takes no more connections', async () => {
    const url = await addressOf(await newDatabase(), 'CONNECTION LIMIT 0');
    await expectRefused(url, 4, /takes no more connections .*: raise its limit/);
  });
});

/** The address of a database for a new user with little rights. */
async function addressOf(state: string, rights: string): Promise<string> {
  return changed(state, { username: await newUser(rights), password: 'secretpassword' });
}

async function newUser(rights: string): Promise<string> {
  const server = await sharedPostgres();
  const user = `docferry_${randomBytes(6).toString('hex')}`;
  await server.query(`CREATE USER ${user} PASSWORD 'secretpassword' ${rights}`);
  onTestFinished(async () => void (await server.query(`DROP USER ${user}`)));
  return user;
}

/** A refusal as SQL for a user and a database, what takes it back, and its message. */
const REFUSALS: readonly [string, string, string, RegExp][] = [
  [
    'the password',
    "ALTER USER $user PASSWORD 'another'",
    "ALTER USER $user PASSWORD 'secretpassword'",
    /refuses the password: check user and password in the address/,
  ],
  [
    'to write a table',
    'REVOKE INSERT ON docferry.intents FROM $user',
    'GRANT INSERT ON docferry.intents TO $user',
    /lacks a right \(permission denied for table intents\): .*rights on docferry\)/,
  ],
];

describe.skipIf(!HAS.postgres)('a shared state that refuses in the middle of an import', () => {
  longTest.each(REFUSALS)(
    '%s ends it with the remedy, and it can be resumed',
    { timeout: 90_000 },
    async (_, refuse, allow, message) => {
      const server = await sharedPostgres();
      const user = await newUser('');
      const database = await newDatabase();
      const name = new URL(database).pathname.slice(1);
      const query = await queryOf(database);
      const sqlOf = (text: string): string =>
        text.replaceAll('$user', user).replaceAll('$database', name);
      await query(sqlOf('GRANT CREATE ON DATABASE $database TO $user'));
      const address = changed(database, { username: user, password: 'secretpassword' });
      const state = await newSharedState(SHORT_LEASES, address);
      const { job, started, arrived } = await slowImport(state, { patienceMs: 1_500 });
      await arrived(3);
      await query(sqlOf(refuse));
      await server.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
        [user],
      );
      // Where the machine is busy, the lease may expire first.
      const { run } = expectStop(
        await started.ended,
        new RegExp(`${message.source}|its lease expired`),
      );
      await query(sqlOf(allow));
      const resumed = await importTo(job, state, '--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(reportIn(resumed).run).toBe(run);
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    },
  );
});

describe.skipIf(!HAS.ownPostgres)('a shared state', () => {
  longTest(
    'that stays away ends the import, which can be resumed',
    { timeout: 300_000 },
    async () => {
      const server = await startPostgres();
      const state = await newSharedState(SHORT_LEASES, server.url);
      const { job, started, arrived } = await slowImport(state);
      await arrived(3);
      await server.kill9();
      expectStop(await started.ended, /can't be reached|went away|its lease expired/);
      await server.restart();
      const resumed = await importTo(job, state, '--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    },
  );
});

describe.skipIf(!HAS.postgres)('a shared state that no longer answers', () => {
  longTest('doesn’t keep an import from ending at the second SIGTERM', async () => {
    const database = new URL(await newDatabase());
    const proxy = await cutProxy(Number(database.port));
    const state = changed(database.href, { port: String(proxy.port) });
    const { started, arrived } = await slowImport(state);
    await arrived(3);
    proxy.stall();
    started.child.kill('SIGTERM');
    // A second signal within a second counts as an echo of the first.
    await sleep(1_500);
    started.child.kill('SIGTERM');
    const second = performance.now();
    const { code, stderr } = await started.ended;
    expect(stderr).toContain('Exiting before the run has ended: `docferry runs list`');
    expect(code).toBe(130);
    // A statement is waited for a minute.
    expect(performance.now() - second).toBeLessThan(30_000);
  });
});

/** An import in requests of 20 records, each of which takes a while. */
async function slowImport(state: string, { records = 200, patienceMs = 5_000 } = {}) {
  const sandbox = await startWithMonitoring();
  const service = await watchService(sandbox, async ({ number }, pass) => {
    if (number > 0) await sleep(300);
    return await pass();
  });
  const job = await makeJob({
    ...{ folder: newFolder(), sandbox, records, baseUrl: service.baseUrl },
    ...{ concurrency: 1, patienceMs },
  });
  const started = startJob(job, [], { env: { DOCFERRY_STATE: state } });
  const arrived = async (requests: number): Promise<void> => {
    while (service.imports.length < requests) {
      expect(started.child.exitCode).toBe(null);
      await sleep(20);
    }
  };
  return { job, started, arrived };
}

describe.skipIf(!HAS.postgres)('a shard', () => {
  longTest('isn’t imported where the input or the embedded sandbox is only there', async () => {
    const job = await jobOf({ records: 3 });
    const { cwd, env } = job.surroundings;
    const how = { cwd, env: { ...env, DOCFERRY_STATE: await newDatabase() } };
    const rest = ['--mapping', 'mapping.json', '--monitoring', '1', '--quiet'];
    const part = ['--run', 'nightly', '--shard', '1/2'];
    const stdin = readFileSync(path.join(job.folder, 'reviews.jsonl'));
    const piped = await startDocferry(['import', '-', ...part, ...rest], { ...how, stdin }).ended;
    expectRefusal(piped, 2, /Only this process can read stdin.*Save it to a file/);
    const args = ['import', 'reviews.jsonl', '--sandbox', ...part, ...rest];
    const sandbox = await startDocferry(args, how).ended;
    expectRefusal(sandbox, 2, /embedded sandbox runs in this process.*`docferry sandbox`/);
  });
});
