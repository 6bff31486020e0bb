import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { findPostgres, freePort, postgresUser } from './postgres-programs.js';

type Row = Readonly<Record<string, unknown>>;

/** A Postgres server on which databases may be made. */
export interface PostgresServer {
  readonly url: string;
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A server of a test's own. */
export interface TestPostgres extends PostgresServer {
  readonly port: number;
  readonly dataDir: string;
  /** What the server has logged. */
  log(): string;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
  /** Ends the postmaster with SIGKILL; its backends end as soon as they notice. */
  kill9(): Promise<void>;
  /** Starts it again at the same address; one that runs is killed before. */
  restart(): Promise<void>;
}

/** Settings of `postgresql.conf`. */
export type PostgresSettings = Readonly<Record<string, string | number>>;

/** Starts a server for the running test. */
export async function startPostgres(settings?: PostgresSettings): Promise<TestPostgres> {
  const server = await openPostgres(settings);
  onTestFinished(() => server.stop());
  return server;
}

let shared: Promise<PostgresServer> | undefined;

/** The server of all tests of this process: the one that the environment names, or one of its own. */
export function sharedPostgres(): Promise<PostgresServer> {
  const url = process.env['DOCFERRY_TEST_POSTGRES'];
  shared ??= url ? Promise.resolve(serverAt(url)) : openPostgres();
  return shared;
}

/**
 * Makes a database on the shared server for the running test.
 * @param settings what its sessions begin with
 * @param options of `CREATE DATABASE`
 * @returns its URL
 */
export async function newDatabase(settings: PostgresSettings = {}, options = ''): Promise<string> {
  const server = await sharedPostgres();
  const name = `docferry_${randomBytes(8).toString('hex')}`;
  await server.query(`CREATE DATABASE ${name} ${options}`);
  for (const [setting, value] of Object.entries(settings)) {
    await server.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
  onTestFinished(async () => {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  const url = new URL(server.url);
  url.pathname = name;
  return url.href;
}

/** Asks a database on one connection, which is closed when the test ends. */
export async function queryOf(url: string): Promise<(sql: string) => Promise<Row[]>> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return async (sql) => (await pool.query<Row>(sql)).rows;
}

function serverAt(url: string): PostgresServer {
  return { url, query: (sql, values) => query(url, sql, values) };
}

/** On a connection of its own: the server may have been killed since the last one. */
async function query(url: string, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Starts a server that runs until it is stopped, or this process ends. */
export async function openPostgres(settings: PostgresSettings = {}): Promise<TestPostgres> {
  installation ??= install();
  const { password } = installation;
  const port = await freePort();
  const dataDir = copyTemplate(installation);
  let log = '';
  const start = startOf(installation, dataDir, { port, ...settings }, (text) => {
    log += text;
  });
  let postmaster = await start();
  // One after the other, though they may be asked for at once.
  let restarting = Promise.resolve();
  return {
    ...serverAt(`postgres://${USER}:${password}@127.0.0.1:${port}/postgres`),
    port,
    dataDir,
    log: () => log,
    stop: async () => {
      await end(postmaster, 'SIGQUIT');
      // Backends may outlive their killed postmaster for a moment, and write.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
    kill9: () => end(postmaster, 'SIGKILL'),
    restart: () => {
      restarting = restarting.then(async () => {
        await end(postmaster, 'SIGKILL');
        postmaster = await start();
      });
      return restarting;
    },
  };
}

const USER = 'docferry';

/** What the servers of this process share. */
interface Installation {
  /** Holds the data of all of them. */
  readonly folder: string;
  readonly bin: string;
  readonly password: string;
  readonly user: ReturnType<typeof postgresUser>;
}

let installation: Installation | undefined;

/** Makes the data that servers begin with, in a folder that goes with this process. */
function install(): Installation {
  const found = findPostgres();
  if (found === undefined) throw new Error('There is no Postgres: check HAS.ownPostgres first.');
  const user = postgresUser();
  // Where root's tests have their folders, others may not enter.
  const folder = mkdtempSync(path.join(user.uid === undefined ? tmpdir() : '/tmp', 'docferry-'));
  keep(folder);
  const bin = isReachable(found) ? found : copyPrograms(found, folder);
  const password = randomBytes(16).toString('hex');
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const data = ['--pgdata', path.join(folder, TEMPLATE), '--locale', 'C', '--encoding', 'UTF8'];
  const access = ['--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  execFileSync(path.join(bin, 'initdb'), [...data, ...access, '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  return { folder, bin, password, user };
}

const TEMPLATE = 'template';

/** However this process ends, its servers end and their data goes. */
const KEEPER = `
  read -r _
  for file in "$0"/*/postmaster.pid; do kill -QUIT "$(head -n 1 "$file")"; done
  for _ in 1 2 3 4 5 6 7 8 9; do rm -rf "$0" && exit; sleep 0.2; done
`;

function keep(folder: string): void {
  const keeper = spawn('sh', ['-c', KEEPER, folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  (keeper.stdin as Socket).unref();
}

/** Whether everybody can reach it, or nobody else has to. */
function isReachable(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 1) === 1 && (parent === folder || isReachable(parent));
}

/** With their libraries, which lie beside them. */
function copyPrograms(bin: string, folder: string): string {
  const copy = path.join(folder, 'programs');
  execFileSync('cp', ['-a', path.dirname(bin), copy]);
  return path.join(copy, path.basename(bin));
}

function copyTemplate({ folder }: Installation): string {
  const dataDir = path.join(folder, randomBytes(4).toString('hex'));
  execFileSync('cp', ['-a', path.join(folder, TEMPLATE), dataDir]);
  return dataDir;
}

/** What starts a server with some data, and resolves when it takes connections. */
function startOf(
  { bin, folder, user }: Installation,
  dataDir: string,
  settings: PostgresSettings,
  told: (text: string) => void,
): () => Promise<ChildProcess> {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return async function start(): Promise<ChildProcess> {
    const postmaster = spawn(path.join(bin, 'postgres'), ['-D', dataDir, ...args], {
      ...user,
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    postmaster.unref();
    const said = await logUntilReady(postmaster, told);
    if (said === undefined) return postmaster;
    // Backends of a postmaster that was killed haven't noticed yet.
    if (!said.includes('is still in use')) throw new Error(`Postgres doesn't start: ${said}`);
    await sleep(50);
    return start();
  };
}

/** What a server said that ended instead; `undefined`: it takes connections. */
async function logUntilReady(
  { stderr }: ChildProcess,
  told: (text: string) => void,
): Promise<string | undefined> {
  let said = '';
  const log = stderr as Socket;
  log.unref();
  return new Promise((resolve) => {
    log.setEncoding('utf8').on('data', (text: string) => {
      told(text);
      said = (said + text).slice(-4000);
      if (said.includes('ready to accept connections')) resolve(undefined);
    });
    log.on('close', () => resolve(said));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
