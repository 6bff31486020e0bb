/** What is wrong with a state that processes share, or with who shares it: see docs/bad-input.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importDocuments } from '../../src/index.js';
import { cutProxy } from '../helpers/cut-proxy.js';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase, queryOf, sharedPostgres, startPostgres } from '../helpers/postgres.js';
import { postgresUser } from '../helpers/postgres-programs.js';
import { type Ended, type Started, startDocferry } from '../helpers/run-cli.js';
import { ALL_CASES, longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  command,
  hasReport,
  type Job,
  makeJob,
  reportIn,
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

/** One that ended with this, in a sentence without the password. */
function expectRefusal(ended: Ended, status: number, message: RegExp): void {
  const { code, stderr } = ended;
  expect(stderr).toMatch(message);
  expect({ code, told: hasReport(ended) }).toEqual({ code: status, told: false });
  expect(stderr).toMatch(/^docferry: [^\n]+[^.?!]\.\n$/);
  expect(stderr).not.toMatch(/secretpassword|bug in docferry/);
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
      /\/missing has no such database: create it, or name another one/,
    ],
    [
      'there is no such host',
      (url) => changed(url, { hostname: 'missing.invalid', password: 'secretpassword' }),
      2,
      /docferry@missing\.invalid.* can't be found: check the host's name/,
    ],
    [
      'the address can’t be read',
      () => 'postgres://docferry:a/secretpassword@127.0.0.1/d',
      2,
      /address of the state can't be read; expected postgres:\/\/.*%40/,
    ],
  ])('%s', async (_, state, status, message) => {
    const job = await jobOf({ records: 1 });
    const url = state((await sharedPostgres()).url);
    expectRefusal(await importTo(job, url), status, message);
  });

  longTest('its address has another scheme, which is no name of a folder', async () => {
    const job = await jobOf({ records: 1 });
    const state = 'postgers://docferry:secretpassword@127.0.0.1/d';
    for (const args of [['list'], ['show', 'x'], ['resume', 'x'], ['prune'], ['cancel', 'x']]) {
      const ended = await command(job, 'runs', ...args, '--state', state);
      expectRefusal(ended, 2, /address of the state can't be read/);
    }
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

  longTest('it is read-only', async () => {
    const job = await jobOf({ records: 1 });
    const state = await newDatabase();
    const settings = `ALTER DATABASE ${new URL(state).pathname.slice(1)} SET`;
    await (await sharedPostgres()).query(`${settings} default_transaction_read_only = on`);
    const refused = await importTo(job, state);
    expectRefusal(refused, 2, /is read-only \(a replica\?\): give the address of the primary/);
  });

  longTest('its encoding is not UTF-8', async () => {
    const job = await jobOf({ records: 1 });
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const state = await newDatabase({}, `ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
      const refused = await importTo(job, state);
      expectRefusal(refused, 2, new RegExp(`has the encoding ${encoding}, .* ENCODING 'UTF8'`));
      const worker = await workerFor(job, state).ended;
      expect(worker).toMatchObject({ code: 2, stderr: expect.stringContaining(encoding) });
    }
  });

  longTest('its user may not make a schema, or not use the one of others', async () => {
    const job = await jobOf({ records: 1 });
    const state = await newDatabase();
    const url = await addressOf(state, '');
    expectRefusal(
      await importTo(job, url),
      2,
      /lacks a right \(.*\): .*grant CONNECT and CREATE on/,
    );
    expect((await importTo(job, state)).code).toBe(0);
    expectRefusal(await importTo(job, url), 2, /lacks a right \(.*\): .*rights on docferry\)/);
  });

  longTest('it takes no more connections', async () => {
    const job = await jobOf({ records: 1 });
    const url = await addressOf(await newDatabase(), 'CONNECTION LIMIT 0');
    expectRefusal(await importTo(job, url), 4, /takes no more connections .*: raise its limit/);
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
      const state = await newSharedState({ beatMs: 200, expiryMs: 2_000, marginMs: 500 }, address);
      const { job, started, arrived } = await slowImport(state, { patienceMs: 1_500 });
      await arrived(3);
      await query(sqlOf(refuse));
      await server.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
        [user],
      );
      const ended = await started.ended;
      expectRefusal(ended, 4, message);
      const [, run] = / To resume: `docferry runs resume (\S+)`\.\n$/.exec(ended.stderr) ?? [];
      await query(sqlOf(allow));
      const resumed = await importTo(job, state, '--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(reportIn(resumed).run).toBe(run);
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    },
  );
});

describe.skipIf(!HAS.ownPostgres)('a shared state', () => {
  longTest('that has fsync off is refused', async () => {
    const server = await startPostgres({ fsync: 'off' });
    const refused = await importTo(await jobOf({ records: 1 }), server.url);
    expectRefusal(refused, 2, /has fsync off, so it may lose committed data/);
  });

  it.skipIf(!(ALL_CASES && canMount()))(
    'that is full is waited for until there is room (needs a mount)',
    { timeout: 120_000 },
    async () => {
      const server = await startPostgres();
      await server.query(`CREATE TABLESPACE small LOCATION '${smallDisk()}'`);
      await server.query('CREATE DATABASE small TABLESPACE small');
      const state = changed(server.url, { pathname: '/small' });
      const query = await queryOf(state);
      const { job, started, arrived } = await slowImport(state, { records: 800 });
      await arrived(2);
      await query('CREATE TABLE filler (text text)');
      const fills = (rows: number): Promise<boolean> =>
        query(`INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, ${rows})`).then(
          () => true,
          () => false,
        );
      for (let rows = 8_000; rows >= 1; rows = Math.floor(rows / 2)) while (await fills(rows));
      await sleep(4_000);
      expect(started.child.exitCode).toBe(null);
      await query('DROP TABLE filler');
      const ended = await started.ended;
      expect(ended.code, ended.stderr).toBe(0);
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    },
  );

  longTest(
    'that stays away ends the import, which can be resumed',
    { timeout: 300_000 },
    async () => {
      const server = await startPostgres();
      const { job, started, arrived } = await slowImport(server.url);
      await arrived(3);
      await server.kill9();
      const ended = await started.ended;
      const message = /(can't be reached|went away).* To resume: `docferry runs resume \S+`/;
      expectRefusal({ ...ended, stderr: lastLine(ended) }, 4, message);
      await server.restart();
      const resumed = await importTo(job, server.url, '--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    },
  );
});

/** A disk of 32 MiB, which Postgres may write to. */
function smallDisk(): string {
  const folder = mkdtempSync('/tmp/docferry-small-');
  const { uid = 0, gid = 0 } = postgresUser();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=32m,uid=${uid},gid=${gid}`, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  return folder;
}

/** Only root may, and not in every container. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

function lastLine({ stderr }: Ended): string {
  return `${stderr.trimEnd().split('\n').at(-1)}\n`;
}

describe.skipIf(!HAS.postgres)('a shared state that no longer answers', () => {
  longTest('doesn’t keep an import or a worker from ending at the second SIGTERM', async () => {
    const database = new URL(await newDatabase());
    const proxy = await cutProxy(Number(database.port));
    const state = changed(database.href, { port: String(proxy.port) });
    const { job, started, arrived } = await slowImport(state);
    const worker = workerFor(job, state);
    await arrived(3);
    proxy.stall();
    for (const { child } of [started, worker]) child.kill('SIGTERM');
    // A second signal within a second counts as an echo of the first.
    await sleep(1_500);
    for (const { child } of [started, worker]) child.kill('SIGTERM');
    const second = performance.now();
    for (const process of [started, worker]) {
      const { code, stderr } = await process.ended;
      expect(stderr).toContain('Exiting before the run has ended: `docferry runs list`');
      expect(code).toBe(130);
    }
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

describe.skipIf(!HAS.postgres)('a worker', () => {
  longTest('that doesn’t see the file says so, and leaves it to one that does', async () => {
    const { job, state, coordinator } = await waitingImport();
    renameSync(job.folder, `${job.folder}-there`);
    const elsewhere = `${job.folder}-there`;
    const said = await noticeOf(workerFor(job, state, elsewhere));
    expect(said).toMatch(
      /does not see .*reviews\.jsonl, which the run reads: .* under the same path/,
    );
    renameSync(elsewhere, job.folder);
    const worker = workerFor(job, state);
    expect((await coordinator.ended).code).toBe(0);
    expect(await ended(worker)).toMatchObject({ code: 0 });
  });

  longTest.each([
    [
      'of another size',
      (text: string) => `${text}\n`,
      /sees a different file at .* it has \d+ bytes/,
    ],
    [
      'of the same size with other bytes',
      (text: string) => text.replace('Review 7', 'Review 8'),
      /sees a different file at .*: bytes \d+ to \d+ differ .*\. If the file was changed, cancel/,
    ],
  ])('that sees a file %s leaves it to others', async (_, change, message) => {
    const { job, state, coordinator } = await waitingImport();
    const file = path.join(job.folder, 'reviews.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, change(text));
    expect(await noticeOf(workerFor(job, state))).toMatch(message);
    expect(await shownIds(job)).toEqual([]);
    writeFileSync(file, text);
    const worker = workerFor(job, state);
    const { code, stderr } = await coordinator.ended;
    expect(code, stderr).toBe(0);
    expect(await ended(worker)).toMatchObject({ code: 0 });
    expect(await shownIds(job)).toEqual(job.ids.toSorted());
  });

  longTest('with other credentials, another service or another version says so', async () => {
    const { job, state, server } = await waitingImport();
    const [run] = await server.query('SELECT id FROM docferry.runs');
    const env = job.surroundings.env ?? {};
    const other = await startWithMonitoring();
    const { cwd } = job.surroundings;
    for (const [variables, message] of [
      [{ DOCFERRY_API_KEY: 'another' }, /refused with 401: .*Check the user name and the API key/],
      [
        { DOCFERRY_BASE_URL: other.baseUrl },
        /this worker is connected to .*Connect it to that service/,
      ],
    ] as const) {
      const how = { cwd, env: { ...env, ...variables, DOCFERRY_STATE: state } };
      const said = await noticeOf(startDocferry(['worker', '--until-done', `${run?.['id']}`], how));
      expect(said).toMatch(message);
    }
    await server.query("UPDATE docferry.runs SET version = '0.0.1'");
    expect(await noticeOf(workerFor(job, state))).toMatch(
      /started with docferry 0\.0\.1, and this is docferry \S+: workers need the same version/,
    );
    expect(await shownIds(job)).toEqual([]);
  });

  longTest('without a state, or for a run that there isn’t, is refused', async () => {
    const job = await jobOf({ records: 1 });
    expectRefusal(await command(job, 'worker'), 2, /worker needs the address of the shared state/);
    const worker = workerFor(job, await newDatabase(), job.folder, '--until-done', 'nope');
    const ended = await worker.ended;
    expectRefusal(
      { ...ended, stderr: lastLine(ended) },
      2,
      /There is no run "nope" in postgres:.*it has no runs/,
    );
  });
});

/** An import that waits for workers, its input cut into shards. */
async function waitingImport() {
  const job = await jobOf();
  const state = await newDatabase();
  const server = { query: await queryOf(state) };
  const coordinator = startJob(job, ['--no-work'], { env: { DOCFERRY_STATE: state } });
  onTestFinished(() => void coordinator.child.kill('SIGKILL'));
  for (;;) {
    const [row] = await server
      .query('SELECT bool_and(planned) AS planned FROM docferry.inputs')
      .catch(() => []);
    if (row?.['planned'] === true) return { job, state, server, coordinator };
    expect(coordinator.child.exitCode).toBe(null);
    await sleep(50);
  }
}

function workerFor(job: Job, state: string, cwd = job.folder, ...more: readonly string[]): Started {
  const env = { ...job.surroundings.env, DOCFERRY_STATE: state };
  return startDocferry(['worker', ...more], { cwd, env });
}

/** What a worker says once it takes part; then it ends. */
async function noticeOf(worker: Started): Promise<string> {
  await Promise.race([worker.says(/\n.*\n/), worker.ended]);
  return (await ended(worker)).stderr;
}

async function ended(worker: Started): Promise<Ended> {
  worker.child.kill('SIGTERM');
  return await worker.ended;
}

describe.skipIf(!HAS.postgres)('an import on a shared state', () => {
  longTest('takes no input, mapping or service that others can’t reach', async () => {
    const job = await jobOf({ records: 3 });
    const state = await newDatabase();
    const { cwd, env } = job.surroundings;
    const how = { cwd, env: { ...env, DOCFERRY_STATE: state } };
    const rest = ['--mapping', 'mapping.json', '--monitoring', '1', '--quiet'];
    const stdin = readFileSync(path.join(job.folder, 'reviews.jsonl'));
    const piping = ['import', '-', '--no-work', ...rest];
    const piped = await startDocferry(piping, { ...how, stdin }).ended;
    expectRefusal(piped, 2, /Only this process can read stdin.*Save it to a file/);
    const sandbox = await startDocferry(['import', 'reviews.jsonl', '--sandbox', ...rest], how)
      .ended;
    expectRefusal(sandbox, 2, /embedded sandbox runs in this process.*`docferry sandbox`/);
    const mapping = ({ id }: Readonly<Record<string, unknown>>) => ({ sourceId: `${id}` });
    const input = path.join(job.folder, 'reviews.jsonl');
    const asked = { input, mapping, monitoring: 1, connection: job.sandbox, state, work: false };
    await expect(importDocuments(asked)).rejects.toThrow(
      /mapping is a function, which other processes do not have. Write it as a mapping file/,
    );
  });

  longTest('is refused while another one of the same input is running', async () => {
    const { job, state } = await waitingImport();
    expectRefusal(await importTo(job, state), 2, /is sending the same input .*runs cancel/);
  });

  longTest('with credentials that the service refuses doesn’t begin', async () => {
    const job = await jobOf({ records: 3 });
    const state = await newDatabase();
    const env = { DOCFERRY_STATE: state, DOCFERRY_API_KEY: 'another' };
    const refused = await startJob(job, [], { env }).ended;
    expectRefusal(refused, 3, /refused with 401: .*Check the user name and the API key/);
    const { stdout } = await command(job, 'runs', 'list', '--json', '--state', state);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('is what --detach and runs cancel are for', async () => {
    const job = await jobOf({ records: 1 });
    const detached = await startJob(job, ['--detach']).ended;
    expectRefusal(detached, 2, /Only an import with a shared state continues .*--state/);
    const cancelled = await command(job, 'runs', 'cancel', 'x');
    expectRefusal(cancelled, 2, /Only an import of a shared state can be cancelled/);
  });

  longTest('that has ended can’t be cancelled, and one that isn’t there is told', async () => {
    const job = await jobOf({ records: 3 });
    const state = await newDatabase();
    const { run } = reportIn(await importTo(job, state));
    const cancelled = await command(job, 'runs', 'cancel', run, '--state', state);
    expect(cancelled).toMatchObject({ code: 0, stdout: `The run ${run} is not running.\n` });
    for (const name of ['show', 'cancel', 'resume']) {
      const ended = await command(job, 'runs', name, 'nope', '--state', state);
      expectRefusal(ended, 2, /There is no run "nope" in postgres:.*the latest is .*runs list/);
    }
  });
});
