// @ts-check
/** Starts Postgres servers to be measured. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findPostgres, freePort, postgresUser } from '../test/helpers/postgres-programs.js';

const user = postgresUser();

/** @typedef {{ url: string, client: pg.Client, stop(): Promise<void> }} Server */

/** The data of a new server. @param {string} folder */
export function makeData(folder) {
  mkdirSync(folder, { recursive: true });
  const password = path.join(folder, 'password');
  writeFileSync(password, randomBytes(16).toString('hex'), { mode: 0o600 });
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const args = ['--pgdata', path.join(folder, 'data'), '--username', 'bench'];
  const access = ['--auth', 'scram-sha-256', '--pwfile', password];
  execFileSync(program('initdb'), [...args, ...access], { ...user, cwd: folder, stdio: 'pipe' });
}

/** @param {string} folder @param {Record<string, string | number>} [settings] @returns {Promise<Server>} */
export async function start(folder, settings = {}) {
  const port = await freePort();
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_wal_size: '8GB',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = path.join(folder, 'log');
  const command = ['-c', 'exec "$@" 2>> "$0"', log, program('postgres'), '-D', `${folder}/data`];
  const server = spawn('sh', [...command, ...args], { ...user, cwd: folder, stdio: 'ignore' });
  const password = readFileSync(path.join(folder, 'password'), 'utf8');
  const url = `postgres://bench:${password}@127.0.0.1:${port}/postgres`;
  const client = await connect(url);
  const stop = async () => {
    await client.end();
    server.kill('SIGINT');
    await once(server, 'exit');
  };
  return { url, client, stop };
}

/** @param {string} url @returns {Promise<pg.Client>} */
async function connect(url) {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** @param {string} name */
function program(name) {
  const folder = findPostgres();
  if (folder === undefined) throw new Error('There is no Postgres 15 or newer.');
  return path.join(folder, name);
}
