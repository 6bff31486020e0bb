import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findPostgres } from './postgres-programs.js';
import { ALL_CASES } from './runs.js';

/** Real review exports and parser suites, which are not part of the project. */
export const REAL_DATA = path.resolve(import.meta.dirname, '../../../shared/data');

/** What distributions of Linux start bash with, so that it completes what programs have installed. */
export const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion';

/** Installations of further versions of Node, `24/bin/node` and so on, where there are any. */
export const NODES: string | undefined = process.env['DOCFERRY_TEST_NODES'];

const ownPostgres = findPostgres() !== undefined;

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** What some tests need of the machine, or beside the project. */
const NEEDS = {
  realData: {
    met: existsSync(REAL_DATA),
    name: 'real review exports in ../shared/data, which are not part of the project',
  },
  curl: { met: runs('curl', '--version'), name: 'curl' },
  fullDisk: { met: existsSync('/dev/full'), name: '/dev/full, a disk that is always full' },
  postgres: {
    met: ownPostgres || Boolean(process.env['DOCFERRY_TEST_POSTGRES']),
    name: 'Postgres 15 or newer (initdb), or DOCFERRY_TEST_POSTGRES, the URL of a server',
  },
  ownPostgres: { met: ownPostgres, name: 'Postgres 15 or newer (initdb), to kill and restart' },
  bash: { met: runs('bash', '--version'), name: 'bash' },
  zsh: { met: runs('zsh', '--version'), name: 'zsh' },
  terminal: {
    met: String(spawnSync('script', ['--version']).stdout).includes('util-linux'),
    name: 'script, of util-linux, to type into a terminal',
  },
  bashCompletion: {
    met: existsSync(BASH_COMPLETION),
    name: `bash-completion (${BASH_COMPLETION})`,
  },
  nodes: {
    met: NODES !== undefined,
    name: 'further versions of Node, in the folder DOCFERRY_TEST_NODES',
  },
  promtool: {
    met: spawnSync('promtool', ['--version']).error === undefined,
    name: "promtool, which Debian's package prometheus has",
  },
  linux: { met: process.platform === 'linux', name: 'Linux' },
  crontab: { met: runs('crontab', '-h'), name: 'crontab (Debian: cron)' },
  flock: { met: runs('flock', '--version'), name: 'flock of util-linux' },
  systemd: { met: runs('systemd-analyze', '--version'), name: 'systemd-analyze' },
  python: { met: runs('python3', '--version'), name: 'python3' },
  slurm: {
    met: runs('slurmctld', '-V') && runs('slurmd', '-V') && runs('munged', '--version'),
    name: 'Slurm (Debian: slurmctld, slurmd, slurm-client, munge)',
  },
  kubectl: { met: runs('kubectl', 'version', '--client'), name: 'kubectl' },
  parallel: {
    met: String(spawnSync('parallel', ['--version']).stdout).includes('GNU parallel'),
    name: 'GNU parallel (Debian: parallel)',
  },
  compose: { met: runs('docker', 'compose', 'version'), name: 'docker compose' },
} as const;

/** `npm test` starts no servers of Postgres. */
const ONLY_IN_ALL_CASES: readonly string[] = ['postgres', 'ownPostgres'];

/** Which of them are met: tests of the others are skipped. */
export const HAS = Object.fromEntries(
  Object.entries(NEEDS).map(([key, { met }]) => [
    key,
    met && (ALL_CASES || !ONLY_IN_ALL_CASES.includes(key)),
  ]),
) as Readonly<Record<keyof typeof NEEDS, boolean>>;

/** Tells a newcomer which tests are skipped, and why. */
export function tellSkipped(): void {
  const missing = Object.values(NEEDS).filter(({ met }) => !met);
  if (missing.length === 0) return;
  process.stdout.write('Some tests are skipped, because this is not here:\n');
  for (const { name } of missing) process.stdout.write(`  - ${name}\n`);
}
