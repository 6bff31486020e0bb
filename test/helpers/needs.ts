import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findPostgres } from './postgres-programs.js';

/** Real review exports and parser suites, which are not part of the project. */
export const REAL_DATA = path.resolve(import.meta.dirname, '../../../shared/data');

const ownPostgres = findPostgres() !== undefined;

/** What some tests need of the machine, or beside the project. */
const NEEDS = {
  realData: {
    met: existsSync(REAL_DATA),
    name: 'real review exports in ../shared/data, which are not part of the project',
  },
  curl: { met: spawnSync('curl', ['--version']).error === undefined, name: 'curl' },
  timeout: { met: spawnSync('timeout', ['--version']).error === undefined, name: 'GNU timeout' },
  fullDisk: { met: existsSync('/dev/full'), name: '/dev/full, a disk that is always full' },
  postgres: {
    met: ownPostgres || Boolean(process.env['DOCFERRY_TEST_POSTGRES']),
    name: 'Postgres 15 or newer (initdb), or DOCFERRY_TEST_POSTGRES, the URL of a server',
  },
  ownPostgres: { met: ownPostgres, name: 'Postgres 15 or newer (initdb), to kill and restart' },
  linux: { met: process.platform === 'linux', name: 'Linux' },
} as const;

/** Which of them are met: tests of the others are skipped. */
export const HAS = Object.fromEntries(
  Object.entries(NEEDS).map(([key, { met }]) => [key, met]),
) as Readonly<Record<keyof typeof NEEDS, boolean>>;

/** Tells a newcomer which tests are skipped, and why. */
export function tellSkipped(): void {
  const missing = Object.values(NEEDS).filter(({ met }) => !met);
  if (missing.length === 0) return;
  process.stdout.write('Some tests are skipped, because this is not here:\n');
  for (const { name } of missing) process.stdout.write(`  - ${name}\n`);
}
