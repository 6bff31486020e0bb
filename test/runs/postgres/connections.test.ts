import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/runs/postgres/database/database.js';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { startPostgres, type TestPostgres } from '../../helpers/postgres.js';
import { freePort, postgresUser } from '../../helpers/postgres-programs.js';
import { longTest } from '../../helpers/runs.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { makeJob, shownIds, startJob } from '../../reliability/job.js';

/** For localhost and 127.0.0.1, signed by itself. */
const CERTIFICATE = path.join(import.meta.dirname, '../../api/self-signed.pem');

async function startWithTls(): Promise<TestPostgres> {
  const server = await startPostgres();
  const { uid = -1, gid = -1 } = postgresUser();
  for (const name of ['server.crt', 'server.key']) {
    const file = path.join(server.dataDir, name);
    copyFileSync(CERTIFICATE, file);
    chmodSync(file, 0o600);
    chownSync(file, uid, gid);
  }
  await server.query('ALTER SYSTEM SET ssl = on');
  await server.query('SELECT pg_reload_conf()');
  return server;
}

/** Whether a connection to an address is encrypted, as the server sees it, or why there is none. */
async function encryption(state: string): Promise<unknown> {
  try {
    const database = await Database.open(state);
    const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const [row] = await database.rows<{ ssl: boolean }>(sql);
    await database.close();
    return row?.ssl;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.skipIf(!HAS.ownPostgres)('sslmode in the address', () => {
  it('means what libpq means by it, and the driver does not warn', async () => {
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const { url } = await startWithTls();
    const root = `sslrootcert=${encodeURIComponent(CERTIFICATE)}`;
    const seen = {
      none: await encryption(url),
      disable: await encryption(`${url}?sslmode=disable`),
      require: await encryption(`${url}?sslmode=require`),
      'require, with the authority': await encryption(`${url}?sslmode=require&${root}`),
      'verify-ca': await encryption(`${url}?sslmode=verify-ca&${root}`),
      'verify-full': await encryption(`${url}?sslmode=verify-full&${root}`),
      'verify-full, without the authority': await encryption(`${url}?sslmode=verify-full`),
      'verify-ca, without the authority': await encryption(`${url}?sslmode=verify-ca`),
      prefer: await encryption(`${url}?sslmode=prefer`),
    };
    expect(seen).toEqual({
      ...{ none: false, disable: false, require: true, 'require, with the authority': true },
      ...{ 'verify-ca': true, 'verify-full': true },
      'verify-full, without the authority': expect.stringMatching(
        /certificate that can't be verified \(self-signed certificate\): .* sslrootcert=FILE/,
      ),
      'verify-ca, without the authority': expect.stringMatching(/needs sslrootcert=FILE/),
      prefer: expect.stringMatching(/is "prefer"; expected disable, require, verify-ca, verify-/),
    });
    await sleep(10);
    expect(warnings).toEqual([]);
  });

  it('that the server lacks is explained', async () => {
    const { url } = await startPostgres();
    expect(await encryption(`${url}?sslmode=require`)).toMatch(/has no TLS, .* switch ssl on/);
  });
});

/** Starts PgBouncer in transaction mode; returns the address of the server behind it. */
async function startPooler({ url }: TestPostgres): Promise<string> {
  const { username, password, hostname, port } = new URL(url);
  const ownPort = await freePort();
  const { uid, gid } = postgresUser();
  // Another user can't enter this user's temporary folder.
  const folder = mkdtempSync(path.join(uid === undefined ? tmpdir() : '/tmp', 'docferry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = put(
    folder,
    'pgbouncer.ini',
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`,
  );
  if (uid !== undefined && gid !== undefined) {
    chownSync(folder, uid, gid);
    chownSync(config, uid, gid);
  }
  const pooler = spawn('pgbouncer', [config], { ...postgresUser(), cwd: '/', stdio: 'ignore' });
  onTestFinished(async () => {
    pooler.kill('SIGKILL');
    if (pooler.exitCode === null) await once(pooler, 'exit');
  });
  while (!(await listens(ownPort))) {
    if (pooler.exitCode !== null) throw new Error(readFileSync(config, 'utf8'));
    await sleep(50);
  }
  return Object.assign(new URL(url), { port: String(ownPort) }).href;
}

async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  const result = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return result;
}

describe.skipIf(!HAS.ownPostgres || spawnSync('pgbouncer', ['--version']).error)(
  'PgBouncer in transaction mode',
  () => {
    longTest('lets the shards of an import do their work', async () => {
      const direct = await startPostgres();
      const state = await startPooler(direct);
      const sandbox = await startWithMonitoring();
      const job = await makeJob({ folder: newFolder(), sandbox, records: 5_000 });
      const env = { DOCFERRY_STATE: state };
      const shards = ['1/2', '2/2'].map((part) =>
        startJob(job, ['--run', 'nightly', '--shard', part], { env }),
      );
      for (const { code, stderr } of await Promise.all(shards.map(({ ended }) => ended))) {
        expect(code, stderr).toBe(0);
      }
      expect(direct.log()).not.toContain('prepared statement');
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    });
  },
);
